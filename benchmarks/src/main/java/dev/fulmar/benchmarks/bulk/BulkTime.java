package dev.fulmar.benchmarks.bulk;

import java.util.List;

/**
 * The time of a file into a table.
 *
 * @param round from 1
 */
record BulkTime(BulkWay way, int round, double seconds) {
    /** The median of the way's times. */
    static double median(List<BulkTime> times, BulkWay way) {
        double[] sorted = times.stream()
                .filter(time -> time.way() == way)
                .mapToDouble(BulkTime::seconds)
                .sorted()
                .toArray();
        if (sorted.length == 0) {
            throw new IllegalArgumentException("no time of " + way);
        }
        return sorted[sorted.length / 2];
    }
}
