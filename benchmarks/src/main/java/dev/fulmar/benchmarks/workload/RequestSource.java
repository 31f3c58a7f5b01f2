package dev.fulmar.benchmarks.workload;

import dev.fulmar.client.CallResult;
import dev.fulmar.client.FulmarClient;
import java.util.concurrent.CompletableFuture;

/** Requests of one client, one after another. Not thread-safe: the next request is drawn after the last one's reply. */
public interface RequestSource {
    /** Draws the next request and sends it. */
    CompletableFuture<CallResult> send(FulmarClient client);

    /** Told the reply of the latest request, for sources that keep count of what was committed. */
    default void committed(CallResult result) {}
}
