package dev.fulmar.coordinator.routing;

import dev.fulmar.coordinator.request.ResponseSink;
import dev.fulmar.coordinator.request.TransactionRequest;

/** Which partitions are served here, and where requests go for the others. Thread-safe. */
public interface PartitionHomes {
    /** Whether this node executes the partition's requests now; of the number behind the last partition, whether it changes the catalog. */
    boolean isHere(int partition);

    /** Whether this node's transactions bring changes of the catalog to the partition, rather than its log. */
    boolean takesChanges(int partition);

    /** Whether all changes of the catalog that anybody was told of are known here; what is not there is not there only then. */
    boolean knowsCatalog();

    /** Takes a request over that another node has to execute; answers it, now or later. */
    void pass(int partition, TransactionRequest request, ResponseSink sink);

    /** For a database on one node. */
    static PartitionHomes allHere() {
        return new PartitionHomes() {
            @Override
            public boolean isHere(int partition) {
                return true;
            }

            @Override
            public boolean takesChanges(int partition) {
                return true;
            }

            @Override
            public boolean knowsCatalog() {
                return true;
            }

            @Override
            public void pass(int partition, TransactionRequest request, ResponseSink sink) {
                throw new IllegalStateException("partition " + partition + " is here, as all are");
            }
        };
    }
}
