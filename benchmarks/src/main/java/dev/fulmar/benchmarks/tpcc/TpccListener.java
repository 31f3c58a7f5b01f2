package dev.fulmar.benchmarks.tpcc;

import dev.fulmar.client.CallResult;
import java.util.concurrent.CompletableFuture;

/** Listener for the requests of a TPC-C load. Thread-safe. */
@FunctionalInterface
public interface TpccListener {
    /** The request is sent, and its reply will come or has come. Called by the thread that sends. */
    void sent(TpccCall call, CompletableFuture<CallResult> reply);
}
