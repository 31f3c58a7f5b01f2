package dev.fulmar.coordinator.portal;

import dev.fulmar.coordinator.request.ResponseSink;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.transaction.HeldSnapshot;
import dev.fulmar.coordinator.transaction.PortalReader;
import dev.fulmar.foundation.memory.ByteBudget;

/** Port to the database that reads snapshots for portals, and for transactions that only read. Thread-safe. */
public interface PortalSource {
    /**
     * A reader of the query, which is planned and begins as soon as it may. The listener hears of a refusal.
     *
     * @param client for whom it reads: a query that nobody waits for is not planned
     * @param memory from which the reader takes a result that it holds
     */
    PortalReader open(
            TransactionRequest.AdHoc query, ResponseSink client, ByteBudget memory, PortalReader.Listener listener);

    /**
     * A snapshot of everything that is held over several queries. It begins with the first one.
     *
     * @param micros time of its queries, since the epoch
     * @param seed of their random numbers
     * @param memory from which it takes results that it holds
     */
    HeldSnapshot hold(long micros, long seed, ByteBudget memory);

    /**
     * Has the query planned, checks that it may run in a transaction that only reads, and then asks the snapshot.
     *
     * @param cursor that it declares; 0 if its rows are the answer
     * @param sink for the answer, also that of a refusal
     */
    void ask(HeldSnapshot snapshot, TransactionRequest.AdHoc query, int cursor, ResponseSink sink);

    /** Time that a fetch of the request may take. */
    long timeoutNanos(TransactionRequest request);
}
