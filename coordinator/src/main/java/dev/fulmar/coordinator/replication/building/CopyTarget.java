package dev.fulmar.coordinator.replication.building;

import dev.fulmar.coordinator.membership.CopyId;
import dev.fulmar.coordinator.replication.CopyState;
import dev.fulmar.foundation.id.NodeId;

/** Target of a build: a partition's place on a node, where a copy is built. For the partition's thread. */
public interface CopyTarget {
    /** Hears what becomes of a copy, on the partition's thread, never within a call. */
    interface Listener {
        /**
         * The copy is whole and as durable as the database asks. It joins with this state, and says
         * {@link CopyTarget#follows} once it does.
         */
        void built(CopyState state);

        /** The copy came to nothing; another life may be begun, from the same or another source. */
        void failed(CopyId copy, String reason);
    }

    /**
     * Gives up what is here, durably if something durable is here, and begins to build a copy.
     *
     * @param copy of a life that no copy here ever had
     * @param source the node that leads the partition
     */
    void build(CopyId copy, NodeId source);

    /** Gives up the copy that is being built, if one is. */
    void giveUp();

    /** The copy that was built gets the log: the source need not keep it for this copy any longer. */
    void follows();

    /** Whether a copy is being built. */
    boolean isBuilding();
}
