package dev.fulmar.engine.partition;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Counts the fibers of control code that are tied to a partition's thread and keep the partition from moving to another
 * site. Compiled code takes the current thread of a method for one and the same, so such a fiber must not go on at
 * another one.
 */
public final class ThreadTies {
    private final AtomicInteger count = new AtomicInteger();
    private volatile boolean loosened;

    /** The partition handles nothing more here. For the partition's thread. */
    private boolean stopped;

    /** Whether control code that begins now may live at the partition's thread; {@link #untie} follows. Any thread. */
    public boolean tie() {
        count.incrementAndGet();
        if (!loosened) {
            return true;
        }
        count.decrementAndGet();
        return false;
    }

    /**
     * Control code that lived at the partition's thread has ended; whether the partition waits for that to move. Any
     * thread.
     */
    public boolean untie() {
        return count.decrementAndGet() == 0 && loosened;
    }

    /** The partition is to move: no more control code may live at its thread. */
    void loosen() {
        loosened = true;
    }

    boolean isTied() {
        return count.get() > 0;
    }

    /** The partition has come to where it may leave. */
    void stop() {
        stopped = true;
    }

    boolean isStopped() {
        return stopped;
    }

    /** The partition leaves its thread for another one. */
    void moved() {
        stopped = false;
        loosened = false;
    }
}
