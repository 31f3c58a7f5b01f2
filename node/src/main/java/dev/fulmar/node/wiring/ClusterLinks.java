package dev.fulmar.node.wiring;

import dev.fulmar.coordinator.cluster.MemberLinks;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.network.real.TcpNetwork;
import dev.fulmar.wire.address.HostAddress;
import java.net.InetSocketAddress;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Notifies the TCP links of the nodes that they have to reach. */
record ClusterLinks(TcpNetwork network) implements MemberLinks {
    private static final Logger LOG = LoggerFactory.getLogger(ClusterLinks.class);

    @Override
    public void begin(UUID clusterId, long incarnation) {
        network.begin(clusterId, incarnation);
    }

    @Override
    public void reach(NodeId node, String address, long incarnation) {
        try {
            HostAddress parsed = HostAddress.parse(address);
            network.reach(node, InetSocketAddress.createUnresolved(parsed.host(), parsed.port()), incarnation);
        } catch (FulmarException e) {
            LOG.warn("{} cannot be reached: {}", node, e.getMessage());
        }
    }

    @Override
    public void forget(NodeId node) {
        network.forget(node);
    }
}
