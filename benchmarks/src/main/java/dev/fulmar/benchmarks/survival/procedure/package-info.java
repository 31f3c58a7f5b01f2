/**
 * Transactions whose traces tell what became of each: every append leaves a row per chain, with its place and the
 * edition of the procedure. Invariant: the rows have no key, so an append that takes effect twice is seen twice.
 */
@NullMarked
package dev.fulmar.benchmarks.survival.procedure;

import org.jspecify.annotations.NullMarked;
