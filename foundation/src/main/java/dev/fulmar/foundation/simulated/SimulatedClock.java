package dev.fulmar.foundation.simulated;

import dev.fulmar.foundation.random.RandomSource;
import dev.fulmar.foundation.time.Clock;

/** A clock that follows the world's time with an error: an offset, a drift, and jumps of its wall time. */
public final class SimulatedClock implements Clock {
    /** 2026-01-01T00:00:00Z, when every world begins. */
    public static final long WORLD_BEGIN_MICROS = 1_767_225_600_000_000L;

    private static final long NANOS_PER_MICRO = 1_000;

    private final SimulatedWorld world;

    /** Local time that had passed when the drift last changed, and the world's time then. */
    private long anchorLocalNanos;

    private long anchorWorldNanos;
    private double rate = 1;
    private long wallOffsetMicros = WORLD_BEGIN_MICROS;

    SimulatedClock(SimulatedWorld world, RandomSource random) {
        this.world = world;
        this.anchorWorldNanos = world.nowNanos();
        this.anchorLocalNanos = random.nextInt(Integer.MAX_VALUE);
        // A new process sees the true wall time until its clock is disturbed, whatever its monotonic clock starts at.
        this.wallOffsetMicros += world.nowNanos() / NANOS_PER_MICRO - anchorLocalNanos / NANOS_PER_MICRO;
    }

    @Override
    public long monotonicNanos() {
        return anchorLocalNanos + (long) ((world.nowNanos() - anchorWorldNanos) * rate);
    }

    @Override
    public long wallMicros() {
        return wallOffsetMicros + monotonicNanos() / NANOS_PER_MICRO;
    }

    /** Moves the wall time by so much, forward or back; the monotonic time does not notice. */
    public void jump(long micros) {
        wallOffsetMicros += micros;
    }

    /**
     * Makes the clock run so much faster (or slower) than the world's time from now on, for example 0.1 for 10 %
     * faster.
     */
    public void drift(double fraction) {
        if (!(fraction > -1)) {
            throw new IllegalArgumentException("a clock cannot stand or run backwards: " + fraction);
        }
        anchorLocalNanos = monotonicNanos();
        anchorWorldNanos = world.nowNanos();
        rate = 1 + fraction;
    }

    /** The world's time until this clock has counted the duration; at least 0. */
    long worldNanos(long localNanos) {
        return (long) Math.ceil(Math.max(0, localNanos) / rate);
    }
}
