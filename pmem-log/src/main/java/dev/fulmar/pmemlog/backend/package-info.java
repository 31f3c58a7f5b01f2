/**
 * Storage of the log's bytes. Invariant: a backend states the durability that it really gives, never the one that it
 * was asked for.
 */
@NullMarked
package dev.fulmar.pmemlog.backend;

import org.jspecify.annotations.NullMarked;
