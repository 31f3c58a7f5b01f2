package dev.fulmar.benchmarks.ycsb;

import dev.fulmar.benchmarks.random.ZipfianKeys;
import java.util.random.RandomGenerator;

/** Draws keys from {@code [0, count)} by a distribution: uniform, Zipfian, or with a hot spot. */
public sealed interface KeyChoice {
    long draw(RandomGenerator random);

    /** Every key alike. */
    record Uniform(long count) implements KeyChoice {
        @Override
        public long draw(RandomGenerator random) {
            return random.nextLong(count);
        }
    }

    /** Zipf, the popular keys spread over the range. */
    record Zipfian(ZipfianKeys keys) implements KeyChoice {
        @Override
        public long draw(RandomGenerator random) {
            return keys.scrambled(random);
        }
    }

    /**
     * A share of the requests goes to the first keys.
     *
     * @param hotKeyFraction part of the keys that is hot
     * @param hotRequestFraction part of the requests that meets a hot key
     */
    record HotSpot(long count, double hotKeyFraction, double hotRequestFraction) implements KeyChoice {
        @Override
        public long draw(RandomGenerator random) {
            long hot = Math.max(1, (long) (count * hotKeyFraction));
            if (random.nextDouble() < hotRequestFraction || hot >= count) {
                return random.nextLong(Math.min(hot, count));
            }
            return hot + random.nextLong(count - hot);
        }
    }
}
