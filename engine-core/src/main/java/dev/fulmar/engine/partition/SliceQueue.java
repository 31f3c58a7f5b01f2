package dev.fulmar.engine.partition;

import dev.fulmar.foundation.time.Clock;
import java.util.ArrayDeque;

/**
 * Long reading that goes on between transactions, a slice at a time, each reader in turn. While the site has other work the slices get a bounded
 * share of its time, otherwise all of it. For the partition's thread.
 */
public final class SliceQueue {
    /** While there is other work, a slice is followed by so many times its length without one. */
    private static final int OTHER_WORK_RATIO = 11;

    /** Something long. */
    @FunctionalInterface
    public interface Slice {
        /** Does the next piece; whether that was the last one. Lets no exception escape. */
        boolean run();
    }

    private final Clock clock;
    private final ArrayDeque<Slice> waiting = new ArrayDeque<>();
    private long nextNanos;

    SliceQueue(Clock clock) {
        this.clock = clock;
        this.nextNanos = clock.monotonicNanos();
    }

    /** Goes on with it later. */
    public void add(Slice slice) {
        waiting.addLast(slice);
    }

    boolean isEmpty() {
        return waiting.isEmpty();
    }

    /** Runs a slice if there is one, and if it is time for it or the site has nothing else to do; returns how many ran. */
    int run(boolean siteIsBusy) {
        if (waiting.isEmpty()) {
            return 0;
        }
        long startNanos = clock.monotonicNanos();
        if (siteIsBusy && startNanos - nextNanos < 0) {
            return 0;
        }
        Slice slice = waiting.removeFirst();
        if (!slice.run()) {
            waiting.addLast(slice);
        }
        long endNanos = clock.monotonicNanos();
        nextNanos = endNanos + OTHER_WORK_RATIO * (endNanos - startNanos);
        return 1;
    }
}
