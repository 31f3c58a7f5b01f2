package dev.fulmar.coordinator.portal;

import dev.fulmar.coordinator.request.ResponseSink;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.transaction.PortalReader;
import dev.fulmar.foundation.memory.ByteBudget;

/** Port to the database that reads for portals. Thread-safe. */
public interface PortalSource {
    /**
     * A reader of the query, which is planned and begins as soon as it may. The listener hears of a refusal.
     *
     * @param client for whom it reads: a query that nobody waits for is not planned
     * @param memory from which the reader takes a result that it holds
     */
    PortalReader open(
            TransactionRequest.AdHoc query, ResponseSink client, ByteBudget memory, PortalReader.Listener listener);

    /** Time that a fetch of the request may take. */
    long timeoutNanos(TransactionRequest request);
}
