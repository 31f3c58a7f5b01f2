package dev.fulmar.coordinator.routing;

import dev.fulmar.coordinator.request.ResponseSink;
import dev.fulmar.coordinator.request.TransactionRequest;

/** Which partitions are served here, and where requests go for the others. Thread-safe. */
public interface PartitionHomes {
    /** Whether this node executes the partition's requests now. */
    boolean isHere(int partition);

    /**
     * Whether another node executes the partition's requests, and readers of snapshots that need not be the newest may
     * read its copy here.
     */
    default boolean readsCopy(int partition) {
        return false;
    }

    /** Whether this node's transactions bring changes of the catalog to the partition, rather than its log. */
    default boolean takesChanges(int partition) {
        return true;
    }

    /** Whether changes of the catalog are made here. */
    default boolean changesCatalog() {
        return true;
    }

    /**
     * Whether all changes of the catalog that anybody was told of are known here; what is not there is not there only
     * then.
     */
    default boolean knowsCatalog() {
        return true;
    }

    /**
     * Lets a request be refused, for something that it names is not in the catalog that this node knows: only what
     * makes the changes of the catalog can say that there is no newer one. Either the refusal is run, once it is
     * confirmed, or another node takes the request over, or it is answered that it may be sent again.
     */
    default void confirmRefusal(TransactionRequest request, ResponseSink sink, Runnable refusal) {
        refusal.run();
    }

    /** Takes a request over that another node has to execute; answers it, now or later. */
    void pass(int partition, TransactionRequest request, ResponseSink sink);

    /** Tells the node that has taken the request with the handle over that it shall end. */
    default void cancel(long clientId, long requestId) {}

    /** Tells the nodes that have taken requests of the sink over that their client is gone, as the sink says by now. */
    default void departed(ResponseSink sink) {}

    /** For a database on one node. */
    static PartitionHomes allHere() {
        return new PartitionHomes() {
            @Override
            public boolean isHere(int partition) {
                return true;
            }

            @Override
            public void pass(int partition, TransactionRequest request, ResponseSink sink) {
                throw new IllegalStateException("partition " + partition + " is here, as all are");
            }
        };
    }
}
