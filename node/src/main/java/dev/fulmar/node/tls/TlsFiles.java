package dev.fulmar.node.tls;

import java.nio.file.Path;
import java.util.Optional;

/**
 * Files of certificates and keys.
 *
 * @param certificate PEM file of the node's own certificate, with those between it and its authority behind it
 * @param key PEM file of its private key, in PKCS#8 and without password
 * @param authorities PEM file of the certificates that the other side's has to come from
 */
public record TlsFiles(Path certificate, Path key, Optional<Path> authorities) {}
