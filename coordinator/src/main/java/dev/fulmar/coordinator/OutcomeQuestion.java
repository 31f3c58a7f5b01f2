package dev.fulmar.coordinator;

import dev.fulmar.coordinator.request.PassingSink;
import dev.fulmar.coordinator.request.ResponseSink;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.foundation.error.ErrorCode;
import java.util.function.BiConsumer;

/**
 * Sink of the question what became of a COMMIT. If the partitions say that there never will be one, it may have changed
 * the catalog: then the node that makes those changes is asked. Where they cannot tell, nobody else can.
 */
final class OutcomeQuestion extends PassingSink<TransactionRequest.Script> {
    private final BiConsumer<TransactionRequest.Script, ResponseSink> catalog;

    /** @param catalog asks that node, whose answer goes to the sink */
    OutcomeQuestion(
            TransactionRequest.Script question,
            ResponseSink sink,
            BiConsumer<TransactionRequest.Script, ResponseSink> catalog) {
        super(question, sink);
        this.catalog = catalog;
    }

    @Override
    public void respond(TransactionRequest asked, TransactionResponse response) {
        if (request.clientId() != 0
                && response instanceof TransactionResponse.Failed failed
                && failed.code() == ErrorCode.SERIALIZATION_FAILURE) {
            catalog.accept(request, sink);
        } else {
            sink.respond(request, response);
        }
    }
}
