package dev.fulmar.benchmarks.powercut;

import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** How the device that is made believe behaves: how long a force takes, and whether it is done at all. Thread-safe. */
public final class Device {
    private static final int USUAL_NANOS = 2_000_000;
    private static final int SLOW_NANOS = 30_000_000;
    private static final int SLOW_ONE_IN = 100;

    private final Lie lie;
    private final AtomicLong seed;
    private final AtomicLong forces = new AtomicLong();

    public Device(Lie lie, long seed) {
        this.lie = lie;
        this.seed = new AtomicLong(seed);
    }

    Lie lie() {
        return lie;
    }

    /** Forces and synchronous writes so far. */
    public long forces() {
        return forces.get();
    }

    /** As long as a force is under way. A cut within it finds the bytes written and not forced. */
    void delay() {
        forces.incrementAndGet();
        SplittableRandom random = new SplittableRandom(seed.getAndIncrement());
        boolean slow = random.nextInt(SLOW_ONE_IN) == 0;
        LockSupport.parkNanos(random.nextInt(slow ? SLOW_NANOS : USUAL_NANOS));
    }
}
