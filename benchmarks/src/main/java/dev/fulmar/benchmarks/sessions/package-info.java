/**
 * Transactions that clients leave open. Invariants: what a node says of itself it says after a forced collection, and
 * while the experiment sends it nothing. Windows with and without open transactions take turns.
 */
@NullMarked
package dev.fulmar.benchmarks.sessions;

import org.jspecify.annotations.NullMarked;
