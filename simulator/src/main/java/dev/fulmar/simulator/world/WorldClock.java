package dev.fulmar.simulator.world;

import dev.fulmar.foundation.simulated.SimulatedClock;
import dev.fulmar.foundation.simulated.SimulatedWorld;
import dev.fulmar.foundation.time.Clock;

/** The true time, which no node can see but the judges can. */
public record WorldClock(SimulatedWorld world) implements Clock {
    private static final long NANOS_PER_MICRO = 1_000;

    @Override
    public long monotonicNanos() {
        return world.nowNanos();
    }

    @Override
    public long wallMicros() {
        return SimulatedClock.WORLD_BEGIN_MICROS + world.nowNanos() / NANOS_PER_MICRO;
    }
}
