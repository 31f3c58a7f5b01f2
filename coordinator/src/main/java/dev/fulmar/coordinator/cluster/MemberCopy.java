package dev.fulmar.coordinator.cluster;

import dev.fulmar.coordinator.membership.leadership.Leadership;
import dev.fulmar.coordinator.membership.leadership.LeadershipEvent;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.id.PartitionId;
import java.nio.ByteBuffer;
import java.util.Set;

/**
 * Port by which {@link ClusterMember} lets this process's copy of a partition join, and notifies it of records, nodes,
 * messages and time. Every call may come on any thread and returns at once.
 */
public interface MemberCopy {
    PartitionId partition();

    /** The copy takes part from now on, with the others on these nodes. Called once, before anything else. */
    void join(Leadership.Self self, Set<NodeId> others);

    /** Something became known of the partition's record or of nodes. */
    void tell(LeadershipEvent event);

    /** The other nodes that have, or are to have, a copy. */
    void nodes(Set<NodeId> others);

    /**
     * A period is over; on one thread. Returns whether the copy is to have a turn for it, which the caller sees to: one
     * wake-up serves all copies of a thread.
     */
    boolean timePassed();

    /** Another node's copy sent this; the buffer is valid during the call. Fails if no copy sends such a thing. */
    void received(NodeId from, ByteBuffer message);
}
