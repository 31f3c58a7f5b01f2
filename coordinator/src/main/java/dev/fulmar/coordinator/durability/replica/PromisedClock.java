package dev.fulmar.coordinator.durability.replica;

import dev.fulmar.engine.partition.Partition;
import dev.fulmar.engine.partition.SnapshotReader;
import dev.fulmar.foundation.time.HybridLogicalClock;

/**
 * Serves a backup's snapshot reader at the primary: moves the primary's clock past the reader's timestamp, and has that
 * promised in the log. Before the promise, it waits for all parts that are prepared at or below the timestamp. After
 * it, nothing will be committed there any more, so the log has all that the reader may see. For the partition's thread.
 */
record PromisedClock(Partition partition, long timestamp) implements SnapshotReader {
    /** A timestamp that lies further ahead is that of a broken clock, and not followed. */
    private static final long MOST_AHEAD_MICROS = 60_000_000;

    /** Runs the task once all that is or will be committed at or below the timestamp is in the log, if it ever is. */
    void pass(Runnable task) {
        if (HybridLogicalClock.micros(timestamp) - partition.clock().wallMicros() > MOST_AHEAD_MICROS) {
            return;
        }
        partition.timestamps().observe(timestamp);
        partition.readers().whenDecided(this, timestamp, () -> {
            partition.readers().promise(timestamp);
            task.run();
        });
    }

    @Override
    public void admitted(Partition at, long answer) {}

    @Override
    public void turnedAway(Partition at) {}
}
