package dev.fulmar.foundation.failstop.real;

import dev.fulmar.foundation.failstop.FatalErrors;
import java.util.concurrent.Future;
import java.util.concurrent.RunnableScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;

/**
 * One thread for tasks at times. A JDK executor keeps what a task threw for somebody who asks, and mostly nobody does:
 * here an {@link Error} reaches the thread's uncaught exception handler, and so does whatever ended a task that was to
 * be repeated.
 */
public final class WatchedTimers extends ScheduledThreadPoolExecutor {
    public WatchedTimers(ThreadFactory threads) {
        super(1, threads);
    }

    @Override
    protected void afterExecute(Runnable task, @Nullable Throwable thrown) {
        super.afterExecute(task, thrown);
        if (task instanceof Future<?> future && future.state() == Future.State.FAILED) {
            Throwable failure = future.exceptionNow();
            boolean isRepeated = task instanceof RunnableScheduledFuture<?> scheduled && scheduled.isPeriodic();
            if (failure instanceof Error || (isRepeated && !isShutdown())) {
                FatalErrors.hand(failure);
            }
        }
    }
}
