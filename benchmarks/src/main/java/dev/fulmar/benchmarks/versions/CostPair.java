package dev.fulmar.benchmarks.versions;

import java.util.List;

/**
 * Figures of one process.
 *
 * @param number of the process, from 1
 */
record CostPair(int number, List<Cost> costs) {
    CostPair {
        costs = List.copyOf(costs);
    }

    /**
     * Processor time of a kind of calls.
     *
     * @param home of the other build
     * @param ratio of this build's time to the other one's: the median of slices that followed each other
     * @param ownNanos for each call, the median of slices
     * @param otherNanos the same of the other build
     */
    record Cost(String kind, String home, double ratio, double ownNanos, double otherNanos) {}
}
