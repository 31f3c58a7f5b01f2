package dev.fulmar.coordinator.planning.real;

import dev.fulmar.coordinator.planning.PlannerThreads;
import dev.fulmar.foundation.agent.real.ThreadNiceness;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Threads of low priority, of which only some run at a time. The others wait: a statement that takes long steps aside for those that came after it, every few milliseconds, so a short one
 * need not wait for its end. Thread-safe.
 */
public final class LowPriorityPlanners implements PlannerThreads, AutoCloseable {
    /** Statements that may have stepped aside. */
    private static final int ASIDE = 3;

    /** How long a statement is planned while others wait. */
    private static final long QUANTUM_NANOS = 5_000_000;

    /** Planning recurses over the statement. */
    private static final long STACK_BYTES = 8 << 20;

    private static final long IDLE_SECONDS = 60;

    private final int count;

    /** Who holds a permit runs; fair, so that those that step aside come last. */
    private final Semaphore turns;

    private final ThreadPoolExecutor threads;
    private final AtomicInteger number = new AtomicInteger();

    /** When the running thread got its permit. */
    private final ThreadLocal<Long> sinceNanos = ThreadLocal.withInitial(System::nanoTime);

    /** @param running how many run at once at most */
    public LowPriorityPlanners(int running) {
        this.count = running + ASIDE;
        this.turns = new Semaphore(running, true);
        this.threads = new ThreadPoolExecutor(
                count, count, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), this::thread);
        threads.allowCoreThreadTimeOut(true);
    }

    private Thread thread(Runnable work) {
        Thread thread = new Thread(
                null,
                () -> {
                    ThreadNiceness.lowerCurrentThread();
                    work.run();
                },
                "fulmar-planner-" + number.incrementAndGet(),
                STACK_BYTES);
        thread.setDaemon(true);
        return thread;
    }

    @Override
    public int count() {
        return count;
    }

    @Override
    public void execute(Runnable planning) {
        threads.execute(() -> {
            turns.acquireUninterruptibly();
            try {
                sinceNanos.set(System.nanoTime());
                planning.run();
            } finally {
                turns.release();
            }
        });
    }

    @Override
    public void stepAside() {
        if (turns.hasQueuedThreads() && System.nanoTime() - sinceNanos.get() >= QUANTUM_NANOS) {
            turns.release();
            turns.acquireUninterruptibly();
            sinceNanos.set(System.nanoTime());
        }
    }

    /** Takes nothing more; what is under way goes on, and is no reason for the process to stay. */
    @Override
    public void close() {
        threads.shutdown();
    }
}
