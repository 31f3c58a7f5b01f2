package dev.fulmar.coordinator;

import dev.fulmar.engine.partition.CommandLog;
import dev.fulmar.engine.partition.Partition;
import dev.fulmar.engine.partition.RequestOutcome;
import dev.fulmar.engine.partition.SinglePartitionWork;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.id.PartitionId;
import dev.fulmar.foundation.id.TransactionId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A command log with an observer, such as a verifier. The log's answers count. */
record WatchedLog(CommandLog log, CommandLog watcher) implements CommandLog {
    /** The log itself if there is no observer. */
    static CommandLog of(CommandLog log, CommandLog watcher) {
        return watcher.equals(CommandLog.none()) ? log : new WatchedLog(log, watcher);
    }

    @Override
    public long committed(Partition partition, SinglePartitionWork work, long begin, long commitTimestamp) {
        long position = log.committed(partition, work, begin, commitTimestamp);
        watcher.committed(partition, work, begin, commitTimestamp);
        return position;
    }

    @Override
    public void speculated(Partition partition, SinglePartitionWork work, long begin) {
        log.speculated(partition, work, begin);
        watcher.speculated(partition, work, begin);
    }

    @Override
    public long confirmed(Partition partition, SinglePartitionWork work, long commitTimestamp) {
        long position = log.confirmed(partition, work, commitTimestamp);
        watcher.confirmed(partition, work, commitTimestamp);
        return position;
    }

    @Override
    public long committedAlone(
            Partition partition, @Nullable RequestOutcome outcome, long begin, long commitTimestamp) {
        long position = log.committedAlone(partition, outcome, begin, commitTimestamp);
        watcher.committedAlone(partition, outcome, begin, commitTimestamp);
        return position;
    }

    @Override
    public long prepared(
            Partition partition,
            TransactionId transaction,
            int attempt,
            long begin,
            long proposedTimestamp,
            @Nullable PartitionId base) {
        long position = log.prepared(partition, transaction, attempt, begin, proposedTimestamp, base);
        watcher.prepared(partition, transaction, attempt, begin, proposedTimestamp, base);
        return position;
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
        long position = log.decided(partition, transaction, attempt, commit, commitTimestamp, outcome, participants);
        watcher.decided(partition, transaction, attempt, commit, commitTimestamp, outcome, participants);
        return position;
    }

    @Override
    public void reconfigured(Partition partition, byte[] step, long timestamp) {
        log.reconfigured(partition, step, timestamp);
        watcher.reconfigured(partition, step, timestamp);
    }

    @Override
    public void promised(Partition partition, long timestamp) {
        log.promised(partition, timestamp);
        watcher.promised(partition, timestamp);
    }

    @Override
    public long position(Partition partition) {
        return log.position(partition);
    }

    @Override
    public void turnEnded(Partition partition) {
        log.turnEnded(partition);
        watcher.turnEnded(partition);
    }

    @Override
    public boolean keepsRecords() {
        return log.keepsRecords();
    }

    @Override
    public boolean isCrowded(Partition partition) {
        return log.isCrowded(partition);
    }

    @Override
    public @Nullable FulmarException refusal() {
        return log.refusal();
    }

    @Override
    public @Nullable FulmarException scarcity() {
        return log.scarcity();
    }
}
