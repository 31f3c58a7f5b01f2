/**
 * TPC-C: its scale, its inputs, its load and its consistency conditions (clauses 2, 3.3.2 and 4). Invariant: after any
 * number of transactions, committed or not, every consistency condition holds.
 */
@NullMarked
package dev.fulmar.benchmarks.tpcc;

import org.jspecify.annotations.NullMarked;
