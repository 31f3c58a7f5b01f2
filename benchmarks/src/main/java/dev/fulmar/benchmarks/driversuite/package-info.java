/**
 * Runs the tests of PostgreSQL's JDBC driver, which are no part of the project, on a node and on PostgreSQL.
 *
 * <p>Invariant: a test counts as equal only if it ran on both servers and passed on both. One that PostgreSQL does not
 * pass counts for nothing. Every other test is listed with the reason.
 */
@NullMarked
package dev.fulmar.benchmarks.driversuite;

import org.jspecify.annotations.NullMarked;
