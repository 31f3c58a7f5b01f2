package dev.fulmar.coordinator.planning.real;

import dev.fulmar.coordinator.planning.PlannerThreads;
import dev.fulmar.foundation.agent.real.ThreadNiceness;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.lang.management.ManagementFactory;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/**
 * Planner threads of low priority, of which only some run at a time. A statement that takes long gives way twice. It
 * steps aside for statements that came after it, every few milliseconds, so a short one need not wait for its end. And
 * while the partitions have work it rests most of the time. A priority keeps cores free, but not the memory's
 * bandwidth, and the garbage of planning makes all threads wait for the collector. The JVM's compilers take more of a
 * core for the planner's code than the planner itself, so they give way as well once plannings in vain are usual. There
 * is no way back, and compilers that give way leave the code of all transactions slow for long. So plannings that are
 * done must not count, however long the first ones of a process take. Thread-safe.
 */
public final class LowPriorityPlanners implements PlannerThreads, AutoCloseable {
    /** Statements that may have stepped aside. */
    private static final int ASIDE = 3;

    /** Time for which a statement is planned while others wait. */
    private static final long QUANTUM_NANOS = 5_000_000;

    /** A planning that has taken this long takes long. */
    private static final long LONG_NANOS = 50_000_000;

    /** Time for which a long planning runs before it rests. */
    private static final long SLICE_NANOS = 1_000_000;

    /** Time for which it rests then: so all long plannings have a tenth of their threads. */
    private static final long REST_NANOS = 9_000_000;

    /**
     * Time for which a long planning runs before another one goes on. Not shorter: the garbage of both is in memory
     * meanwhile.
     */
    private static final long SLOW_QUANTUM_NANOS = 100_000_000;

    /** Processor time that plannings take together which are ended, before the JVM's compilers give way too. */
    private static final long MUCH_NANOS = 1_000_000_000;

    /** Time that a planning waits for its turn before it checks whether its time is over. */
    private static final long WAIT_NANOS = 10_000_000;

    /** Planning recurses over the statement. */
    private static final long STACK_BYTES = 8 << 20;

    private static final long IDLE_SECONDS = 60;

    private final int count;
    private final LongSupplier work;
    private final LongConsumer rest;
    private final LongSupplier processorNanos;
    private final Runnable onMuch;
    private final AtomicLong vainNanos = new AtomicLong();

    /** A planning that holds a permit runs; fair, so that those that step aside come last. */
    private final Semaphore turns;

    /** A planning that takes long holds one of these too, while it runs and while it rests. */
    private final Semaphore slowTurns;

    private final ThreadPoolExecutor threads;
    private final AtomicInteger number = new AtomicInteger();
    private final AtomicInteger underWay = new AtomicInteger();
    private final ThreadLocal<Pace> pace = ThreadLocal.withInitial(Pace::new);

    /**
     * @param running how many run at once at most
     * @param work a count that grows while the partitions have work; any thread reads it
     */
    public LowPriorityPlanners(int running, LongSupplier work) {
        this(
                running,
                work,
                LockSupport::parkNanos,
                ManagementFactory.getThreadMXBean()::getCurrentThreadCpuTime,
                ThreadNiceness::lowerCompilers);
    }

    /**
     * @param rest waits for so many nanoseconds
     * @param processorNanos the processor time of the calling thread
     * @param onMuch is run once, when plannings that were ended have taken much together
     */
    LowPriorityPlanners(
            int running, LongSupplier work, LongConsumer rest, LongSupplier processorNanos, Runnable onMuch) {
        this.rest = rest;
        this.processorNanos = processorNanos;
        this.onMuch = onMuch;
        this.count = running + ASIDE;
        this.work = work;
        this.turns = new Semaphore(running, true);
        this.slowTurns = new Semaphore(running, true);
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
    public void execute(Planning planning) {
        threads.execute(() -> {
            Pace own = pace.get();
            underWay.incrementAndGet();
            own.begin();
            long sinceNanos = processorNanos.getAsLong();
            try {
                if (!planning.run()) {
                    tookInVain(processorNanos.getAsLong() - sinceNanos);
                }
            } finally {
                own.end();
                underWay.decrementAndGet();
            }
        });
    }

    @Override
    public boolean goesOn() {
        return pace.get().goesOn();
    }

    /** Takes nothing more; what is under way goes on, and is no reason for the process to stay. */
    @Override
    public void close() {
        threads.shutdown();
    }

    private void tookInVain(long moreNanos) {
        long nanos = vainNanos.addAndGet(moreNanos);
        if (nanos >= MUCH_NANOS && nanos - moreNanos < MUCH_NANOS) {
            onMuch.run();
        }
    }

    /** The pace of one thread's planning. Used by that thread only. */
    private final class Pace {
        /** When the thread got its permit. */
        private long sinceNanos;

        /** The time that the planning had of earlier permits. */
        private long spentNanos;

        /** The work of the partitions when the thread got its permit. */
        private long workBefore;

        private boolean isRunning;
        private boolean isSlow;

        /** {@link #spentNanos} when this planning got its slow turn. */
        private long slowSinceNanos;

        void begin() {
            isSlow = false;
            spentNanos = 0;
            run();
        }

        void end() {
            if (isRunning) {
                stop(0);
            }
            if (isSlow) {
                slowTurns.release();
            }
        }

        boolean goesOn() {
            if (!isRunning) {
                return takesItsTurn();
            }
            long runningNanos = System.nanoTime() - sinceNanos;
            if (runningNanos < SLICE_NANOS) {
                return true;
            }
            boolean takesLong = spentNanos + runningNanos >= LONG_NANOS;
            if (takesLong && othersWork()) {
                stop(runningNanos);
                rest.accept(REST_NANOS);
                return takesItsTurn();
            }
            if (runningNanos >= QUANTUM_NANOS && (turns.hasQueuedThreads() || (takesLong && isSlowTurnDue()))) {
                stop(runningNanos);
                return takesItsTurn();
            }
            return true;
        }

        /** While statements may wait to begin, no planning rests. */
        private boolean othersWork() {
            return work.getAsLong() != workBefore && underWay.get() < count;
        }

        private boolean isSlowTurnDue() {
            return !isSlow || slowTurns.hasQueuedThreads();
        }

        private boolean takesItsTurn() {
            if (spentNanos >= LONG_NANOS && !takesSlowTurn()) {
                return false;
            }
            run();
            return true;
        }

        private boolean takesSlowTurn() {
            if (isSlow && spentNanos - slowSinceNanos >= SLOW_QUANTUM_NANOS && slowTurns.hasQueuedThreads()) {
                isSlow = false;
                slowTurns.release();
            }
            if (!isSlow && tried(slowTurns)) {
                isSlow = true;
                slowSinceNanos = spentNanos;
            }
            return isSlow;
        }

        private static boolean tried(Semaphore permits) {
            try {
                return permits.tryAcquire(WAIT_NANOS, TimeUnit.NANOSECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new FulmarException(ErrorCode.INTERNAL, "a planner's thread was interrupted", e);
            }
        }

        private void run() {
            Invariants.check(!isRunning, "a planner's thread has one turn at a time");
            turns.acquireUninterruptibly();
            isRunning = true;
            workBefore = work.getAsLong();
            sinceNanos = System.nanoTime();
        }

        private void stop(long runningNanos) {
            spentNanos += runningNanos;
            isRunning = false;
            turns.release();
        }
    }
}
