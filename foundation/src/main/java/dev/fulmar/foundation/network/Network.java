package dev.fulmar.foundation.network;

import dev.fulmar.foundation.id.NodeId;
import java.nio.ByteBuffer;

/** One node's access to the others. Thread-safe. */
public interface Network {
    /** The node that this object speaks for. */
    NodeId self();

    /**
     * Sends the remaining bytes, which are copied before the call returns. Never blocks; a message to an unreachable
     * node is lost, which the receiver of a reply must expect anyway.
     */
    void send(NodeId to, ByteBuffer message);

    /** Installs the receiver; replaces an earlier one. */
    void onMessage(Receiver receiver);

    /** Takes arriving messages, one at a time per sender. */
    @FunctionalInterface
    interface Receiver {
        /** The buffer is valid only during the call. */
        void received(NodeId from, ByteBuffer message);
    }
}
