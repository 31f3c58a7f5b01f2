package dev.fulmar.benchmarks.drive;

import java.util.List;
import java.util.SortedMap;
import org.HdrHistogram.Histogram;

/**
 * Requests that were sent in a stretch of a steady load.
 *
 * @param offered requests that were sent
 * @param answered of these, those that committed, or aborted as their procedure says
 * @param failures the others, by code
 * @param latencies of the answered ones in nanoseconds, from when they were due
 * @param slow all that took long, failed ones too
 */
public record LoadWindow(
        double seconds,
        long offered,
        long answered,
        SortedMap<String, LoadReport.Failure> failures,
        Histogram latencies,
        List<Slow> slow) {
    /** A request that took long, from when it was due by {@link System#nanoTime()}. */
    public record Slow(long dueNanos, long latencyNanos) {}
}
