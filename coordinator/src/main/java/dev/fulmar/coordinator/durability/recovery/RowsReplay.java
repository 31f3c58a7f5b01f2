package dev.fulmar.coordinator.durability.recovery;

import dev.fulmar.coordinator.durability.log.PartitionLog;
import dev.fulmar.coordinator.durability.log.RecordMemory;
import dev.fulmar.coordinator.replication.EpochHistory;
import dev.fulmar.engine.table.PartitionStorage;
import dev.fulmar.pmemlog.record.RecordKind;
import dev.fulmar.pmemlog.record.RecordReader;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Applies a primary's log records to a backup's rows by {@link PartitionReplay}, once the backup has the catalog
 * version that they need.
 *
 * @param newest the newest version that always counts, and that this node's own log of the catalog has on the device:
 *     records of rows that are durable here must never be of one that is not, else a start has no tables for them
 */
public record RowsReplay(PartitionReplay replay, LongSupplier newest) implements StreamReplay {
    @Override
    public boolean takes(RecordKind kind) {
        return switch (kind) {
            case COMMAND, VALUES, PREPARE, DECISION, RECONFIGURATION, EPOCH -> true;
            case FRAGMENTS, CATALOG, SEAL, COPY -> false;
        };
    }

    @Override
    public boolean takes(long version) {
        return version <= newest.getAsLong();
    }

    @Override
    public void begin() {
        replay.runtime().storage().beginRecovery();
    }

    @Override
    public void end() {
        replay.runtime().storage().endRecovery();
    }

    @Override
    public void next(RecordReader record) {
        replay.record(record, 0, 0);
        showDoubt();
    }

    /** While a part waits for its decision the rows are not what any position of the log leads to. */
    public void showDoubt() {
        replay.runtime().partition().awaitDecision(replay.inDoubt() != null);
    }

    @Override
    public void logged() {}

    @Override
    public void joined(long end) {
        beganToFollow();
    }

    @Override
    public void beganToFollow() {
        replay.beganToFollow();
    }

    @Override
    public long newestCommit() {
        return replay.newestCommit();
    }

    @Override
    public @Nullable RecordMemory takeNewest() {
        return replay.takeNewest();
    }

    @Override
    public void wentBack(long end) {}

    @Override
    public EpochHistory terms() {
        return replay.terms();
    }

    @Override
    public long timestamp() {
        return replay.runtime().partition().timestamps().last();
    }

    @Override
    public long catalogVersion() {
        return newest.getAsLong();
    }

    @Override
    public long life() {
        return replay.life();
    }

    @Override
    public boolean isDiscarded() {
        return replay.isDiscarded();
    }

    @Override
    public void beginAnew(long version) {
        replay.beginAnew(version);
        showDoubt();
    }

    @Override
    public void goOnBehind(long sequence, long life, EpochHistory terms) {
        replay.goOnBehind(sequence, life, terms);
    }

    @Override
    public boolean isAheadOf(RecordKind kind, long catalogVersion) {
        boolean hasRows = switch (kind) {
            case COMMAND, VALUES, PREPARE, RECONFIGURATION -> true;
            case DECISION, EPOCH, FRAGMENTS, CATALOG, SEAL, COPY -> false;
        };
        return hasRows && catalogVersion < replay.runtime().storageVersion();
    }

    @Override
    public void promote() {
        if (replay.inDoubt() == null) {
            withoutLimits(replay::finish);
        }
    }

    @Override
    public InDoubtResolver.@Nullable Doubt inDoubt() {
        PartitionReplay.Prepared prepared = replay.inDoubt();
        return prepared == null
                ? null
                : new InDoubtResolver.Doubt(prepared.transaction(), prepared.attempt(), prepared.base());
    }

    @Override
    public void resolve(PartitionLog log, boolean commit, long commitTimestamp) {
        PartitionReplay.Prepared prepared = replay.inDoubt();
        if (prepared == null) {
            return;
        }
        log.decision(prepared.transaction(), prepared.attempt(), commit, commitTimestamp, null, List.of());
        withoutLimits(() -> {
            if (commit) {
                replay.commitInDoubt(commitTimestamp);
            } else {
                replay.undoInDoubt();
            }
            showDoubt();
            replay.finish();
        });
    }

    /** Runs the work without limits: it was done within the limits of the primary before, or counts already. */
    private void withoutLimits(Runnable work) {
        PartitionStorage storage = replay.runtime().storage();
        storage.beginRecovery();
        try {
            work.run();
        } finally {
            storage.endRecovery();
        }
    }
}
