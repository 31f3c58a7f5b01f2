package dev.fulmar.coordinator.durability.replica;

import dev.fulmar.coordinator.durability.recovery.InDoubtResolver;
import dev.fulmar.coordinator.replication.PrimaryReplication;
import dev.fulmar.coordinator.replication.RecordStore;
import dev.fulmar.coordinator.request.ResponseSink;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.foundation.check.Probes;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.id.PartitionId;
import java.nio.ByteBuffer;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Services and limits that a node gives a database with copies on several nodes.
 *
 * @param stores where a partition's record is; a store may be called on any thread, and tell the end of a change on any
 * @param elsewhere takes the requests that another node has to execute
 * @param refused hears of a node that sent what no replica sends: its session must end
 * @param complaints takes what an operator must know
 * @param limits how much is under way between copies
 * @param memoryBytes records of each partition that are kept for copies to be sent
 */
public record ReplicationEnvironment(
        Outbox outbox,
        Function<PartitionId, RecordStore> stores,
        Elsewhere elsewhere,
        CopyBuilder builder,
        InDoubtResolver doubts,
        BiConsumer<NodeId, FulmarException> refused,
        Consumer<String> complaints,
        PrimaryReplication.Limits limits,
        long memoryBytes,
        Probes probes) {
    /** Sends messages to the copies on other nodes, for {@link PartitionReplicas#received} there. */
    @FunctionalInterface
    public interface Outbox {
        /** Sends the parts, which are copied before the call returns, as one message. A message that fails is lost. */
        void send(NodeId to, ByteBuffer... parts);
    }

    /** Takes requests to the node that serves their partition. */
    @FunctionalInterface
    public interface Elsewhere {
        /** Answers the request, now or later. */
        void pass(PartitionId partition, TransactionRequest request, ResponseSink sink);

        /** Tells the node that the request with the handle went to that it shall end. */
        default void cancel(long clientId, long requestId) {}

        /** Tells the nodes where requests of the sink are executed that their client is gone. */
        default void departed(ResponseSink sink) {}
    }
}
