package dev.fulmar.benchmarks.workload;

import dev.fulmar.client.CallResult;
import dev.fulmar.client.FulmarClient;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Keeps a bounded number of calls in flight, for loading. Used by one thread; the first failure ends the load. */
public final class PipelinedCalls {
    private final FulmarClient client;
    private final int inFlight;
    private final Semaphore free;
    private final AtomicLong completed = new AtomicLong();
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

    public PipelinedCalls(FulmarClient client, int inFlight) {
        this.client = client;
        this.inFlight = inFlight;
        free = new Semaphore(inFlight);
    }

    /** Sends a call, waiting for a free place. */
    public void call(String procedure, @Nullable Object... arguments) {
        free.acquireUninterruptibly();
        throwFailure();
        var _ = client.callAsync(procedure, arguments).whenComplete(this::done);
    }

    /** Waits for all calls. */
    public void drain() {
        free.acquireUninterruptibly(inFlight);
        free.release(inFlight);
        throwFailure();
    }

    /** Calls that have been answered. */
    public long completed() {
        return completed.get();
    }

    private void done(@Nullable CallResult result, @Nullable Throwable problem) {
        if (problem != null) {
            failure.compareAndSet(null, problem);
        }
        completed.incrementAndGet();
        free.release();
    }

    private void throwFailure() {
        Throwable problem = failure.get();
        if (problem != null) {
            throw new IllegalStateException("the load failed: " + problem.getMessage(), problem);
        }
    }
}
