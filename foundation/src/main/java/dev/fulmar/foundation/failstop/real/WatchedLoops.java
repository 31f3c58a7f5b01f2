package dev.fulmar.foundation.failstop.real;

import dev.fulmar.foundation.failstop.FatalErrors;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * Thread factory for a library's executors of endless tasks; its watch ends the process when a thread has lost its
 * task. Each thread gets one task as soon as it runs. A JDK executor keeps what ended such a task in a future, which
 * the library never reads, and the thread lives on without its task: the stack alone tells. Invariant: from the begin
 * of the watch to the close, the process ends soon after a thread made here has no task. Thread-safe.
 */
public final class WatchedLoops implements ThreadFactory, AutoCloseable {
    private static final Duration INTERVAL = Duration.ofMillis(500);
    private static final String TASK = FutureTask.class.getName();

    private final String name;
    private final Duration interval;
    private final Consumer<Throwable> end;
    private final List<Thread> threads = new CopyOnWriteArrayList<>();
    private final AtomicInteger count = new AtomicInteger();
    private final CountDownLatch closed = new CountDownLatch(1);

    /**
     * @param name of the threads, to which each adds a number
     */
    public WatchedLoops(String name) {
        this(name, INTERVAL, FatalErrors::hand);
    }

    WatchedLoops(String name, Duration interval, Consumer<Throwable> end) {
        this.name = name;
        this.interval = interval;
        this.end = end;
    }

    @Override
    public Thread newThread(Runnable worker) {
        Thread made = Thread.ofPlatform()
                .daemon()
                .name(name + "-" + count.incrementAndGet())
                .unstarted(worker);
        threads.add(made);
        return made;
    }

    /** Begins to look at the threads, those that are made later included. */
    public void watch() {
        Thread.ofPlatform().daemon().name(name + "-watch").start(this::lookAgainAndAgain);
    }

    private void lookAgainAndAgain() {
        try {
            Set<Thread> idle = Set.of();
            while (!closed.await(interval.toNanos(), TimeUnit.NANOSECONDS)) {
                idle = look(idle);
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException("a watch that was interrupted would let threads die unnoticed", e);
        }
    }

    /** Once is not enough: a thread that is just starting has no task yet. */
    private Set<Thread> look(Set<Thread> idleBefore) {
        Set<Thread> idle = new HashSet<>();
        for (Thread thread : threads) {
            if (!hasTask(thread)) {
                idle.add(thread);
                if (idleBefore.contains(thread) && closed.getCount() > 0) {
                    end.accept(new IllegalStateException("the task of thread " + thread.getName()
                            + " has ended, though it was to run as long as the node does"));
                }
            }
        }
        return idle;
    }

    private static boolean hasTask(Thread thread) {
        for (StackTraceElement frame : thread.getStackTrace()) {
            if (frame.getClassName().equals(TASK)) {
                return true;
            }
        }
        return false;
    }

    /** Ends the watch; then the tasks may end. */
    @Override
    public void close() {
        closed.countDown();
    }
}
