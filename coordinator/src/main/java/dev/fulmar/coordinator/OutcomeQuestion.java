package dev.fulmar.coordinator;

import dev.fulmar.coordinator.request.ResponseSink;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.ErrorCode.Category;

/**
 * Sink of the question what became of a COMMIT. If the partitions know of none, it may have changed the catalog: then
 * the node that makes those changes is asked.
 */
record OutcomeQuestion(TransactionRequest.Script question, ResponseSink sink, ScriptChanges changes)
        implements ResponseSink {
    @Override
    public void respond(TransactionRequest request, TransactionResponse response) {
        if (question.clientId() != 0
                && response instanceof TransactionResponse.Failed failed
                && isOpen(failed.code())) {
            changes.ask(question, sink);
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

    private static boolean isOpen(ErrorCode code) {
        return code == ErrorCode.SERIALIZATION_FAILURE || code.category() == Category.INTERNAL;
    }
}
