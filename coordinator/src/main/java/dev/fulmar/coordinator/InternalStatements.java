package dev.fulmar.coordinator;

import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.routing.TransactionRouter;
import dev.fulmar.foundation.data.ParameterWriter;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/** Statements that a database sends to itself: no client waits for them, and none is tried again. Any thread. */
record InternalStatements(TransactionRouter router) {
    /** Runs a statement without parameters; the answer comes once. */
    void run(String sql, Consumer<TransactionResponse> ended) {
        ParameterWriter none = new ParameterWriter(Long.BYTES, Long.BYTES);
        none.begin();
        none.end();
        router.submit(
                new TransactionRequest.AdHoc(0, 0, 0, sql, none.toByteArray()),
                (request, response) -> ended.accept(response));
    }

    /** Changes rows by a statement; the count of rows comes once, -1 if the statement failed. */
    void change(String sql, LongConsumer ended) {
        run(sql, response -> ended.accept(response instanceof TransactionResponse.Committed done ? done.value() : -1));
    }
}
