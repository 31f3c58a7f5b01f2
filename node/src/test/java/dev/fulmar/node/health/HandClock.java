package dev.fulmar.node.health;

import dev.fulmar.foundation.time.Clock;

/** Goes on when a test says so. */
final class HandClock implements Clock {
    private long nowNanos = 1;

    void advance(long nanos) {
        nowNanos += nanos;
    }

    @Override
    public long monotonicNanos() {
        return nowNanos;
    }

    @Override
    public long wallMicros() {
        return nowNanos / 1_000;
    }
}
