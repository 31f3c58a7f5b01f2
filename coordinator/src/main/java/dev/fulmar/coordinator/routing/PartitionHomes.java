package dev.fulmar.coordinator.routing;

import dev.fulmar.coordinator.request.ResponseSink;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.foundation.check.Invariants;

/**
 * Port by which the router learns whether this node executes a partition's requests, and passes requests on to the node
 * that does. Thread-safe.
 */
public interface PartitionHomes {
    /** Where the partition's requests are executed now. */
    Route route(int partition);

    /** Whether this node executes the partition's requests now. */
    default boolean isHere(int partition) {
        return route(partition) == Route.LOCAL;
    }

    /** Whether this node serves all of so many partitions. */
    default boolean areAllHere(int partitions) {
        for (int partition = 0; partition < partitions; partition++) {
            if (!isHere(partition)) {
                return false;
            }
        }
        return true;
    }

    /** Whether no other node ever executes requests of the partitions. */
    default boolean stayHere() {
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
     * Whether this node knows all changes of the catalog that any client was told of; only then a missing object does
     * not exist.
     */
    default boolean knowsCatalog() {
        return true;
    }

    /**
     * Confirms that a request may be refused for an object that this node's catalog lacks. Only the node that makes the
     * changes of the catalog can say that there is no newer catalog. Either the refusal is run, once it is confirmed,
     * or another node takes the request over, or the client is told that it may send it again.
     */
    default void confirmRefusal(TransactionRequest request, ResponseSink sink, Runnable refusal) {
        refusal.run();
    }

    /** Takes a request over that another node has to execute; answers it, now or later. */
    void pass(int partition, TransactionRequest request, ResponseSink sink);

    /** Takes a change of the catalog over that another node has to make, see {@link #changesCatalog}; answers it. */
    default void passChange(TransactionRequest request, ResponseSink sink) {
        throw Invariants.breach("a node that makes the changes of the catalog passes none on");
    }

    /** Tells the node that has taken the request with the handle over that it shall end. */
    default void cancel(long clientId, long requestId) {}

    /** Tells the nodes that have taken requests of the sink over that their client is gone, as the sink says by now. */
    default void departed(ResponseSink sink) {}

    /** The homes of a database on one node. */
    static PartitionHomes allHere() {
        return new PartitionHomes() {
            @Override
            public Route route(int partition) {
                return Route.LOCAL;
            }

            @Override
            public boolean stayHere() {
                return true;
            }

            @Override
            public void pass(int partition, TransactionRequest request, ResponseSink sink) {
                throw new IllegalStateException("partition " + partition + " is here, as all are");
            }
        };
    }
}
