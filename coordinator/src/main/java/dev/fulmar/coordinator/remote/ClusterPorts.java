package dev.fulmar.coordinator.remote;

import dev.fulmar.coordinator.cluster.Topology;
import dev.fulmar.coordinator.durability.replica.PartitionReplicas;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.check.Probes;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.network.Network;
import java.nio.ByteBuffer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Ports of a database to the cluster that it is part of.
 *
 * @param primaries map of the partitions' primaries, given the database's copies if its partitions have copies on
 *     several nodes
 * @param sender the way to other nodes
 * @param probes hears of steps that are rare
 */
public record ClusterPorts(
        Function<@Nullable PartitionReplicas, PrimaryMap> primaries, NodeSender sender, Probes probes) {
    /** For a database without copies. */
    public ClusterPorts(PrimaryMap primaries, NodeSender sender) {
        this(copies -> primaries, sender, Probes.NONE);
    }

    /**
     * Over the channel of transactions, whose messages and sessions must be
     * {@linkplain RemoteTransactions#listenTo listened to}, for a database with copies.
     *
     * @param topology what is known of other nodes' partitions; null while that is nothing
     */
    public static ClusterPorts over(Network channel, Supplier<@Nullable Topology> topology, Probes probes) {
        NodeId self = channel.self();
        return new ClusterPorts(
                copies -> {
                    if (copies == null) {
                        throw Invariants.breach("the database has copies on several nodes");
                    }
                    return new CopyPrimaries(self, copies, topology);
                },
                (to, message) -> channel.send(to, ByteBuffer.wrap(message)),
                probes);
    }
}
