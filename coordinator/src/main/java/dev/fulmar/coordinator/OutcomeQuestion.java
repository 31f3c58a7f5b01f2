package dev.fulmar.coordinator;

import dev.fulmar.coordinator.request.ResponseSink;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.foundation.error.ErrorCode;
import java.util.function.BiConsumer;

/**
 * Sink of the question what became of a COMMIT. If the partitions say that there never will be one, it may have changed
 * the catalog: then the node that makes those changes is asked. Where they cannot tell, nobody else can.
 *
 * @param catalog asks that node, whose answer goes to the sink
 */
record OutcomeQuestion(
        TransactionRequest.Script question,
        ResponseSink sink,
        BiConsumer<TransactionRequest.Script, ResponseSink> catalog)
        implements ResponseSink {
    @Override
    public void respond(TransactionRequest request, TransactionResponse response) {
        if (question.clientId() != 0
                && response instanceof TransactionResponse.Failed failed
                && failed.code() == ErrorCode.SERIALIZATION_FAILURE) {
            catalog.accept(question, sink);
        } else {
            sink.respond(question, response);
        }
    }

    @Override
    public boolean reserve(TransactionRequest request, long bytes) {
        return sink.reserve(question, bytes);
    }

    @Override
    public boolean isGone() {
        return sink.isGone();
    }

    @Override
    public void flush() {
        sink.flush();
    }
}
