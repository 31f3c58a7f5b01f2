package dev.fulmar.node.config;

import dev.fulmar.coordinator.planning.PlanningQueue;

/**
 * Configuration of the planning of statements.
 *
 * @param threads {@code planner.threads}: statements that are planned at the same time, at low priority; by default one
 *     for each four cores, and at least one
 * @param queue {@code planner.queue}: statements that may wait for that
 */
public record PlannerConfiguration(int threads, int queue) {
    private static final int CORES_PER_THREAD = 4;
    private static final int MOST_THREADS = 1024;
    private static final int MOST_STATEMENTS = 1 << 20;

    static PlannerConfiguration of(Settings settings, Machine machine) {
        return new PlannerConfiguration(
                settings.number("planner.threads", Math.max(1, machine.cores() / CORES_PER_THREAD), 1, MOST_THREADS),
                settings.number("planner.queue", PlanningQueue.USUAL_CAPACITY, 1, MOST_STATEMENTS));
    }
}
