package dev.fulmar.benchmarks.drive;

import java.util.Map;
import java.util.SortedMap;

/**
 * Result of a load.
 *
 * @param seconds counted, as they passed
 * @param committed requests that committed in them
 * @param aborted requests that their procedure rolled back on its own wish
 * @param failures other failures by error code and message of the first of each code
 */
public record LoadReport(
        double seconds, long committed, long aborted, SortedMap<String, Failure> failures, Latency latency) {
    /** Latency percentiles in microseconds, of committed and aborted requests. */
    public record Latency(long p50Micros, long p90Micros, long p99Micros, long p999Micros, long maxMicros) {
        /** As reports name them. */
        public Map<String, Long> asMap() {
            return new java.util.TreeMap<>(
                    Map.of("p50", p50Micros, "p90", p90Micros, "p99", p99Micros, "p999", p999Micros, "max", maxMicros));
        }
    }

    /** A kind of failure. */
    public record Failure(long count, String firstMessage) {}

    public double throughputPerSecond() {
        return committed / seconds;
    }

    public long failed() {
        return failures.values().stream().mapToLong(Failure::count).sum();
    }
}
