/**
 * Lookups: single rows read by key, by procedure and by statement. Invariant: every way reads the same rows, so only
 * what a way costs differs.
 */
@NullMarked
package dev.fulmar.benchmarks.lookup;

import org.jspecify.annotations.NullMarked;
