package dev.fulmar.simulator.world;

import dev.fulmar.engine.partition.Partition;
import dev.fulmar.engine.partition.RequestOutcome;
import dev.fulmar.engine.partition.SinglePartitionWork;
import dev.fulmar.foundation.id.PartitionId;
import dev.fulmar.foundation.id.TransactionId;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Watches the timestamps of commits at the port of the command log. Each exceeds every earlier one of its partition.
 * That of a multi-partition transaction is the same everywhere, and no participant's proposal is above it.
 */
public final class TimestampWatch extends LogWatch {
    private static final int MAX_BREACHES = 20;

    private final boolean recording;
    private final TreeMap<PartitionId, Long> last = new TreeMap<>();
    private final TreeMap<PartitionId, Long> proposals = new TreeMap<>();
    private final TreeMap<TransactionId, Long> decided = new TreeMap<>();
    private final List<String> breaches = new ArrayList<>();

    /** @param recording whether partitions shall behave as if this were a log that keeps what it is told */
    public TimestampWatch(boolean recording) {
        this.recording = recording;
    }

    /** Breaches so far. */
    public List<String> breaches() {
        return List.copyOf(breaches);
    }

    @Override
    public long committed(Partition partition, SinglePartitionWork work, long begin, long commitTimestamp) {
        rises(partition, commitTimestamp);
        return 0;
    }

    @Override
    public long confirmed(Partition partition, SinglePartitionWork work, long commitTimestamp) {
        rises(partition, commitTimestamp);
        return 0;
    }

    @Override
    public long committedAlone(
            Partition partition, @Nullable RequestOutcome outcome, long begin, long commitTimestamp) {
        rises(partition, commitTimestamp);
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
        proposals.put(partition.id(), proposedTimestamp);
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
        Long proposal = proposals.remove(partition.id());
        if (!commit) {
            return 0;
        }
        rises(partition, commitTimestamp);
        if (proposal != null && proposal > commitTimestamp) {
            breach(transaction + " commits at " + commitTimestamp + ", below the proposal " + proposal
                    + " of partition " + partition.id());
        }
        Long elsewhere = decided.putIfAbsent(transaction, commitTimestamp);
        if (elsewhere != null && elsewhere != commitTimestamp) {
            breach(transaction + " commits at " + commitTimestamp + " and at " + elsewhere);
        }
        return 0;
    }

    private void rises(Partition partition, long commitTimestamp) {
        Long before = last.put(partition.id(), commitTimestamp);
        if (before != null && commitTimestamp <= before) {
            breach("partition " + partition.id() + " commits at " + commitTimestamp + " after " + before);
        }
    }

    private void breach(String text) {
        if (breaches.size() < MAX_BREACHES) {
            breaches.add(text);
        }
    }

    @Override
    public boolean keepsRecords() {
        return recording;
    }
}
