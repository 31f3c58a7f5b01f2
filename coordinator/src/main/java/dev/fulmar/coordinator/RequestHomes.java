package dev.fulmar.coordinator;

import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.routing.PartitionHomes;
import dev.fulmar.coordinator.routing.Spread;
import dev.fulmar.coordinator.transaction.IncomingRequest;
import dev.fulmar.coordinator.transaction.PartitionRuntime;
import dev.fulmar.coordinator.transaction.PartitionRuntimes;

/**
 * The partitions where requests without a key begin.
 *
 * @param homes which partitions this node serves
 */
record RequestHomes(PartitionRuntimes runtimes, PartitionHomes homes) {
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
}
