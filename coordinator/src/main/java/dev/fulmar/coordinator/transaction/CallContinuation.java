package dev.fulmar.coordinator.transaction;

import org.jspecify.annotations.Nullable;

/**
 * Port by which a partition returns a single-partition call, to be routed again or to run as a multi-partition
 * transaction. Any thread.
 */
public interface CallContinuation {
    /** The catalog changed after the request was routed: it is routed again. */
    void reroute(IncomingRequest incoming);

    /**
     * The request becomes a multi-partition transaction.
     *
     * @param home partition that took it in and remembers it
     * @param underway the home's memory of it, or null if it keeps none
     */
    void distribute(IncomingRequest incoming, PartitionRuntime home, HandledRequest.@Nullable Underway underway);
}
