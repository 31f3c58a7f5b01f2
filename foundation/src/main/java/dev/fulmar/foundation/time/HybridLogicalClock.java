package dev.fulmar.foundation.time;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Source of timestamps that follow the wall clock, never repeat, never go back, and exceed every timestamp that was
 * observed. A message carries its sender's timestamp and its receiver observes it, so an effect is later than its cause
 * whatever the wall clocks say. Thread-safe.
 *
 * <p>A timestamp is the wall clock's microseconds since 1970 in the upper 53 of 63 bits, good until the year 2255, and
 * a counter in the lower 10. A counter that overflows runs into the microseconds; the clock is then ahead of the wall
 * until the wall catches up.
 */
public final class HybridLogicalClock {
    /** Bits of the counter. */
    public static final int COUNTER_BITS = 10;

    private final Clock clock;
    private final long maxAheadMicros;
    private final AtomicLong last;

    /**
     * @param maxAheadMicros how far an observed timestamp may lie ahead of this node's wall clock
     * @param floor timestamp that all of this clock's exceed, for example a ceiling that was made durable before a
     *     restart
     */
    public HybridLogicalClock(Clock clock, long maxAheadMicros, long floor) {
        this.clock = clock;
        this.maxAheadMicros = maxAheadMicros;
        this.last = new AtomicLong(floor);
    }

    /** A timestamp greater than all before and all observed. */
    public long next() {
        long wall = clock.wallMicros() << COUNTER_BITS;
        while (true) {
            long previous = last.get();
            long next = Math.max(wall, previous + 1);
            if (last.compareAndSet(previous, next)) {
                return next;
            }
        }
    }

    /** The greatest timestamp given or observed so far, which is not below the wall clock's. Gives none itself. */
    public long current() {
        return Math.max(last.get(), clock.wallMicros() << COUNTER_BITS);
    }

    /**
     * Makes all later timestamps exceed the one that another node sent. Fails, without moving, if that is so far ahead
     * that following it would carry a broken clock into the whole cluster.
     */
    public void observe(long timestamp) {
        long wall = clock.wallMicros();
        long aheadMicros = micros(timestamp) - wall;
        if (timestamp < 0 || aheadMicros > maxAheadMicros) {
            throw new FulmarException(
                    ErrorCode.INVALID_CONFIGURATION,
                    "a timestamp of another node lies " + aheadMicros
                            + " microseconds ahead of this node's clock, more than the limit of " + maxAheadMicros
                            + "; synchronise the nodes' clocks");
        }
        long previous = last.get();
        while (previous < timestamp && !last.compareAndSet(previous, timestamp)) {
            previous = last.get();
        }
    }

    /** Microseconds since 1970 that the timestamp stands for. */
    public static long micros(long timestamp) {
        return timestamp >> COUNTER_BITS;
    }

    /** The first timestamp of the microsecond. */
    public static long ofMicros(long micros) {
        return micros << COUNTER_BITS;
    }
}
