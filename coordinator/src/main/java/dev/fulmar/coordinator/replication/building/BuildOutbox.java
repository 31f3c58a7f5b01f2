package dev.fulmar.coordinator.replication.building;

import dev.fulmar.foundation.id.NodeId;
import java.nio.ByteBuffer;

/** Takes messages of builds to other nodes. For any thread. */
public interface BuildOutbox {
    /** Sends the parts as one message; they are copied before the call returns. A message that fails is lost. */
    void send(NodeId to, ByteBuffer... parts);

    /** Ends the link to a node whose messages make no sense. */
    void endLink(NodeId node, String reason);
}
