/**
 * Transactions for checks of serializability: some read and append to lists, some move money. Invariant: every appended
 * value is unique, so a list names the transactions that wrote it, in order. The sum of all balances never changes and
 * none is negative.
 */
@NullMarked
package dev.fulmar.benchmarks.listappend.procedure;

import org.jspecify.annotations.NullMarked;
