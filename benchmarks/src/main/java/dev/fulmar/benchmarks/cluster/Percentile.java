package dev.fulmar.benchmarks.cluster;

import java.util.Collection;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * Percentiles, by nearest rank: the value is one of those given, and never better than the share asked
 * for.
 */
public final class Percentile {
    private static final int HUNDRED = 100;
    private static final int MEDIAN = 50;

    private Percentile() {}

    /** Not a number if there are no values. */
    public static double of(Collection<Double> values, int percent) {
        if (values.isEmpty()) {
            return Double.NaN;
        }
        double[] sorted =
                values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
        return sorted[place(sorted.length, percent)];
    }

    /** The same of values that are sorted; 0 if there are none. */
    public static long of(long[] sorted, int percent) {
        return sorted.length == 0 ? 0 : sorted[place(sorted.length, percent)];
    }

    /** The median of a figure of each of the things. Not a number if there are none. */
    public static <T> double median(Collection<T> things, ToDoubleFunction<T> figure) {
        List<Double> values = things.stream().mapToDouble(figure).boxed().toList();
        return of(values, MEDIAN);
    }

    private static int place(int count, int percent) {
        return Math.max(0, (int) Math.ceil((double) percent * count / HUNDRED) - 1);
    }
}
