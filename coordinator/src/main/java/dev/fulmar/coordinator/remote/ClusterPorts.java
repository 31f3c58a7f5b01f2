package dev.fulmar.coordinator.remote;

import dev.fulmar.foundation.network.Network;
import java.nio.ByteBuffer;

/**
 * What a database needs from the cluster that it is part of.
 *
 * @param primaries who leads which partition
 * @param sender the way to other nodes
 */
public record ClusterPorts(PrimaryMap primaries, NodeSender sender) {
    /** Over the channel of transactions, whose messages and sessions must be {@linkplain RemoteTransactions#listenTo listened to}. */
    public static ClusterPorts over(Network channel, PrimaryMap primaries) {
        return new ClusterPorts(primaries, (to, message) -> channel.send(to, ByteBuffer.wrap(message)));
    }
}
