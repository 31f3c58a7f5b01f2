package dev.fulmar.reconfig.move;

import dev.fulmar.coordinator.reconfiguration.DataGuards;
import dev.fulmar.coordinator.reconfiguration.ReconfigurationLog;
import dev.fulmar.coordinator.reconfiguration.StepListener;
import dev.fulmar.engine.partitioning.HandOff;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.id.PartitionId;
import dev.fulmar.foundation.schedule.Scheduler;
import dev.fulmar.foundation.time.Clock;
import dev.fulmar.reconfig.peer.Answer;
import dev.fulmar.reconfig.peer.DestinationStep;
import dev.fulmar.reconfig.peer.Peers;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The parts of the database and the node that a reconfiguration uses. Everything that it does runs as one of the tasks.
 */
record MovePorts(
        ReconfigurationLog log,
        DataGuards guards,
        Peers peers,
        Scheduler scheduler,
        Clock clock,
        Pace pace,
        SerialTasks tasks) {
    /** Runs the task as the next one but those that wait. */
    void run(Runnable task) {
        tasks.run(task);
    }

    /** Runs the task after the delay. */
    void runLater(long delayNanos, Runnable task) {
        scheduler.schedule(delayNanos, () -> tasks.run(task));
    }

    /** Takes a step at the partition to which a bucket moves; tells its fate by a task. */
    void take(PartitionId partition, DestinationStep step, LongConsumer done, Consumer<FulmarException> failed) {
        peers.take(partition, step, new Answer() {
            @Override
            public void done(long rows) {
                tasks.run(() -> done.accept(rows));
            }

            @Override
            public void failed(FulmarException cause) {
                tasks.run(() -> failed.accept(cause));
            }
        });
    }

    /** Hands a bucket over; tells the end by a task. */
    void handOver(HandOff handOff, Consumer<@Nullable FulmarException> ended) {
        peers.handOver(handOff, failure -> tasks.run(() -> ended.accept(failure)));
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
