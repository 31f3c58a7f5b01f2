package dev.fulmar.simulator.world;

import dev.fulmar.coordinator.transaction.PartitionTransport;
import dev.fulmar.engine.partition.CoordinatorPort;
import dev.fulmar.engine.partition.PartitionMessage;
import dev.fulmar.engine.partition.PartitionMessage.Abandon;
import dev.fulmar.engine.partition.PartitionMessage.BaseDecision;
import dev.fulmar.engine.partition.PartitionMessage.Decision;
import dev.fulmar.engine.partition.PartitionMessage.FragmentBatch;
import dev.fulmar.engine.partition.PartitionMessage.Prepare;
import dev.fulmar.engine.partition.PartitionMessage.UndoStatements;
import dev.fulmar.engine.partition.PartitionTask;
import dev.fulmar.engine.partition.SinglePartitionWork;
import dev.fulmar.foundation.id.PartitionId;
import dev.fulmar.foundation.random.RandomSource;
import dev.fulmar.foundation.simulated.SimulatedProcess;
import java.util.TreeMap;

/**
 * A way to the partitions and back on which every message takes its time, as when the system takes a sender off its
 * core. Then one partition hears of a transaction long before another does. A coordinator has gone on when it hears an
 * answer that it asked for before. Messages to one partition keep their order, and so do those from one.
 */
final class DelayedTransport implements PartitionTransport {
    /** One message in so many is slow, so that the others pass a partition that waits for it. */
    private static final int SLOW_ONE_IN = 4;

    private final SimulatedProcess process;
    private final PartitionTransport way;
    private final int mostDelayNanos;
    private final RandomSource random;
    private final TreeMap<PartitionId, Long> arrivals = new TreeMap<>();
    private final TreeMap<PartitionId, Long> returns = new TreeMap<>();

    DelayedTransport(SimulatedProcess process, PartitionTransport way, int mostDelayNanos) {
        this.process = process;
        this.way = way;
        this.mostDelayNanos = mostDelayNanos;
        this.random = process.random().split("messages");
    }

    @Override
    public void send(PartitionId partition, PartitionMessage message) {
        PartitionMessage answeredLate = withWayBack(message);
        later(arrivals, partition, "message to ", () -> way.send(partition, answeredLate));
    }

    private PartitionMessage withWayBack(PartitionMessage message) {
        return switch (message) {
            case FragmentBatch(var transaction, int attempt, var coordinator, var work) ->
                new FragmentBatch(transaction, attempt, wayBack(coordinator), work);
            case Prepare(var transaction, int attempt, var coordinator, var mode, var outcome, var base, long read) ->
                new Prepare(transaction, attempt, wayBack(coordinator), mode, outcome, base, read);
            case Decision decision -> decision;
            case UndoStatements undo -> undo;
            case BaseDecision(
                    var transaction,
                    int attempt,
                    var coordinator,
                    long epoch,
                    long timestamp,
                    var outcome,
                    var participants) ->
                new BaseDecision(transaction, attempt, wayBack(coordinator), epoch, timestamp, outcome, participants);
            case Abandon abandon -> abandon;
            case SinglePartitionWork work -> work;
            case PartitionTask task -> task;
        };
    }

    private CoordinatorPort wayBack(CoordinatorPort coordinator) {
        return message -> later(returns, message.partition(), "message from ", () -> coordinator.deliver(message));
    }

    private void later(TreeMap<PartitionId, Long> latest, PartitionId partition, String label, Runnable arrival) {
        long nowNanos = process.clock().monotonicNanos();
        long delay = random.nextInt(SLOW_ONE_IN) == 0 ? random.nextInt(mostDelayNanos) : 1;
        long when = Math.max(nowNanos + delay, latest.getOrDefault(partition, 0L) + 1);
        latest.put(partition, when);
        process.execute(when - nowNanos, label + partition, arrival);
    }
}
