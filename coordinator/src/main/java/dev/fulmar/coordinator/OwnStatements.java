package dev.fulmar.coordinator;

import dev.fulmar.coordinator.access.Caller;
import dev.fulmar.coordinator.change.ChangeHandle;
import dev.fulmar.coordinator.request.ReadConsistency;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.transaction.PortalReader;
import dev.fulmar.engine.spi.TemporaryMark;
import java.util.function.Consumer;

/** The ways to run statements of which a greater one of this node consists. */
interface OwnStatements {
    /** One that a request consists of; the rights that it needs were looked at with the request's. */
    static TransactionRequest.AdHoc of(TransactionRequest request, String text) {
        byte[] noParameters = new byte[Short.BYTES];
        // One that names a temporary table is one of its session; in others plain names are those of permanent tables.
        String schema = TemporaryMark.of(request.subject());
        boolean isOfSession = !schema.isEmpty()
                && text.contains(schema)
                && TemporaryMark.of(text).isEmpty();
        return new TransactionRequest.AdHoc(
                0,
                0,
                request.timeoutNanos(),
                ReadConsistency.DECLARED,
                isOfSession ? TemporaryMark.added(text, schema) : text,
                noParameters,
                Caller.TRUSTED);
    }

    /** Runs a statement wherever it can run. */
    void run(TransactionRequest.AdHoc statement, Consumer<TransactionResponse> then);

    /** Reads the rows of a query at one snapshot, which has all that was acknowledged before, part by part. */
    FetchedParts.Source read(TransactionRequest.AdHoc query, PortalReader.Listener listener);

    /**
     * Changes the catalog by this node or not at all: a node that has taken the changes over also ends what this one
     * has begun.
     */
    void change(TransactionRequest.AdHoc statement, ChangeHandle handle, Consumer<TransactionResponse> then);
}
