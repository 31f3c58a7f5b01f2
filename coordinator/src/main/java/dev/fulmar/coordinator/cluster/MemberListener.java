package dev.fulmar.coordinator.cluster;

import dev.fulmar.coordinator.membership.ClusterRecord;

/**
 * Listener that is notified when this process is enrolled in its cluster, must stop, or needs an operator. Called on
 * the member's thread.
 */
public interface MemberListener {
    /** The process has its place: it may serve copies from now on. Once. */
    void enrolled(ClusterRecord cluster, long incarnation);

    /** The process must stop; the message says why and what to do. Nothing comes after it. */
    void refused(String message);

    /** An operator must act, and says how; the process goes on. */
    void complaint(String message);
}
