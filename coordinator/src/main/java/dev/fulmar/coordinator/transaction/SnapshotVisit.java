package dev.fulmar.coordinator.transaction;

import dev.fulmar.engine.partition.CommitGate.Departure;
import dev.fulmar.engine.partition.CoordinatorMessage.FragmentFailure;
import dev.fulmar.engine.partition.FragmentResult;
import dev.fulmar.engine.partition.Partition;
import dev.fulmar.engine.partition.ReplyBatch;
import dev.fulmar.engine.partition.SnapshotGuest;
import dev.fulmar.engine.version.VersionReader;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.id.PartitionId;
import dev.fulmar.foundation.id.TransactionId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An attempt of a snapshot transaction at one partition. Touched by the partition's thread only, but for what it is. */
public final class SnapshotVisit implements SnapshotGuest {
    private final PartitionRuntime runtime;
    private final TransactionId reader;
    private final int attempt;
    private final boolean strict;

    private @Nullable SnapshotQuestion question;
    private boolean gone;
    private @Nullable VersionReader versions;
    private @Nullable SnapshotReading reading;

    /** @param attempt counts the reader's restarts */
    public SnapshotVisit(PartitionRuntime runtime, TransactionId reader, int attempt, boolean strict) {
        this.runtime = runtime;
        this.reader = reader;
        this.attempt = attempt;
        this.strict = strict;
    }

    public PartitionId partition() {
        return runtime.partition().id();
    }

    public TransactionId reader() {
        return reader;
    }

    public int attempt() {
        return attempt;
    }

    public boolean isStrict() {
        return strict;
    }

    void arrive(Partition partition, SnapshotQuestion first) {
        question = first;
        if (!gone) {
            partition.readers().register(this, strict, first.timestamp());
        }
    }

    private SnapshotQuestion question() {
        SnapshotQuestion asked = question;
        if (asked == null) {
            throw Invariants.breach("a reader that is at a partition asked something");
        }
        return asked;
    }

    @Override
    public void admitted(Partition partition, long timestamp) {
        SnapshotQuestion asked = question();
        try {
            versions = runtime.storage().openReader(timestamp, partition.clock().monotonicNanos());
        } catch (FulmarException refused) {
            asked.passed(asked.timestamp());
            asked.read(List.of(), new FragmentFailure(0, refused.code(), String.valueOf(refused.getMessage())));
            return;
        }
        partition.counters().snapshots.increment();
        active(partition, 1);
        asked.passed(timestamp);
        if (timestamp == asked.timestamp()) {
            read(partition);
        }
    }

    @Override
    public void turnedAway(Partition partition) {
        turnAway(question());
    }

    void turnAway(SnapshotQuestion asked) {
        asked.passed(asked.timestamp());
        asked.read(
                List.of(),
                new FragmentFailure(
                        0,
                        ErrorCode.NODE_STOPPING,
                        "partition " + runtime.partition().id() + " stops; try again on the restarted node"));
    }

    void read(Partition partition, SnapshotQuestion next) {
        if (gone) {
            return;
        }
        question = next;
        partition.timestamps().observe(next.timestamp());
        next.passed(next.timestamp());
        read(partition);
    }

    private void read(Partition partition) {
        SnapshotQuestion asked = question();
        if (asked.work().isEmpty()) {
            asked.read(List.of(), null);
            return;
        }
        partition.readers().whenDecided(this, asked.timestamp(), () -> {
            if (!gone && asked.equals(question)) {
                begin(partition, asked);
            }
        });
    }

    private void begin(Partition partition, SnapshotQuestion asked) {
        SnapshotReading earlier = reading;
        if (earlier != null) {
            earlier.cancel();
        }
        VersionReader known = versions;
        if (known == null) { // it was refused, and that has been said
            return;
        }
        known.readAt(asked.timestamp());
        SnapshotReading begun = new SnapshotReading(
                partition,
                runtime,
                known,
                asked.work(),
                runtime.limits().slices(),
                (results, failure) -> answer(partition, asked, results, failure));
        reading = begun;
        begun.begin();
    }

    private void answer(
            Partition partition,
            SnapshotQuestion asked,
            List<FragmentResult> results,
            @Nullable FragmentFailure failure) {
        partition.readers().answer(this, asked.timestamp(), new Departure() {
            @Override
            public void leave(ReplyBatch replies) {
                asked.read(results, failure);
            }

            @Override
            public void lost(FulmarException cause, ReplyBatch replies) {
                asked.read(List.of(), new FragmentFailure(0, cause.code(), String.valueOf(cause.getMessage())));
            }
        });
    }

    void leave(Partition partition) {
        gone = true;
        partition.readers().leave(this);
        SnapshotReading last = reading;
        if (last != null) {
            last.cancel();
        }
        VersionReader known = versions;
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
