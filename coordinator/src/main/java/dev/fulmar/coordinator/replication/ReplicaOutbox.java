package dev.fulmar.coordinator.replication;

import dev.fulmar.foundation.id.NodeId;
import java.nio.ByteBuffer;

/** Sends a partition's messages to its replicas on other nodes. */
@FunctionalInterface
public interface ReplicaOutbox {
    /** Sends the parts as one message; they are copied before the call returns. A message that fails is lost. */
    void send(NodeId to, ByteBuffer... parts);
}
