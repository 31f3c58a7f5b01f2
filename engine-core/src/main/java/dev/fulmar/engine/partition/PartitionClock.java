package dev.fulmar.engine.partition;

import dev.fulmar.foundation.time.Clock;
import dev.fulmar.foundation.time.HybridLogicalClock;

/**
 * Commit timestamps of one partition: strictly increasing, near the wall clock, in the form of a hybrid logical
 * timestamp.
 */
public final class PartitionClock {
    private final Clock clock;
    private long last;
    private long turnStart;
    private long turnMicros;

    PartitionClock(Clock clock) {
        this.clock = clock;
    }

    /** Reads the clock once for all transactions of a turn. */
    void startTurn() {
        turnMicros = Math.max(turnMicros, clock.wallMicros());
        turnStart = HybridLogicalClock.ofMicros(turnMicros);
    }

    /** A timestamp above every earlier one. */
    public long next() {
        last = Math.max(last + 1, turnStart);
        return last;
    }

    /** Later timestamps will be above the given one. */
    public void observe(long timestamp) {
        last = Math.max(last, timestamp);
    }

    /** The highest timestamp given or observed so far. */
    public long last() {
        return last;
    }

    /** Microseconds since the epoch, as of the beginning of the turn; never goes back. */
    public long nowMicros() {
        return turnMicros;
    }
}
