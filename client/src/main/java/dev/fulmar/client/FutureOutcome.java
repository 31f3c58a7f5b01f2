package dev.fulmar.client;

import dev.fulmar.foundation.error.FulmarException;
import java.util.concurrent.CompletableFuture;

/** The outcome of a call as a future. */
final class FutureOutcome extends CompletableFuture<CallResult> implements CallHandler {
    @Override
    public void completed(CallResult result) {
        complete(result);
    }

    @Override
    public void failed(FulmarException error) {
        completeExceptionally(error);
    }
}
