package dev.fulmar.coordinator.replication;

import dev.fulmar.foundation.id.NodeId;
import java.nio.ByteBuffer;

/** Takes a partition's messages to other nodes' replicas of it. */
@FunctionalInterface
public interface ReplicaOutbox {
    /** Sends the parts as one message; they are copied before the call returns. What cannot be sent is lost. */
    void send(NodeId to, ByteBuffer... parts);
}
