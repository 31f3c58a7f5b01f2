/**
 * SCRAM-SHA-256 (RFC 5802, RFC 7677), both sides of it. Invariant: a password is never sent, never stored, and shown by
 * no {@code toString}; chance and bytes come from outside.
 */
@NullMarked
package dev.fulmar.foundation.scram;

import org.jspecify.annotations.NullMarked;
