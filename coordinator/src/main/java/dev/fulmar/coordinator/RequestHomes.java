package dev.fulmar.coordinator;

import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.routing.PartitionHomes;
import dev.fulmar.coordinator.routing.Spread;
import dev.fulmar.coordinator.transaction.IncomingRequest;
import dev.fulmar.coordinator.transaction.PartitionRuntime;
import dev.fulmar.coordinator.transaction.PartitionRuntimes;
import dev.fulmar.coordinator.transaction.RequestPassing;
import dev.fulmar.engine.partition.PartitionInbox;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;

/**
 * The partitions where requests without a key begin.
 *
 * @param homes which partitions this node serves
 * @param passing of requests with a key to the nodes that serve other ones
 */
record RequestHomes(PartitionRuntimes runtimes, PartitionHomes homes, RequestPassing passing) {
    /** The partition that remembers the client's requests over several partitions. */
    PartitionRuntime remembering(long clientId) {
        return runtimes.all().get(Spread.partition(clientId, runtimes.count()));
    }

    /** Whether this node serves that one. */
    boolean remembersHere(long clientId) {
        return homes.isHere(remembering(clientId).partition().id().number());
    }

    /** The same partition on any node, whenever the request is sent. */
    int spread(IncomingRequest incoming) {
        TransactionRequest request = incoming.request();
        long number = request.clientId() == 0 ? incoming.nanos() : request.clientId() * 31 + request.requestId();
        return Spread.partition(number, runtimes.count());
    }

    /** A partition of this node, if it serves any. */
    int any(IncomingRequest incoming) {
        int chosen = spread(incoming);
        for (int i = 0; i < runtimes.count(); i++) {
            int partition = (chosen + i) % runtimes.count();
            if (homes.isHere(partition)) {
                return partition;
            }
        }
        return chosen;
    }

    /** The partition of this node, unless so many requests wait for it that another one is refused. */
    PartitionRuntime withRoom(int partition) {
        PartitionRuntime runtime = runtimes.all().get(partition);
        PartitionInbox inbox = runtime.partition().inbox();
        if (!inbox.hasRoom()) {
            throw new FulmarException(
                    ErrorCode.SERVER_BUSY,
                    "partition " + inbox.partition() + " has " + inbox.depth()
                            + " requests waiting; send fewer at once, or again after a moment");
        }
        return runtime;
    }
}
