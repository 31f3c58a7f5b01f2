package dev.fulmar.coordinator.routing;

/** Answer of routing: where a partition's requests are executed, as this node knows it. */
public enum Route {
    /** This node leads the partition. */
    LOCAL,
    /**
     * Another node leads it. Readers of snapshots that need not be the newest may read this node's copy; all else is
     * passed on.
     */
    COPY,
    /** Another node leads it, or the node is not known: requests are passed on, or refused there. */
    ELSEWHERE
}
