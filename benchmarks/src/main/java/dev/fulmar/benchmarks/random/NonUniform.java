package dev.fulmar.benchmarks.random;

import java.util.random.RandomGenerator;

/**
 * TPC-C's non-uniform random numbers (clause 2.1.6) with the constants of one run.
 *
 * @param lastNameLoadConstant C of the last names when the tables are loaded
 * @param lastNameConstant C of the last names at run time; clause 2.1.6.1 bounds its distance from the other
 * @param customerConstant C of customer numbers
 * @param itemConstant C of item numbers
 */
public record NonUniform(int lastNameLoadConstant, int lastNameConstant, int customerConstant, int itemConstant) {
    private static final int MIN_DISTANCE = 65;
    private static final int MAX_DISTANCE = 119;

    /** Draws constants that satisfy clause 2.1.6.1. */
    public static NonUniform draw(RandomGenerator random) {
        int load = random.nextInt(256);
        int run;
        int distance;
        do {
            run = random.nextInt(256);
            distance = Math.abs(run - load);
        } while (distance < MIN_DISTANCE || distance > MAX_DISTANCE || distance == 96 || distance == 112);
        return new NonUniform(load, run, random.nextInt(1024), random.nextInt(8192));
    }

    /** In {@code [1, customers]}. */
    public int customer(RandomGenerator random, int customers) {
        return nonUniform(random, 1023, customerConstant, customers) + 1;
    }

    /** In {@code [1, items]}. */
    public int item(RandomGenerator random, int items) {
        return nonUniform(random, 8191, itemConstant, items) + 1;
    }

    /** Number of a last name, in {@code [0, names)}. */
    public int lastName(RandomGenerator random, int names) {
        return nonUniform(random, 255, lastNameConstant, names);
    }

    private static int nonUniform(RandomGenerator random, int a, int constant, int count) {
        return ((random.nextInt(a + 1) | random.nextInt(count)) + constant) % count;
    }
}
