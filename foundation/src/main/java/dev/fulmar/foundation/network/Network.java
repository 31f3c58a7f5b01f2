package dev.fulmar.foundation.network;

import dev.fulmar.foundation.id.NodeId;
import java.nio.ByteBuffer;

/**
 * Port by which a node sends messages to the other nodes, receives theirs, and learns of lost connections. Thread-safe;
 * no call blocks.
 */
public interface Network {
    /** Longest message, in bytes. */
    int MAX_MESSAGE_BYTES = 16 << 20;

    /** The node that this object speaks for. */
    NodeId self();

    /**
     * Sends the remaining bytes of all parts as one message. They are copied before the call returns, and the buffers
     * are left as they are.
     *
     * @return whether the message belongs to the link's session; if not it is lost, since there is no session to the
     *     node, or the one there was has just been ended because too much waited in it
     */
    boolean send(NodeId to, ByteBuffer... parts);

    /**
     * Whether so much waits to be sent to the node that senders which can wait should, until the link is reported free.
     * A sender that goes on regardless may end the session.
     */
    boolean isBusy(NodeId to);

    /**
     * Ends the session with the node, whose messages make no sense; there will be another one. Its end is told as any
     * other.
     */
    void endSession(NodeId node, String reason);

    /** Installs the receiver; replaces an earlier one. */
    void onMessage(Receiver receiver);

    /** Installs the listener; replaces an earlier one. */
    void onLink(LinkListener listener);

    /** Takes arriving messages, one at a time per sender. */
    @FunctionalInterface
    interface Receiver {
        /** The buffer is valid only during the call. */
        void received(NodeId from, ByteBuffer message);
    }

    /**
     * Listens to the sessions of links, per node in order with its messages: the link is up, messages arrive, the link
     * is lost. The node itself is always reached, and the listener hears nothing of it.
     */
    interface LinkListener {
        /** A session has begun: what is sent from now on arrives in order, or the session's loss is told. */
        void linkUp(NodeId node);

        /** The session has ended. What was sent and not answered may have arrived or not. */
        void linkLost(NodeId node);

        /** So little waits again that more may be sent. */
        default void linkFree(NodeId node) {}
    }
}
