package dev.fulmar.benchmarks.drive;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.TreeMap;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;
import org.jspecify.annotations.Nullable;

/** Counts outcomes and records latencies. Any thread may record; one thread takes intervals. */
final class Measurement {
    private static final int SIGNIFICANT_DIGITS = 3;

    private final Recorder recorder = new Recorder(SIGNIFICANT_DIGITS);
    private final LongAdder committed = new LongAdder();
    private final LongAdder aborted = new LongAdder();
    private final TreeMap<String, LoadReport.Failure> failures = new TreeMap<>();
    private final Object failuresLock = new Object();

    void record(long latencyNanos, @Nullable Throwable problem) {
        if (problem == null) {
            committed.increment();
            recorder.recordValue(Math.max(0, latencyNanos));
            return;
        }
        Throwable cause =
                problem instanceof CompletionException && problem.getCause() != null ? problem.getCause() : problem;
        ErrorCode code = cause instanceof FulmarException known ? known.code() : ErrorCode.INTERNAL;
        if (code == ErrorCode.USER_ABORT) {
            aborted.increment();
            recorder.recordValue(Math.max(0, latencyNanos));
            return;
        }
        synchronized (failuresLock) {
            failures.merge(
                    code.name(),
                    new LoadReport.Failure(1, String.valueOf(cause.getMessage())),
                    (before, now) -> new LoadReport.Failure(before.count() + 1, before.firstMessage()));
        }
    }

    /** Takes the counts since the last call. */
    Interval takeInterval() {
        Histogram histogram = recorder.getIntervalHistogram();
        synchronized (failuresLock) {
            Interval interval =
                    new Interval(committed.sumThenReset(), aborted.sumThenReset(), new TreeMap<>(failures), histogram);
            failures.clear();
            return interval;
        }
    }

    /** Counts of a stretch of time. */
    record Interval(long committed, long aborted, TreeMap<String, LoadReport.Failure> failures, Histogram histogram) {
        static Interval empty() {
            return new Interval(0, 0, new TreeMap<>(), new Histogram(SIGNIFICANT_DIGITS));
        }

        Interval plus(Interval other) {
            TreeMap<String, LoadReport.Failure> together = new TreeMap<>(failures);
            other.failures.forEach((code, failure) -> together.merge(
                    code,
                    failure,
                    (before, now) -> new LoadReport.Failure(before.count() + now.count(), before.firstMessage())));
            Histogram sum = histogram.copy();
            sum.add(other.histogram);
            return new Interval(committed + other.committed, aborted + other.aborted, together, sum);
        }

        long failed() {
            return failures.values().stream()
                    .mapToLong(LoadReport.Failure::count)
                    .sum();
        }

        LoadReport.Latency latency() {
            return new LoadReport.Latency(
                    micros(50), micros(90), micros(99), micros(99.9), histogram.getMaxValue() / 1000);
        }

        private long micros(double percentile) {
            return histogram.getValueAtPercentile(percentile) / 1000;
        }
    }
}
