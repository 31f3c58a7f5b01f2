/**
 * TLS from PEM files. Invariant: TLS 1.3 and 1.2 only, and a certificate that cannot be read never replaces one that
 * works.
 */
@NullMarked
package dev.fulmar.node.tls;

import org.jspecify.annotations.NullMarked;
