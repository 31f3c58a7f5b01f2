package dev.fulmar.coordinator.remote;

import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.network.Network;

/** Sender of messages about transactions to other nodes. Thread-safe, never blocks. */
@FunctionalInterface
public interface NodeSender {
    /** Longest message: one of the network begins with its channel. */
    int MAX_MESSAGE_BYTES = Network.MAX_MESSAGE_BYTES - 1;

    /**
     * Sends the message; whether it belongs to a session with the node. If so it arrives, or the session's loss is
     * told.
     */
    boolean send(NodeId to, byte[] message);
}
