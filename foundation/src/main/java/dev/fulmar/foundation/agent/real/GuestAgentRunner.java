package dev.fulmar.foundation.agent.real;

import dev.fulmar.foundation.agent.Agent;
import dev.fulmar.foundation.agent.AgentRunner;
import java.lang.invoke.VarHandle;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs an agent as the guest of a host thread, which brings its work anyway. Where threads share cores, handing work
 * from one thread to another costs more than the work. Steps that {@linkplain Agent#mayTakeLong() may take long} are
 * left to a thread of the agent's own, which otherwise sleeps, so the host is never held up by them. A lease lets only
 * one of the two threads run the agent.
 */
public final class GuestAgentRunner implements AgentRunner {
    private static final Logger LOG = LoggerFactory.getLogger(GuestAgentRunner.class);

    /** Time without long work after which the agent's thread leaves, however few looks it has had. */
    private static final long PATIENCE_NANOS = 100_000;

    private final Agent agent;
    private final Executor host;
    private final IdleStrategy idleStrategy;
    private final Consumer<? super Throwable> onFailure;
    private final WakeUpGate gate = new WakeUpGate();
    private final Thread thread;
    private final Runnable turn = this::turn;

    /**
     * Lease on the agent; never free again once the agent has ended. At first the agent's own thread holds it, to start
     * the agent.
     */
    private final AtomicBoolean leased = new AtomicBoolean(true);

    private final AtomicBoolean turnScheduled = new AtomicBoolean();

    /** A turn found the lease taken; the thread that holds it schedules another turn. */
    private volatile boolean missed;

    /** The host has had a turn since the agent's thread last slept for its whole time. Goes with the lease. */
    private boolean hasTurned;

    /** The host takes no more turns. */
    private volatile boolean alone;

    /** The host's thread while it is with the agent. */
    private volatile @Nullable Thread tenant;

    private volatile boolean closing;
    private volatile boolean finished;

    /**
     * @param host runs tasks one after another on one thread
     * @param idleStrategy how long the agent's own thread stays with the agent when nothing long is to be done; then it
     *     sleeps
     * @param onFailure told what the agent threw, on the thread that it threw it on
     */
    public GuestAgentRunner(
            Agent agent, Executor host, IdleStrategy idleStrategy, Consumer<? super Throwable> onFailure) {
        this.agent = agent;
        this.host = host;
        this.idleStrategy = idleStrategy;
        this.onFailure = onFailure;
        this.thread = Thread.ofPlatform().daemon().name(agent.roleName()).unstarted(this::run);
    }

    @Override
    public void start() {
        thread.start();
    }

    @Override
    public void wakeUp() {
        // The work was published before; a turn takes its mark off before it looks for work. One of the two sees the
        // other.
        VarHandle.fullFence();
        if (turnScheduled.get()) {
            return;
        }
        if (alone || agent.mayTakeLong()) {
            gate.wakeUp();
        } else {
            scheduleTurn();
        }
    }

    @Override
    public void close() {
        closing = true;
        gate.wakeUp();
        Thread caller = Thread.currentThread();
        if (caller.equals(thread) || caller.equals(tenant)) {
            return;
        }
        ThreadEnd.await(thread);
    }

    private void scheduleTurn() {
        if (turnScheduled.compareAndSet(false, true)) {
            try {
                host.execute(turn);
            } catch (RejectedExecutionException e) {
                goAlone();
                LOG.info("{} goes on without its host", agent.roleName());
            } catch (RuntimeException | Error e) {
                // Whether the host has the turn is not known; one too many does no harm, a wake-up lost would.
                goAlone();
                throw e;
            }
        }
    }

    private void goAlone() {
        alone = true;
        turnScheduled.set(false);
        gate.wakeUp();
    }

    /** On the host. */
    private void turn() {
        turnScheduled.set(false);
        if (closing || agent.mayTakeLong()) {
            gate.wakeUp();
            return;
        }
        if (!leased.compareAndSet(false, true)) {
            missed = true;
            // A tenant that left before it could see the mark leaves the lease free.
            if (!leased.compareAndSet(false, true)) {
                return;
            }
        }
        tenant = Thread.currentThread();
        int handled;
        try {
            handled = agent.doWork();
        } catch (RuntimeException | Error e) {
            fail(e);
            return;
        }
        tenant = null;
        hasTurned = true;
        leased.set(false);
        if (closing || agent.mayTakeLong()) {
            gate.wakeUp();
        } else if (handled > 0) {
            scheduleTurn();
        }
    }

    /** On the agent's own thread. */
    private void run() {
        boolean here = true;
        try {
            agent.onStart();
            while (!closing && !finished) {
                if (!here) {
                    here = sleep();
                } else if (alone) {
                    stay();
                    sleepWithTheAgent();
                } else {
                    leave(stay());
                    here = false;
                }
            }
            while (!here && !finished) {
                here = sleep();
            }
        } catch (RuntimeException | Error e) {
            fail(e);
        }
        if (!finished) {
            finished = true;
            agent.onClose();
        }
    }

    /**
     * Runs the agent until no long step has come for a while; returns whether work may be left. A caller that brought
     * work while a long step was expected woke this thread only, which was awake.
     */
    @SuppressWarnings("ThreadPriorityCheck") // nothing depends on when the thread gets the core back
    private boolean stay() {
        int patience = idleStrategy.spins() + idleStrategy.yields();
        int calm = 0;
        long calmNanos = 0;
        boolean busy = false;
        boolean isLong = false;
        while (calm <= patience && !closing) {
            isLong = agent.mayTakeLong();
            busy = agent.doWork() > 0;
            calm = isLong && busy ? 0 : calm + 1;
            if (calm == 1) {
                calmNanos = System.nanoTime();
            } else if (calm > 1 && System.nanoTime() - calmNanos > PATIENCE_NANOS) {
                break; // looks at an agent with many parts take long
            }
            if (!busy) {
                if (calm <= idleStrategy.spins()) {
                    Thread.onSpinWait();
                } else {
                    Thread.yield();
                }
            }
        }
        return busy || (isLong && !agent.mayTakeLong());
    }

    /**
     * Releases the lease, and gives the host a turn if work may be left. A caller that brought work while a long step
     * waited has woken this thread only.
     */
    private void leave(boolean unfinished) {
        leased.set(false);
        if (missed || unfinished) {
            missed = false;
            scheduleTurn();
        }
    }

    /**
     * Sleeps until there may be something to do here. Looks once more before it does, at the agent itself: what waits
     * may have to wait on, for something that brings a wake-up of its own. Returns whether it found work or was woken,
     * and is with the agent.
     */
    private boolean sleep() {
        gate.announceSleep();
        if (!finished && (closing || alone || agent.mayTakeLong()) && leased.compareAndSet(false, true)) {
            if (closing || agent.doWork() > 0) {
                gate.stayAwake();
                return true;
            }
            leave(false);
        }
        if (finished) {
            gate.stayAwake();
            return false;
        }
        if (!gate.sleep(idleStrategy.parkNanos()) && !closing) {
            glance();
            return false;
        }
        return leased.compareAndSet(false, true);
    }

    /** After a sleep that nobody ended one look is enough, and none where the host has had one. */
    private void glance() {
        if (leased.compareAndSet(false, true)) {
            boolean isSeen = hasTurned;
            hasTurned = false;
            leave(!isSeen && agent.doWork() > 0);
        }
    }

    private void sleepWithTheAgent() {
        gate.announceSleep();
        if (closing || agent.doWork() > 0) {
            gate.stayAwake();
        } else {
            gate.sleep(idleStrategy.parkNanos());
        }
    }

    /** The lease is never given back, so that no thread calls the agent again. */
    private void fail(Throwable failure) {
        finished = true;
        gate.wakeUp();
        try {
            // The owner decides what becomes of the process; words about it may fail.
            onFailure.accept(failure);
            LOG.error("{} failed and is finished", agent.roleName(), failure);
        } finally {
            agent.onClose();
        }
    }
}
