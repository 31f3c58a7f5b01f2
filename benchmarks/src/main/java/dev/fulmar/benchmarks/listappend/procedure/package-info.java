/**
 * A transaction that reads and appends to lists, for checks of serializability. Invariant: every appended value is unique, so a
 * list names the transactions that wrote it, in order.
 */
@NullMarked
package dev.fulmar.benchmarks.listappend.procedure;

import org.jspecify.annotations.NullMarked;
