package dev.fulmar.coordinator.durability.log;

import dev.fulmar.engine.partition.CommandLog;
import dev.fulmar.engine.partition.Partition;
import dev.fulmar.engine.partition.RequestOutcome;
import dev.fulmar.engine.partition.SinglePartitionWork;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.id.PartitionId;
import dev.fulmar.foundation.id.TransactionId;
import dev.fulmar.pmemlog.log.OperationLog;
import dev.fulmar.pmemlog.log.PartitionLogBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Command log that writes the partitions' commits into the operation log. A transaction that changed nothing leaves no
 * record; its reply waits for the records of what it may have seen.
 */
public final class DurableLog implements CommandLog {
    private @Nullable OperationLog log;
    private PartitionLog[] partitions = {};
    private final CommitReplication replicas;

    public DurableLog(CommitReplication replicas) {
        this.replicas = replicas;
    }

    /** Gives it what it writes to; before any partition runs. */
    public void bind(@Nullable OperationLog newLog, PartitionLog[] newPartitions) {
        log = newLog;
        partitions = newPartitions;
    }

    private PartitionLog of(Partition partition) {
        return partitions[partition.id().number()];
    }

    private static boolean changed(Partition partition, long begin) {
        return partition.undo().position() != begin;
    }

    @Override
    public long committed(Partition partition, SinglePartitionWork work, long begin, long commitTimestamp) {
        return changed(partition, begin) ? of(partition).committed(work, begin, commitTimestamp) : position(partition);
    }

    @Override
    public void speculated(Partition partition, SinglePartitionWork work, long begin) {
        if (changed(partition, begin)) {
            of(partition).note(work, begin);
        } else {
            work.takeNote(); // an execution that was undone may have left one
        }
    }

    @Override
    public long confirmed(Partition partition, SinglePartitionWork work, long commitTimestamp) {
        byte[] note = work.takeNote();
        return note == null ? position(partition) : of(partition).noted(note, commitTimestamp);
    }

    @Override
    public long committedAlone(
            Partition partition, @Nullable RequestOutcome outcome, long begin, long commitTimestamp) {
        return of(partition).values(outcome, begin, commitTimestamp);
    }

    @Override
    public long prepared(
            Partition partition,
            TransactionId transaction,
            int attempt,
            long begin,
            long proposedTimestamp,
            @Nullable PartitionId base) {
        Invariants.check(
                base != null || changed(partition, begin),
                "a participant that changed nothing prepares only for a decision in another log");
        return of(partition).prepare(transaction, attempt, begin, proposedTimestamp, base);
    }

    @Override
    public long decided(
            Partition partition,
            TransactionId transaction,
            int attempt,
            boolean commit,
            long commitTimestamp,
            @Nullable RequestOutcome outcome,
            List<PartitionId> participants) {
        return of(partition).decision(transaction, attempt, commit, commitTimestamp, outcome, participants);
    }

    @Override
    public void reconfigured(Partition partition, byte[] step, long timestamp) {
        of(partition).reconfigured(step, timestamp);
    }

    /**
     * Only what goes on elsewhere, or later, while a reader still reads can break a promise: not a database that is one
     * node's.
     */
    @Override
    public void promised(Partition partition, long timestamp) {
        PartitionLog written = of(partition);
        if (!written.hasPromised(timestamp) && failure() == null && replicas.isPrimary(partition)) {
            written.promise(timestamp, refusal() != null);
        }
    }

    @Override
    public long position(Partition partition) {
        return of(partition).lane().position();
    }

    long durablePosition(Partition partition) {
        return of(partition).lane().durablePosition();
    }

    public @Nullable FulmarException failure() {
        OperationLog bound = log;
        return bound == null ? null : bound.failure();
    }

    @Override
    public void turnEnded(Partition partition) {
        of(partition).offer();
        replicas.turnEnded(partition);
    }

    @Override
    public boolean keepsRecords() {
        return true;
    }

    /**
     * While the device is full, nothing leaves the lane, and whatever changes data is refused after it was executed. So
     * a partition behind a lane that is crowded goes on: what comes is told of the device, and does not wait for the
     * lane until its time is over. What is written without space all the same is small, and has the room of the lane
     * beyond the half until that is tight.
     */
    @Override
    public boolean isCrowded(Partition partition) {
        PartitionLogBuffer lane = of(partition).lane();
        return (refusal() == null ? lane.isCrowded() : lane.isTight())
                || failure() != null
                || replicas.isCrowded(partition);
    }

    @Override
    public @Nullable FulmarException refusal() {
        OperationLog bound = log;
        if (bound == null) {
            return null;
        }
        FulmarException failure = bound.failure();
        return failure != null ? failure : bound.shortage();
    }

    @Override
    public @Nullable FulmarException scarcity() {
        OperationLog bound = log;
        FulmarException refusal = refusal();
        return refusal != null || bound == null ? refusal : bound.scarcity();
    }
}
