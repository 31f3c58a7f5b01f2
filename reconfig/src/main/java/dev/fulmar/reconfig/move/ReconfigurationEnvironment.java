package dev.fulmar.reconfig.move;

import dev.fulmar.coordinator.reconfiguration.DataGuards;
import dev.fulmar.coordinator.reconfiguration.ReconfigurationLog;
import dev.fulmar.coordinator.routing.PartitionPlans;
import dev.fulmar.engine.partition.counter.LatencyHistogram;
import dev.fulmar.foundation.random.RandomSource;
import dev.fulmar.foundation.schedule.Scheduler;
import dev.fulmar.foundation.time.Clock;
import dev.fulmar.reconfig.peer.Peers;
import java.util.function.Consumer;
import java.util.function.IntPredicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a database and its node that a reconfiguration works with.
 *
 * @param leads whether this node is the primary of the partition with the number
 * @param calls times of all calls on the partitions of this node so far
 * @param links the way to the other nodes of a cluster; null for a database on one node
 * @param random draws other numbers in each process
 * @param report told of what an operator should find in the log of the node
 */
public record ReconfigurationEnvironment(
        ReconfigurationLog log,
        DataGuards guards,
        PartitionPlans plans,
        IntPredicate leads,
        Supplier<LatencyHistogram> calls,
        Peers.@Nullable Links links,
        Scheduler scheduler,
        Clock clock,
        RandomSource random,
        Consumer<String> report) {}
