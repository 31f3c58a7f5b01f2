package dev.fulmar.coordinator.cluster;

import dev.fulmar.foundation.id.NodeId;
import java.util.UUID;

/** Port by which the member tells the network which nodes to reach. Calls return at once. */
public interface MemberLinks {
    /** For networks that reach everybody by themselves. */
    MemberLinks NONE = new MemberLinks() {
        @Override
        public void begin(UUID clusterId, long incarnation) {}

        @Override
        public void reach(NodeId node, String address, long incarnation) {}

        @Override
        public void forget(NodeId node) {}
    };

    /** The process has its place in this cluster. */
    void begin(UUID clusterId, long incarnation);

    /** The youngest process of the node that is known listens there. */
    void reach(NodeId node, String address, long incarnation);

    /** The node has left the cluster. */
    void forget(NodeId node);
}
