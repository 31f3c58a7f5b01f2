package dev.fulmar.node.tls;

/** Whether clients show certificates. */
public enum ClientCertificates {
    NONE,
    /** One that is shown must be good. */
    OPTIONAL,
    REQUIRED
}
