package dev.fulmar.coordinator.portal;

import dev.fulmar.coordinator.request.ResponseSink;
import dev.fulmar.coordinator.request.TransactionRequest;

/**
 * Port by which connections fetch results in parts. A client numbers its portals, and uses no number twice. Each answer
 * goes to the sink, which tells clients apart. A part is a table. The answer's value is 1 while the portal stays open,
 * and 0 with the last part. Thread-safe.
 */
public interface PortalRouter {
    /**
     * Opens a portal and answers its first part.
     *
     * @param rows of the first part at most
     */
    void open(long number, int rows, TransactionRequest.AdHoc query, ResponseSink sink);

    /** Answers the next part; requests for one portal are served in their order. */
    void fetch(long number, int rows, TransactionRequest request, ResponseSink sink);

    /** Closes the portal; nothing if it has ended. */
    void close(long number, TransactionRequest request, ResponseSink sink);
}
