package dev.fulmar.simulator.cluster;

import dev.fulmar.foundation.id.NodeId;

/**
 * Watches that the files of each node stay bounded. A node whose log or checkpoints grow without end would fill a real
 * device, and the memory of the campaign.
 */
final class DiskWatch {
    private static final long LOOK_NANOS = 500_000_000;

    /** More than a whole log, with checkpoints of the few rows of a run. */
    private static final long MOST_BYTES = 192L << 20;

    private final SimulatedCluster cluster;

    DiskWatch(SimulatedCluster cluster) {
        this.cluster = cluster;
    }

    /** Begins to watch. */
    void begin() {
        for (int number = 0; number < cluster.scenario().nodes(); number++) {
            NodeId node = cluster.idOf(number);
            long bytes = cluster.world().disk(node).usedBytes();
            if (bytes > MOST_BYTES) {
                cluster.violation("the files of " + node + " have grown to " + bytes + " bytes");
                return;
            }
        }
        cluster.world().schedule(LOOK_NANOS, "somebody looks at the disks", this::begin);
    }
}
