package dev.fulmar.coordinator.membership;

/** State of a node's session with the store, as far as the node knows. */
public enum SessionState {
    /** The store answers. After {@link #LOST} it is a new session, in which nothing is announced yet. */
    CONNECTED,
    /**
     * The store does not answer. The session, and the presence in it, may end at any moment without this node noticing.
     */
    SUSPENDED,
    /** The session is gone; others may count this node as dead. */
    LOST
}
