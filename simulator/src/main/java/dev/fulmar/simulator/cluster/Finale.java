package dev.fulmar.simulator.cluster;

import dev.fulmar.coordinator.durability.environment.DurabilityMode;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.random.RandomSource;
import java.util.ArrayList;
import java.util.List;

/**
 * Ends and restarts all nodes at the end of a run, so that the verdict finds an acknowledged commit that was lost. The
 * cluster is quiet before, with all copies in sync; all nodes end at once, and begin again one by one. Sometimes a
 * machine is replaced by an empty one meanwhile, which begins first or later.
 */
final class Finale {
    private static final long SECOND_NANOS = 1_000_000_000;
    private static final int MOST_BEGIN_NANOS = 2_100_000_000;
    private static final int EMPTY_ONE_IN = 3;

    private final SimulatedCluster cluster;
    private final RandomSource random;
    private final boolean happens;

    Finale(SimulatedCluster cluster) {
        this.cluster = cluster;
        this.random = cluster.world().random("finale");
        // Memory alone survives no end of all.
        this.happens = random.nextInt(2) == 0 && cluster.scenario().mode() != DurabilityMode.NONE;
    }

    /** Whether the run has one. */
    boolean happens() {
        return happens;
    }

    /**
     * Ends all processes, after what has been acknowledged had the time to reach the disks, and begins to start them.
     */
    void play() {
        cluster.world().runFor(SECOND_NANOS);
        List<NodeId> order = new ArrayList<>();
        cluster.nodes().forEach(node -> order.add(random.nextInt(order.size() + 1), node.node()));
        NodeId replaced = order.get(random.nextInt(order.size()));
        boolean isReplaced = random.nextInt(EMPTY_ONE_IN) == 0 && cluster.canSpare(replaced);
        boolean powerFails = cluster.keepsWhatItConfirms() && random.nextInt(2) == 0;
        cluster.note("all end");
        order.forEach(node -> cluster.kill(node, powerFails));
        if (isReplaced) {
            cluster.wipe(replaced);
        }
        long at = 0;
        for (NodeId node : order) {
            at += random.nextInt(MOST_BEGIN_NANOS / order.size());
            cluster.startLater(node, at);
        }
        cluster.probes().reached(ClusterPath.FINALE.name());
    }
}
