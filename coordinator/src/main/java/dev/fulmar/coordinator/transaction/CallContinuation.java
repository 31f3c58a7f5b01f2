package dev.fulmar.coordinator.transaction;

import org.jspecify.annotations.Nullable;

/** The continuation of a call that cannot end on its partition. Any thread. */
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
