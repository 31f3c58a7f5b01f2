package dev.fulmar.benchmarks.cluster;

import java.util.Collection;

/**
 * Percentiles of few values, by nearest rank: the value is one of those given, and never better than the share asked
 * for.
 */
public final class Percentile {
    private static final int HUNDRED = 100;

    private Percentile() {}

    /** Not a number if there are no values. */
    public static double of(Collection<Double> values, int percent) {
        if (values.isEmpty()) {
            return Double.NaN;
        }
        double[] sorted =
                values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
        int rank = (int) Math.ceil((double) percent * sorted.length / HUNDRED);
        return sorted[Math.max(0, rank - 1)];
    }
}
