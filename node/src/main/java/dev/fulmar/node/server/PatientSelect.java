package dev.fulmar.node.server;

import io.netty.channel.SelectStrategy;
import io.netty.util.IntSupplier;
import java.util.function.LongSupplier;

/**
 * An event loop that has nothing to do looks for events a little longer before it sleeps. To wake a sleeping thread
 * takes as long as many looks, and a client that waits for each answer would have the loop woken for each message. The
 * loop gives its core away between two looks. Once its patience was in vain several times it sleeps at once, and tries
 * again now and then: an idle node takes no processor time. Of one thread.
 */
final class PatientSelect implements SelectStrategy {
    /** Time to put a thread to sleep and to wake it, and that of a quick client between two messages. */
    static final long PATIENCE_NANOS = 100_000;

    /** Waits in vain, one after another, behind which it sleeps at once. */
    static final int MOST_IN_VAIN = 16;

    /** Waits in vain that a wait makes up for which was not. */
    private static final int IN_VAIN_FOR_ONE = 4;

    /** Of so many waits one is patient in any case. */
    static final int TRIES = 32;

    private final LongSupplier nanoTime;
    private int inVain;
    private int waits;

    /** Whether it waits patiently, and since when. */
    private boolean isPatient;

    private long sinceNanos;

    /** @param nanoTime what System.nanoTime tells */
    PatientSelect(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    @Override
    @SuppressWarnings("ThreadPriorityCheck") // nothing depends on when the thread gets the core back
    public int calculateStrategy(IntSupplier selectNow, boolean hasTasks) throws Exception {
        if (!hasTasks && !isPatient && !isToBePatient()) {
            return SelectStrategy.SELECT;
        }
        int events = selectNow.get();
        if (hasTasks || events > 0) {
            if (isPatient) {
                isPatient = false;
                inVain = Math.max(0, inVain - IN_VAIN_FOR_ONE);
            }
            return events;
        }
        long now = nanoTime.getAsLong();
        if (!isPatient) {
            isPatient = true;
            sinceNanos = now;
        } else if (now - sinceNanos >= PATIENCE_NANOS) {
            isPatient = false;
            inVain = Math.min(MOST_IN_VAIN, inVain + 1);
            return SelectStrategy.SELECT;
        }
        Thread.yield();
        return SelectStrategy.CONTINUE;
    }

    private boolean isToBePatient() {
        waits++;
        return inVain < MOST_IN_VAIN || waits % TRIES == 0;
    }
}
