package dev.fulmar.benchmarks.workload;

import dev.fulmar.client.CallHandler;
import dev.fulmar.client.CallResult;
import dev.fulmar.client.FulmarClient;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.concurrent.CompletableFuture;

/** Requests of one client, one after another. Not thread-safe: the next request is drawn after the last one's reply. */
public interface RequestSource {
    /** Draws the next request and sends it. */
    CompletableFuture<CallResult> send(FulmarClient client);

    /**
     * As the other, for a caller that needs no future; the handler is told exactly once, perhaps before this returns.
     */
    default void send(FulmarClient client, CallHandler handler) {
        var _ = send(client).whenComplete((result, problem) -> {
            if (result != null) {
                handler.completed(result);
            } else {
                handler.failed(
                        problem instanceof FulmarException known
                                ? known
                                : new FulmarException(ErrorCode.INTERNAL, String.valueOf(problem), problem));
            }
        });
    }

    /** The latest request has committed; for sources that keep count of commits. */
    default void committed(CallResult result) {}
}
