package dev.fulmar.coordinator.transaction;

import dev.fulmar.engine.partition.CommitGate.Departure;
import dev.fulmar.engine.partition.CoordinatorMessage.FragmentFailure;
import dev.fulmar.engine.partition.FragmentResult;
import dev.fulmar.engine.partition.Partition;
import dev.fulmar.engine.partition.PartitionTask;
import dev.fulmar.engine.partition.ReplyBatch;
import dev.fulmar.engine.partition.SnapshotGuest;
import dev.fulmar.engine.version.VersionReader;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.id.PartitionId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An attempt of a snapshot transaction at one partition. Touched by the partition's thread only, but for what makes the messages to it. */
final class SnapshotVisit implements SnapshotGuest {
    private final PartitionRuntime runtime;
    private final boolean strict;

    private SnapshotRound round;
    private int place;
    private boolean gone;
    private @Nullable VersionReader reader;
    private @Nullable SnapshotReading reading;

    /**
     * @param round what is read first
     * @param place the partition's place in it
     */
    SnapshotVisit(PartitionRuntime runtime, boolean strict, SnapshotRound round, int place) {
        this.runtime = runtime;
        this.strict = strict;
        this.round = round;
        this.place = place;
    }

    // Messages, made by the fiber.

    /** Registers, and reads at once unless the partition has passed the round's timestamp already. */
    PartitionTask arrive() {
        SnapshotRound first = round;
        int firstPlace = place;
        return task(
                partition -> {
                    if (!gone) {
                        partition.readers().register(this, strict, first.timestamp());
                    }
                },
                () -> turnAway(first, firstPlace));
    }

    /** Reads at the round's timestamp, which is not below the registration. */
    PartitionTask read(SnapshotRound next, int nextPlace) {
        return task(partition -> read(partition, next, nextPlace), () -> turnAway(next, nextPlace));
    }

    /** Every partition has passed the timestamp. */
    PartitionTask release() {
        return task(partition -> partition.readers().release(this), () -> {});
    }

    /** The attempt is over. */
    PartitionTask leave() {
        return task(this::leave, () -> {});
    }

    private static PartitionTask task(PartitionTask work, Runnable refusal) {
        return new PartitionTask() {
            @Override
            public void run(Partition partition) {
                work.run(partition);
            }

            @Override
            public void refused(PartitionId partition) {
                refusal.run();
            }
        };
    }

    // At the partition.

    @Override
    public void admitted(Partition partition, long timestamp) {
        try {
            reader = runtime.storage().openReader(timestamp, partition.clock().monotonicNanos());
        } catch (FulmarException refused) {
            round.passed(place, round.timestamp());
            round.read(place, List.of(), new FragmentFailure(0, refused.code(), String.valueOf(refused.getMessage())));
            return;
        }
        partition.counters().snapshots.increment();
        active(partition, 1);
        round.passed(place, timestamp);
        if (timestamp == round.timestamp()) {
            read(partition);
        }
    }

    @Override
    public void turnedAway(Partition partition) {
        turnAway(round, place);
    }

    private void turnAway(SnapshotRound asked, int where) {
        asked.passed(where, asked.timestamp());
        asked.read(
                where,
                List.of(),
                new FragmentFailure(
                        0,
                        ErrorCode.NODE_STOPPING,
                        "partition " + runtime.partition().id() + " stops; try again on the restarted node"));
    }

    private void read(Partition partition, SnapshotRound next, int nextPlace) {
        if (gone) {
            return;
        }
        round = next;
        place = nextPlace;
        partition.timestamps().observe(next.timestamp());
        next.passed(nextPlace, next.timestamp());
        read(partition);
    }

    private void read(Partition partition) {
        SnapshotRound asked = round;
        if (asked.work(place).isEmpty()) {
            asked.read(place, List.of(), null);
            return;
        }
        partition.readers().whenDecided(this, asked.timestamp(), () -> {
            if (!gone && round == asked) {
                begin(partition, asked, place);
            }
        });
    }

    private void begin(Partition partition, SnapshotRound asked, int where) {
        SnapshotReading earlier = reading;
        if (earlier != null) {
            earlier.cancel();
        }
        VersionReader known = reader;
        if (known == null) { // it was refused, and that has been said
            return;
        }
        known.readAt(asked.timestamp());
        SnapshotReading begun = new SnapshotReading(
                partition,
                runtime.snapshotQueries(),
                known,
                asked.work(where),
                runtime.limits().slices(),
                (results, failure) -> answer(partition, asked, where, results, failure));
        reading = begun;
        begun.begin();
    }

    private void answer(
            Partition partition,
            SnapshotRound asked,
            int where,
            List<FragmentResult> results,
            @Nullable FragmentFailure failure) {
        partition.readers().answer(this, asked.timestamp(), new Departure() {
            @Override
            public void leave(ReplyBatch replies) {
                asked.read(where, results, failure);
            }

            @Override
            public void lost(FulmarException cause, ReplyBatch replies) {
                asked.read(where, List.of(), new FragmentFailure(0, cause.code(), String.valueOf(cause.getMessage())));
            }
        });
    }

    private void leave(Partition partition) {
        gone = true;
        partition.readers().leave(this);
        SnapshotReading last = reading;
        if (last != null) {
            last.cancel();
        }
        VersionReader known = reader;
        if (known != null) {
            known.close();
            active(partition, -1);
        }
    }

    private void active(Partition partition, int change) {
        partition.counters().holdVersions(runtime.storage().undoLog().heldBytes());
        partition.counters().snapshotsActive.add(change);
        VersionReader oldest = runtime.storage().horizon().oldest();
        if (oldest != null) {
            partition.counters().snapshotsOldestNanos.set(oldest.sinceNanos());
        }
    }
}
