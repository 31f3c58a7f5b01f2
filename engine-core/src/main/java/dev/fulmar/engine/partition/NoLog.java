package dev.fulmar.engine.partition;

import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.id.PartitionId;
import dev.fulmar.foundation.id.TransactionId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The log of a database without durability. */
record NoLog() implements CommandLog {
    @Override
    public long committed(Partition partition, SinglePartitionWork work, long begin, long commitTimestamp) {
        return 0;
    }

    @Override
    public void speculated(Partition partition, SinglePartitionWork work, long begin) {}

    @Override
    public long confirmed(Partition partition, SinglePartitionWork work, long commitTimestamp) {
        return 0;
    }

    @Override
    public long committedAlone(
            Partition partition, @Nullable RequestOutcome outcome, long begin, long commitTimestamp) {
        return 0;
    }

    @Override
    public long prepared(
            Partition partition,
            TransactionId transaction,
            int attempt,
            long begin,
            long proposedTimestamp,
            @Nullable PartitionId base) {
        return 0;
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
        return 0;
    }

    @Override
    public long position(Partition partition) {
        return 0;
    }

    @Override
    public boolean keepsRecords() {
        return false;
    }

    @Override
    public boolean isCrowded(Partition partition) {
        return false;
    }

    @Override
    public @Nullable FulmarException refusal() {
        return null;
    }
}
