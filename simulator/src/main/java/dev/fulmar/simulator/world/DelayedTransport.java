package dev.fulmar.simulator.world;

import dev.fulmar.coordinator.transaction.PartitionTransport;
import dev.fulmar.engine.partition.PartitionMessage;
import dev.fulmar.foundation.id.PartitionId;
import dev.fulmar.foundation.random.RandomSource;
import dev.fulmar.foundation.simulated.SimulatedProcess;
import java.util.TreeMap;

/**
 * A way to the partitions on which every message takes its time, as when the system takes a sender off its core between two messages: then one partition
 * hears of a transaction long before another does. Messages to one partition keep their order.
 */
final class DelayedTransport implements PartitionTransport {
    /** One message in so many is slow, so that the others pass a partition that waits for it. */
    private static final int SLOW_ONE_IN = 4;

    private final SimulatedProcess process;
    private final PartitionTransport way;
    private final int mostDelayNanos;
    private final RandomSource random;
    private final TreeMap<PartitionId, Long> arrivals = new TreeMap<>();

    DelayedTransport(SimulatedProcess process, PartitionTransport way, int mostDelayNanos) {
        this.process = process;
        this.way = way;
        this.mostDelayNanos = mostDelayNanos;
        this.random = process.random().split("messages");
    }

    @Override
    public void send(PartitionId partition, PartitionMessage message) {
        long nowNanos = process.clock().monotonicNanos();
        long delay = random.nextInt(SLOW_ONE_IN) == 0 ? random.nextInt(mostDelayNanos) : 1;
        long arrival = Math.max(nowNanos + delay, arrivals.getOrDefault(partition, 0L) + 1);
        arrivals.put(partition, arrival);
        process.execute(arrival - nowNanos, "message to " + partition, () -> way.send(partition, message));
    }
}
