package dev.fulmar.coordinator.remote;

import dev.fulmar.foundation.id.NodeId;

/** The way to other nodes, for messages about transactions. Thread-safe, never blocks. */
@FunctionalInterface
public interface NodeSender {
    /** Longest message. */
    int MAX_MESSAGE_BYTES = 16 << 20;

    /**
     * Sends the message; whether it belongs to a session with the node. If so it arrives, or the session's loss is told.
     */
    boolean send(NodeId to, byte[] message);
}
