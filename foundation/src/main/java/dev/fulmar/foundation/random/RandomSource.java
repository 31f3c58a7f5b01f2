package dev.fulmar.foundation.random;

/** Source of random numbers. Not thread-safe: each owner splits one off for itself. */
public interface RandomSource {
    long nextLong();

    /** Uniform in {@code [0, bound)}; the bound is positive. */
    int nextInt(int bound);

    /** Uniform in {@code [0, 1)}. */
    double nextDouble();

    /** An independent source that depends on this one's seed and the name only, not on what was drawn so far. */
    RandomSource split(String name);
}
