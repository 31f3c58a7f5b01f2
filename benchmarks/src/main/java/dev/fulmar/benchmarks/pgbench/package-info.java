/**
 * PostgreSQL's benchmark against a node and against PostgreSQL. Invariant: both are durable before they acknowledge a
 * commit, get the same command, and take turns on one machine.
 */
@NullMarked
package dev.fulmar.benchmarks.pgbench;

import org.jspecify.annotations.NullMarked;
