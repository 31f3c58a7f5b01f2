package dev.fulmar.benchmarks.random;

import java.util.random.RandomGenerator;

/**
 * Zipf-distributed numbers in {@code [0, count)}, by the method of Gray et al., "Quickly Generating Billion-Record
 * Synthetic Databases" (SIGMOD 1994), as YCSB draws them. Rank 0 is the most frequent; {@link #scrambled} spreads the
 * ranks over the range.
 */
public final class ZipfianKeys {
    private final long count;
    private final double theta;
    private final double zetaOfCount;
    private final double alpha;
    private final double eta;

    /**
     * @param theta skew in (0, 1); YCSB's default is 0.99
     */
    public ZipfianKeys(long count, double theta) {
        if (count < 1 || theta <= 0 || theta >= 1) {
            throw new IllegalArgumentException("zipf needs at least one key and a skew between 0 and 1");
        }
        this.count = count;
        this.theta = theta;
        zetaOfCount = zeta(count, theta);
        alpha = 1 / (1 - theta);
        eta = (1 - Math.pow(2.0 / count, 1 - theta)) / (1 - zeta(2, theta) / zetaOfCount);
    }

    /** A rank; 0 is the most frequent. */
    public long next(RandomGenerator random) {
        double uniform = random.nextDouble();
        double scaled = uniform * zetaOfCount;
        if (scaled < 1) {
            return 0;
        }
        if (scaled < 1 + Math.pow(0.5, theta)) {
            return Math.min(1, count - 1);
        }
        return Math.min(count - 1, (long) (count * Math.pow(eta * uniform - eta + 1, alpha)));
    }

    /** A key whose popular values lie all over the range. */
    public long scrambled(RandomGenerator random) {
        return Long.remainderUnsigned(mix(next(random)), count);
    }

    private static double zeta(long count, double theta) {
        double sum = 0;
        for (long i = 1; i <= count; i++) {
            sum += 1 / Math.pow((double) i, theta);
        }
        return sum;
    }

    /** The finalizer of MurmurHash3. */
    private static long mix(long value) {
        long mixed = value + 0x9E3779B97F4A7C15L;
        mixed = (mixed ^ (mixed >>> 33)) * 0xFF51AFD7ED558CCDL;
        mixed = (mixed ^ (mixed >>> 33)) * 0xC4CEB9FE1A85EC53L;
        return mixed ^ (mixed >>> 33);
    }
}
