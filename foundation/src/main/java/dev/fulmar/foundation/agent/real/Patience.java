package dev.fulmar.foundation.agent.real;

import java.util.function.LongSupplier;

/**
 * Says whether a thread that has nothing to do looks for work a little longer before it sleeps. To wake a sleeping
 * thread takes as long as many looks. The thread should give its core away between two looks. Once its patience was in
 * vain several times it sleeps at once, and tries again now and then: an idle node takes no processor time. Of one
 * thread.
 */
public final class Patience {
    /** Waits in vain, one after another, behind which the thread sleeps at once. */
    public static final int MOST_IN_VAIN = 16;

    /** Of so many waits one is patient in any case. */
    public static final int TRIES = 32;

    /** Waits in vain that a wait makes up for which was not. */
    private static final int IN_VAIN_FOR_ONE = 4;

    private final LongSupplier nanoTime;
    private final long patienceNanos;
    private int inVain;
    private int waits;

    /** Whether the thread waits patiently, and since when. */
    private boolean isWaiting;

    private long sinceNanos;

    /**
     * @param nanoTime what System.nanoTime tells
     * @param patienceNanos longest time of looks; 0 for none
     */
    public Patience(LongSupplier nanoTime, long patienceNanos) {
        this.nanoTime = nanoTime;
        this.patienceNanos = patienceNanos;
    }

    /** Whether the thread, which has found no work, looks again; false if it sleeps now. */
    public boolean looksAgain() {
        if (isWaiting) {
            if (nanoTime.getAsLong() - sinceNanos < patienceNanos) {
                return true;
            }
            isWaiting = false;
            inVain = Math.min(MOST_IN_VAIN, inVain + 1);
            return false;
        }
        if (patienceNanos == 0) {
            return false;
        }
        waits++;
        if (inVain == MOST_IN_VAIN && waits % TRIES != 0) {
            return false;
        }
        isWaiting = true;
        sinceNanos = nanoTime.getAsLong();
        return true;
    }

    /** The thread has found work. */
    public void found() {
        if (isWaiting) {
            isWaiting = false;
            inVain = Math.max(0, inVain - IN_VAIN_FOR_ONE);
        }
    }
}
