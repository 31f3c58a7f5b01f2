/**
 * Runs the files of PostgreSQL's regression suite, which are no part of the project, on a node and on PostgreSQL.
 *
 * <p>Invariant: a statement counts as equal only if both answers were compared. Every other statement is listed with
 * the reason.
 */
@NullMarked
package dev.fulmar.benchmarks.regression;

import org.jspecify.annotations.NullMarked;
