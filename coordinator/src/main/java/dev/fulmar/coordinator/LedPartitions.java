package dev.fulmar.coordinator;

import dev.fulmar.coordinator.remote.PrimaryMap;
import dev.fulmar.coordinator.request.ResponseSink;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse.Failed;
import dev.fulmar.coordinator.routing.PartitionHomes;
import dev.fulmar.coordinator.routing.Route;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.id.PartitionId;

/**
 * Routes requests in a cluster without backups: those for partitions that this node leads stay, others are refused. The
 * refusal advises the client to ask another node.
 */
record LedPartitions(PrimaryMap primaries) implements PartitionHomes {
    @Override
    public Route route(int partition) {
        return primaries.isOwn(new PartitionId(partition)) ? Route.LOCAL : Route.ELSEWHERE;
    }

    @Override
    public void pass(int partition, TransactionRequest request, ResponseSink sink) {
        sink.respond(
                request,
                new Failed(
                        ErrorCode.WRONG_NODE, "this node does not lead partition " + partition + "; ask another one"));
        sink.flush();
    }
}
