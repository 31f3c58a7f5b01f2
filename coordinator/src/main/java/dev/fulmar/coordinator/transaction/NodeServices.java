package dev.fulmar.coordinator.transaction;

import dev.fulmar.coordinator.fiber.FiberFactory;
import dev.fulmar.coordinator.planning.PlannerThreads;
import dev.fulmar.coordinator.reconfiguration.ReconfigurationReplay;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.memory.ByteBudget;
import dev.fulmar.foundation.random.RandomSource;
import dev.fulmar.foundation.schedule.Scheduler;
import dev.fulmar.foundation.time.Clock;
import java.util.function.LongSupplier;

/**
 * The services that a node gives its database: clock, timers, random numbers, fibers, planner threads and a memory
 * budget.
 *
 * @param planners where statements are planned
 * @param allocatedBytes bytes that the current thread has allocated so far, or a negative number where that is not
 *     known
 * @param underWay what requests and results under way may take
 * @param steps takes steps of reconfigurations again
 */
public record NodeServices(
        NodeId node,
        Clock clock,
        Scheduler scheduler,
        RandomSource random,
        FiberFactory fibers,
        PlannerThreads planners,
        LongSupplier allocatedBytes,
        ByteBudget underWay,
        ReconfigurationReplay steps) {
    /** These services with a subsystem that takes steps of reconfigurations again. */
    public NodeServices replaying(ReconfigurationReplay newSteps) {
        return new NodeServices(node, clock, scheduler, random, fibers, planners, allocatedBytes, underWay, newSteps);
    }

    /**
     * The services of a node that plans on fibers, and whose requests and results are bounded elsewhere. It has no
     * subsystem that reconfigures.
     */
    public NodeServices(
            NodeId node,
            Clock clock,
            Scheduler scheduler,
            RandomSource random,
            FiberFactory fibers,
            LongSupplier allocatedBytes) {
        this(
                node,
                clock,
                scheduler,
                random,
                fibers,
                PlannerThreads.of(fibers),
                allocatedBytes,
                ByteBudget.unlimited(),
                ReconfigurationReplay.none());
    }
}
