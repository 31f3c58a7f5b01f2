/**
 * Statistics of the tables' contents, for the planner: the partitions' row counts, and values sampled from their rows.
 * Entry: {@link dev.fulmar.coordinator.statistics.StatisticsCollector}. Invariants: a write of rows keeps and counts
 * nothing. A query waits for a census no longer than a moment. A census changes how quick a query is, never its answer.
 */
@NullMarked
package dev.fulmar.coordinator.statistics;

import org.jspecify.annotations.NullMarked;
