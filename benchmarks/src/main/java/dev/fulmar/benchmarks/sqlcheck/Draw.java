package dev.fulmar.benchmarks.sqlcheck;

import java.util.List;
import java.util.SplittableRandom;

/** Seeded random generator by which the SQL checks draw their tables, rows, expressions and statements. */
final class Draw {
    private final SplittableRandom random;

    Draw(long seed) {
        random = new SplittableRandom(seed);
    }

    /** One choice in so many is true. */
    boolean oneIn(int count) {
        return random.nextInt(count) == 0;
    }

    /** Both ends can come. */
    int between(int least, int most) {
        return random.nextInt(least, most + 1);
    }

    <T> T pick(List<T> choices) {
        return choices.get(random.nextInt(choices.size()));
    }

    @SafeVarargs
    final <T> T pick(T... choices) {
        return choices[random.nextInt(choices.length)];
    }
}
