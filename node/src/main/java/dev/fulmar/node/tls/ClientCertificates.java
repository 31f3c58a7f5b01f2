package dev.fulmar.node.tls;

/** Policy for certificates of clients. */
public enum ClientCertificates {
    NONE,
    /** One that is shown must be good. */
    OPTIONAL,
    REQUIRED
}
