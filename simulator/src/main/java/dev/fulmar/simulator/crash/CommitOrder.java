package dev.fulmar.simulator.crash;

import dev.fulmar.engine.partition.Partition;
import dev.fulmar.engine.partition.RequestOutcome;
import dev.fulmar.engine.partition.SinglePartitionWork;
import dev.fulmar.foundation.id.PartitionId;
import dev.fulmar.foundation.id.TransactionId;
import dev.fulmar.simulator.world.LogWatch;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Command log that records the commits of each partition in order, from which {@link Expectation} judges the tables
 * after a crash. A crash must leave a prefix of them.
 */
final class CommitOrder extends LogWatch {
    private final List<List<Commit>> commits = new ArrayList<>();
    private final Map<Integer, TransactionId> prepared = new TreeMap<>();
    private final Map<TransactionId, Long> requests = new TreeMap<>();

    /**
     * A commit on one partition.
     *
     * @param transaction null for one of this partition alone
     * @param request number of the request; 0 if it is not known
     */
    record Commit(@Nullable TransactionId transaction, long request) {}

    CommitOrder(int partitions) {
        for (int partition = 0; partition < partitions; partition++) {
            commits.add(new ArrayList<>());
        }
    }

    /** Commits of the partition so far, and at the end the transaction for which it voted and knows no decision. */
    List<Commit> order(int partition) {
        List<Commit> order = new ArrayList<>();
        for (Commit commit : commits.get(partition)) {
            order.add(known(commit));
        }
        TransactionId waiting = prepared.get(partition);
        if (waiting != null) {
            order.add(known(new Commit(waiting, 0)));
        }
        return order;
    }

    private Commit known(Commit commit) {
        TransactionId transaction = commit.transaction;
        Long request = transaction == null || commit.request != 0 ? null : requests.get(transaction);
        return request == null ? commit : new Commit(transaction, request);
    }

    private static int numberOf(Partition partition) {
        return partition.id().number();
    }

    private void add(Partition partition, @Nullable RequestOutcome outcome) {
        if (outcome != null) {
            commits.get(numberOf(partition)).add(new Commit(null, outcome.requestId()));
        }
    }

    @Override
    public long committed(Partition partition, SinglePartitionWork work, long begin, long commitTimestamp) {
        add(partition, work.outcome());
        return 0;
    }

    @Override
    public long confirmed(Partition partition, SinglePartitionWork work, long commitTimestamp) {
        add(partition, work.outcome());
        return 0;
    }

    @Override
    public long committedAlone(
            Partition partition, @Nullable RequestOutcome outcome, long begin, long commitTimestamp) {
        add(partition, outcome);
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
        prepared.put(numberOf(partition), transaction);
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
        prepared.remove(numberOf(partition));
        if (outcome != null) {
            requests.put(transaction, outcome.requestId());
        }
        if (commit) {
            commits.get(numberOf(partition)).add(new Commit(transaction, 0));
        }
        return 0;
    }
}
