package dev.fulmar.coordinator.planning;

/**
 * Counts and times of planning.
 *
 * @param planned statements that were planned, or failed by what they say
 * @param refused statements that were not: the queue was full, or their time was over, or nobody waited any more
 * @param nanos from when statements got their turn to when they ended, together
 * @param waiting statements that wait for their turn now
 * @param underWay statements that have begun and not ended
 */
public record PlanningFigures(long planned, long refused, long nanos, int waiting, int underWay) {}
