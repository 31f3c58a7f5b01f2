package dev.fulmar.coordinator.participation;

import dev.fulmar.coordinator.membership.ClusterRecord;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.id.PartitionId;

/**
 * Listener that {@link ClusterParticipation} notifies when the process is enrolled, must stop, rebuilds a copy, or
 * needs an operator. Calls come on any thread.
 */
public interface ParticipationListener {
    /** The process has its place; its copies take part from {@link ClusterParticipation#begin} on. Once. */
    void enrolled(ClusterRecord cluster, long incarnation);

    /** The process must stop; the message says why and what to do. Nothing comes after it. */
    void refused(FulmarException reason);

    /** A copy here cannot follow the primary and is built anew; nothing is to be done unless it repeats. */
    void rebuilds(PartitionId partition, NodeId primary);

    /** An operator must act, and says how; the process goes on. */
    void complaint(String message);
}
