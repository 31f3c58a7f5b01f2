package dev.fulmar.foundation.agent.real;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The gate between a sleeping thread and the threads that wake it. The sleeper announces itself, looks for work once
 * more, and only then parks; a waker publishes its work first and looks for the announcement after it. Both put a full
 * fence between their write and their read, so that at least one of them sees the other: no wake-up is lost, and waking
 * a thread that is not about to sleep costs a fence and a read.
 */
final class WakeUpGate {
    private static final int AWAKE = 0;
    private static final int SLEEPING = 1;

    private static final VarHandle STATE;

    static {
        try {
            STATE = MethodHandles.lookup().findVarHandle(WakeUpGate.class, "state", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private volatile int state = AWAKE;
    private volatile @Nullable Thread sleeper;

    /** Announces that the calling thread will sleep unless it finds work now. */
    void announceSleep() {
        sleeper = Thread.currentThread();
        state = SLEEPING;
        VarHandle.fullFence();
    }

    /** Takes the announcement back because there is work. */
    void stayAwake() {
        state = AWAKE;
    }

    /**
     * Sleeps until another thread wakes this one, or for the time if it is not 0. May end early. Returns whether
     * another thread woke this one.
     */
    boolean sleep(long nanos) {
        if (state == SLEEPING) {
            if (nanos == 0) {
                LockSupport.park(this);
            } else {
                LockSupport.parkNanos(this, nanos);
            }
        }
        boolean isWoken = state == AWAKE;
        state = AWAKE;
        return isWoken;
    }

    /** Wakes the sleeper if it sleeps or has announced to; call this after the work is published. */
    void wakeUp() {
        VarHandle.fullFence();
        if (state == SLEEPING && STATE.compareAndSet(this, SLEEPING, AWAKE)) {
            LockSupport.unpark(sleeper);
        }
    }
}
