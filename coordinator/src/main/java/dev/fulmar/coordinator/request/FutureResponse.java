package dev.fulmar.coordinator.request;

import java.util.concurrent.CompletableFuture;

/** A sink for the answer to one request, for callers that wait. */
public final class FutureResponse implements ResponseSink {
    private final CompletableFuture<TransactionResponse> future = new CompletableFuture<>();

    @Override
    public void respond(TransactionRequest request, TransactionResponse response) {
        future.complete(response);
    }

    public CompletableFuture<TransactionResponse> future() {
        return future;
    }
}
