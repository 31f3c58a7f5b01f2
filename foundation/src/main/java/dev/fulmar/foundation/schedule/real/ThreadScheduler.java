package dev.fulmar.foundation.schedule.real;

import dev.fulmar.foundation.schedule.Scheduler;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs tasks on a daemon thread of its own. A task that throws is logged and hinders no other. */
public final class ThreadScheduler implements Scheduler, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ThreadScheduler.class);
    private static final long CLOSE_TIMEOUT_SECONDS = 10;

    private final ScheduledThreadPoolExecutor executor;

    /** @param name name of the thread */
    public ThreadScheduler(String name) {
        executor = new ScheduledThreadPoolExecutor(
                1, Thread.ofPlatform().daemon().name(name).factory());
        executor.setRemoveOnCancelPolicy(true);
        executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    @Override
    public Timer schedule(long delayNanos, Runnable task) {
        Future<?> future = executor.schedule(() -> runLogged(task), Math.max(0, delayNanos), TimeUnit.NANOSECONDS);
        return () -> future.cancel(false);
    }

    private static void runLogged(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException | Error e) {
            LOG.error("A scheduled task failed; please report this", e);
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
