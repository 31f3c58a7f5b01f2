/**
 * What the tables hold, for the planner: rows as the partitions count them, values as samples of their rows tell.
 * Entry: {@link dev.fulmar.coordinator.statistics.StatisticsCollector}. Invariant: nothing is kept or counted when rows are
 * written, nobody waits for a census longer than a moment, and whatever comes of one changes how quick a query is,
 * never its answer.
 */
@NullMarked
package dev.fulmar.coordinator.statistics;

import org.jspecify.annotations.NullMarked;
