package dev.fulmar.reconfig.move;

import dev.fulmar.coordinator.reconfiguration.DataGuards;
import dev.fulmar.coordinator.reconfiguration.ReconfigurationLog;
import dev.fulmar.coordinator.reconfiguration.StepListener;
import dev.fulmar.coordinator.routing.PartitionPlans;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.schedule.Scheduler;
import dev.fulmar.foundation.time.Clock;
import java.util.function.Consumer;

/**
 * The parts of the database and the node that a reconfiguration uses. Everything that it does runs as one of the tasks.
 */
record MovePorts(
        ReconfigurationLog log,
        DataGuards guards,
        PartitionPlans plans,
        Scheduler scheduler,
        Clock clock,
        SerialTasks tasks) {
    /** Runs the task as the next one but those that wait. */
    void run(Runnable task) {
        tasks.run(task);
    }

    /** Runs the task after the delay. */
    void runLater(long delayNanos, Runnable task) {
        scheduler.schedule(delayNanos, () -> tasks.run(task));
    }

    /** Tells the fate of a step by a task. */
    StepListener told(Runnable safe, Consumer<FulmarException> failed) {
        return new StepListener() {
            @Override
            public void safe() {
                tasks.run(safe);
            }

            @Override
            public void refused(FulmarException cause) {
                tasks.run(() -> failed.accept(cause));
            }

            @Override
            public void lost(FulmarException cause) {
                tasks.run(() -> failed.accept(cause));
            }
        };
    }

    /** Tells a failure by a task. */
    Consumer<FulmarException> toldBy(Consumer<FulmarException> failed) {
        return cause -> tasks.run(() -> failed.accept(cause));
    }
}
