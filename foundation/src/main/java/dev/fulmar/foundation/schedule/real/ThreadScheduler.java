package dev.fulmar.foundation.schedule.real;

import dev.fulmar.foundation.failstop.FatalErrors;
import dev.fulmar.foundation.failstop.real.WatchedTimers;
import dev.fulmar.foundation.schedule.Scheduler;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs tasks on a daemon thread of its own. A task that throws is a defect, for whoever relied on it waits for ever:
 * what it threw reaches the thread's uncaught exception handler. Where that does not end the process the other tasks go
 * on.
 */
public final class ThreadScheduler implements Scheduler, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ThreadScheduler.class);
    private static final long CLOSE_TIMEOUT_SECONDS = 10;

    private final ScheduledThreadPoolExecutor executor;

    /** @param name name of the thread */
    public ThreadScheduler(String name) {
        executor = new WatchedTimers(Thread.ofPlatform().daemon().name(name).factory());
        executor.setRemoveOnCancelPolicy(true);
        executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    @Override
    public Timer schedule(long delayNanos, Runnable task) {
        Future<?> future = executor.schedule(() -> run(task), Math.max(0, delayNanos), TimeUnit.NANOSECONDS);
        return () -> future.cancel(false);
    }

    private void run(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException e) {
            if (executor.isShutdown()) {
                LOG.info("a scheduled task failed while its node stopped", e);
            } else {
                FatalErrors.hand(e);
            }
        }
    }

    /** Drops the tasks that are not due and waits for the one that runs. */
    @Override
    public void close() {
        executor.shutdown();
        try {
            if (!executor.awaitTermination(CLOSE_TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
                LOG.warn("A scheduled task still runs {} s after the scheduler was closed", CLOSE_TIMEOUT_SECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
