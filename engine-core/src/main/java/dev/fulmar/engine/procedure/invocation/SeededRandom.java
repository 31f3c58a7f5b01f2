package dev.fulmar.engine.procedure.invocation;

import java.util.UUID;
import java.util.random.RandomGenerator;

/**
 * SplitMix64. The bounded draws are written out here because those of the JDK's interface may change from release to
 * release, and a replay must draw the same numbers.
 */
final class SeededRandom implements RandomGenerator {
    private static final long GOLDEN_RATIO = 0x9e3779b97f4a7c15L;
    private static final double UNIT = 0x1.0p-53;

    private long state;

    void seed(long seed) {
        state = seed;
    }

    @Override
    public long nextLong() {
        state += GOLDEN_RATIO;
        long z = (state ^ (state >>> 30)) * 0xbf58476d1ce4e5b9L;
        z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
        return z ^ (z >>> 31);
    }

    @Override
    public int nextInt() {
        return (int) (nextLong() >>> 32);
    }

    @Override
    public boolean nextBoolean() {
        return nextLong() < 0;
    }

    @Override
    public double nextDouble() {
        return (nextLong() >>> 11) * UNIT;
    }

    @Override
    public float nextFloat() {
        return (nextLong() >>> 40) * 0x1.0p-24f;
    }

    @Override
    public int nextInt(int bound) {
        return (int) nextLong(bound);
    }

    @Override
    public int nextInt(int origin, int bound) {
        return (int) nextLong(origin, bound);
    }

    @Override
    public long nextLong(long origin, long bound) {
        if (origin >= bound) {
            throw new IllegalArgumentException("the bound " + bound + " must be greater than the origin " + origin);
        }
        long range = bound - origin;
        if (range > 0) {
            return origin + nextLong(range);
        }
        long drawn = nextLong();
        while (drawn < origin || drawn >= bound) {
            drawn = nextLong();
        }
        return drawn;
    }

    /** Uniform: the numbers above the greatest multiple of the bound are drawn again. */
    @Override
    public long nextLong(long bound) {
        if (bound <= 0) {
            throw new IllegalArgumentException("the bound " + bound + " must be positive");
        }
        long limit = Long.MAX_VALUE - Long.MAX_VALUE % bound;
        long drawn = nextLong() >>> 1;
        while (drawn >= limit) {
            drawn = nextLong() >>> 1;
        }
        return drawn % bound;
    }

    /** A UUID of version 4. */
    UUID nextUuid() {
        long high = (nextLong() & ~0xf000L) | 0x4000L;
        long low = (nextLong() & 0x3fffffffffffffffL) | 0x8000000000000000L;
        return new UUID(high, low);
    }
}
