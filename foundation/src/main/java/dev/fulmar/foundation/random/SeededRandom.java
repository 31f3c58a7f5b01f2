package dev.fulmar.foundation.random;

import dev.fulmar.foundation.data.PartitioningHash;
import java.nio.charset.StandardCharsets;
import java.util.random.RandomGenerator;

/**
 * xoshiro256++ of Blackman and Vigna, seeded by SplitMix64. All methods declared here are computed here, so the same
 * seed gives the same numbers on every JDK; not for secrets. Not thread-safe.
 */
public final class SeededRandom implements RandomSource, RandomGenerator {
    private static final long GOLDEN_RATIO = 0x9e3779b97f4a7c15L;
    private static final double DOUBLE_UNIT = 0x1.0p-53;
    private static final float FLOAT_UNIT = 0x1.0p-24f;

    private long seed;
    private long s0;
    private long s1;
    private long s2;
    private long s3;

    public SeededRandom(long seed) {
        reseed(seed);
    }

    /** Makes this a source of the seed, as if it were new. */
    public void reseed(long newSeed) {
        seed = newSeed;
        // PartitioningHash.ofLong(x) is the output of SplitMix64 in state x.
        long state = newSeed;
        s0 = PartitioningHash.ofLong(state);
        state += GOLDEN_RATIO;
        s1 = PartitioningHash.ofLong(state);
        state += GOLDEN_RATIO;
        s2 = PartitioningHash.ofLong(state);
        state += GOLDEN_RATIO;
        s3 = PartitioningHash.ofLong(state);
    }

    @Override
    public long nextLong() {
        long result = Long.rotateLeft(s0 + s3, 23) + s0;
        long shifted = s1 << 17;
        s2 ^= s0;
        s3 ^= s1;
        s1 ^= s2;
        s0 ^= s3;
        s2 ^= shifted;
        s3 = Long.rotateLeft(s3, 45);
        return result;
    }

    @Override
    public int nextInt() {
        return (int) (nextLong() >>> 32);
    }

    @Override
    public int nextInt(int bound) {
        return (int) nextLong((long) bound);
    }

    @Override
    public int nextInt(int origin, int bound) {
        return (int) nextLong(origin, (long) bound);
    }

    /** Lemire's multiplication: unbiased, and almost always one draw. */
    @Override
    public long nextLong(long bound) {
        if (bound <= 0) {
            throw new IllegalArgumentException("bound " + bound + " is not positive");
        }
        return below(bound);
    }

    private long below(long unsignedBound) {
        long draw = nextLong();
        long low = draw * unsignedBound;
        if (Long.compareUnsigned(low, unsignedBound) < 0) {
            long threshold = Long.remainderUnsigned(-unsignedBound, unsignedBound);
            while (Long.compareUnsigned(low, threshold) < 0) {
                draw = nextLong();
                low = draw * unsignedBound;
            }
        }
        return Math.unsignedMultiplyHigh(draw, unsignedBound);
    }

    @Override
    public long nextLong(long origin, long bound) {
        if (origin >= bound) {
            throw new IllegalArgumentException("bound " + bound + " is not above origin " + origin);
        }
        return origin + below(bound - origin);
    }

    @Override
    public double nextDouble() {
        return (nextLong() >>> 11) * DOUBLE_UNIT;
    }

    @Override
    public double nextDouble(double bound) {
        return nextDouble(0, bound);
    }

    @Override
    public double nextDouble(double origin, double bound) {
        if (!(origin < bound && bound - origin < Double.POSITIVE_INFINITY)) {
            throw new IllegalArgumentException("no doubles from " + origin + " to " + bound);
        }
        double value = origin + nextDouble() * (bound - origin);
        return value < bound ? value : Math.nextDown(bound);
    }

    @Override
    public float nextFloat() {
        return (nextLong() >>> 40) * FLOAT_UNIT;
    }

    @Override
    public boolean nextBoolean() {
        return nextLong() < 0;
    }

    @Override
    public void nextBytes(byte[] target) {
        for (int i = 0; i < target.length; ) {
            long draw = nextLong();
            for (int end = Math.min(i + Long.BYTES, target.length); i < end; i++) {
                target[i] = (byte) draw;
                draw >>>= Byte.SIZE;
            }
        }
    }

    /**
     * Marsaglia's polar method; the second value of a pair is dropped so that no state hides beside the generator's.
     */
    @Override
    public double nextGaussian() {
        while (true) {
            double x = 2 * nextDouble() - 1;
            double y = 2 * nextDouble() - 1;
            double square = x * x + y * y;
            if (square > 0 && square < 1) {
                return x * StrictMath.sqrt(-2 * StrictMath.log(square) / square);
            }
        }
    }

    @Override
    public SeededRandom split(String name) {
        byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
        return new SeededRandom(PartitioningHash.ofWide(seed, PartitioningHash.ofBytes(bytes, 0, bytes.length)));
    }
}
