package dev.fulmar.foundation.time.real;

import dev.fulmar.foundation.time.Clock;
import java.time.Instant;

/** The clocks of the operating system. */
public final class SystemClock implements Clock {
    private static final long MICROS_PER_SECOND = 1_000_000;
    private static final int NANOS_PER_MICRO = 1_000;

    @Override
    public long monotonicNanos() {
        return System.nanoTime();
    }

    @Override
    public long wallMicros() {
        Instant now = Instant.now();
        return now.getEpochSecond() * MICROS_PER_SECOND + now.getNano() / NANOS_PER_MICRO;
    }
}
