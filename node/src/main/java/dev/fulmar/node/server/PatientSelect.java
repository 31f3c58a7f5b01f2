package dev.fulmar.node.server;

import dev.fulmar.foundation.agent.real.Patience;
import io.netty.channel.SelectStrategy;
import io.netty.util.IntSupplier;
import java.util.function.LongSupplier;

/**
 * An event loop that has nothing to do looks for events a little longer before it sleeps. A client that waits for each
 * answer would have the loop woken for each message. Of one thread.
 */
final class PatientSelect implements SelectStrategy {
    /** Time to put a thread to sleep and to wake it, and that of a quick client between two messages. */
    static final long PATIENCE_NANOS = 100_000;

    private final Patience patience;

    /** @param nanoTime what System.nanoTime tells */
    PatientSelect(LongSupplier nanoTime) {
        this.patience = new Patience(nanoTime, PATIENCE_NANOS);
    }

    @Override
    @SuppressWarnings("ThreadPriorityCheck") // nothing depends on when the thread gets the core back
    public int calculateStrategy(IntSupplier selectNow, boolean hasTasks) throws Exception {
        if (!hasTasks && !patience.looksAgain()) {
            return SelectStrategy.SELECT;
        }
        int events = selectNow.get();
        if (hasTasks || events > 0) {
            patience.found();
            return events;
        }
        Thread.yield();
        return SelectStrategy.CONTINUE;
    }
}
