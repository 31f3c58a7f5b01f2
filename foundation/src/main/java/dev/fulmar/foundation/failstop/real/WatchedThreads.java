package dev.fulmar.foundation.failstop.real;

import dev.fulmar.foundation.failstop.FatalErrors;
import java.util.concurrent.ThreadFactory;
import java.util.function.BooleanSupplier;

/**
 * Makes threads that run as long as their owner: a thread that ends earlier, even in order, is a defect. Event loops of
 * Netty catch the errors that kill them, and end as if they had been told to. Thread-safe.
 */
public final class WatchedThreads {
    private WatchedThreads() {}

    /**
     * @param threads makes the threads
     * @param isToEnd whether the owner has told its threads to end
     */
    public static ThreadFactory of(ThreadFactory threads, BooleanSupplier isToEnd) {
        return body -> threads.newThread(() -> {
            body.run();
            if (!isToEnd.getAsBoolean()) {
                FatalErrors.hand(new IllegalStateException("a thread that others rely on has ended by itself"));
            }
        });
    }
}
