package dev.fulmar.benchmarks.powercut;

import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** Behaviour of the emulated device: the time of a force, its honesty, and the space. Thread-safe. */
public final class Device {
    private static final int USUAL_NANOS = 2_000_000;
    private static final int SLOW_NANOS = 30_000_000;
    private static final int SLOW_ONE_IN = 100;
    private static final long NANOS_PER_MILLI = 1_000_000;

    /** Writes for which the device has no space. */
    public enum Fullness {
        /** There is space. */
        NONE,
        /** Files neither grow nor come. */
        GROWTH,
        /** Nothing can be written, not even over what is there, as where each write takes new space. */
        WRITES
    }

    private final Lie lie;
    private final AtomicLong seed;
    private final AtomicLong forces = new AtomicLong();
    private final AtomicLong refusals = new AtomicLong();
    private volatile int slowMillis;
    private volatile Fullness fullness = Fullness.NONE;

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

    /** From now on each force takes up to so much longer; 0 ends it. */
    public void slow(int mostMillis) {
        slowMillis = mostMillis;
    }

    /** From now on there is no space for this. */
    public void fill(Fullness newFullness) {
        fullness = newFullness;
    }

    /** Calls that were refused so far because there was no space. */
    public long refusals() {
        return refusals.get();
    }

    /** Fails where there is no space for it. */
    void takeSpace(boolean grows) throws FileSystemError {
        boolean isRefused = switch (fullness) {
            case NONE -> false;
            case GROWTH -> grows;
            case WRITES -> true;
        };
        if (isRefused) {
            refusals.incrementAndGet();
            throw new FileSystemError(FileSystemError.NO_SPACE, "no space is left");
        }
    }

    boolean isFull() {
        return fullness != Fullness.NONE;
    }

    /** As long as a force is under way. A cut within it finds the bytes written and not forced. */
    void delay() {
        forces.incrementAndGet();
        SplittableRandom random = new SplittableRandom(seed.getAndIncrement());
        boolean slow = random.nextInt(SLOW_ONE_IN) == 0;
        long more = slowMillis == 0 ? 0 : random.nextLong(slowMillis * NANOS_PER_MILLI);
        LockSupport.parkNanos(random.nextInt(slow ? SLOW_NANOS : USUAL_NANOS) + more);
    }
}
