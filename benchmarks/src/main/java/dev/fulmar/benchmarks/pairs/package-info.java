/**
 * Pairs: updates of two rows, some of them on two partitions. Invariant: each row counts its updates, so the sum over
 * all rows is twice the number of commits.
 */
@NullMarked
package dev.fulmar.benchmarks.pairs;

import org.jspecify.annotations.NullMarked;
