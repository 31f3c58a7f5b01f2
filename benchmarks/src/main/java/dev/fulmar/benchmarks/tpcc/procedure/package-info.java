/**
 * TPC-C's five transactions (clause 2) and the procedures that fill its tables (clause 4.3.3). Invariant: the classes
 * of this package see only the procedure API and each other. So they are packed into a jar and loaded as a user's are.
 */
@NullMarked
package dev.fulmar.benchmarks.tpcc.procedure;

import org.jspecify.annotations.NullMarked;
