/**
 * Persistent memory for tests. Invariant: a crash keeps what was flushed and fenced, and any part of the rest in pieces
 * of 8 bytes.
 */
@NullMarked
package dev.fulmar.pmemlog.backend.simulated;

import org.jspecify.annotations.NullMarked;
