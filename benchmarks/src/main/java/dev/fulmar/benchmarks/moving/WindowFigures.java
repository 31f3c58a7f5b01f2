package dev.fulmar.benchmarks.moving;

import dev.fulmar.benchmarks.drive.LoadReport;
import dev.fulmar.benchmarks.drive.LoadWindow;
import dev.fulmar.benchmarks.experiment.ControlStalls;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;

/**
 * Figures of a window.
 *
 * @param offered requests that were due
 * @param failures number and first message of those that failed, by code
 * @param answeredInTime requests that were answered within 250 ms of when they were due
 * @param longestMillis the longest time of a request
 * @param longestExcessMillis the longest time by which a request was longer than the machine's own stall within it
 * @param latencies the histogram of answered requests in nanoseconds, compressed, in Base64
 * @param written by nodes in the window and until the checkpoints after it
 * @param writtenSeconds length of that time
 */
record WindowFigures(
        double seconds,
        long offered,
        Map<String, LoadReport.Failure> failures,
        long answeredInTime,
        double longestMillis,
        double longestExcessMillis,
        String latencies,
        NodeWrites written,
        double writtenSeconds) {
    static final long IN_TIME_NANOS = TimeUnit.MILLISECONDS.toNanos(250);
    private static final double NANOS_PER_MILLI = 1e6;
    private static final double TAIL = 99;

    static WindowFigures of(LoadWindow window, ControlStalls stalls, NodeWrites written, double writtenSeconds) {
        Histogram latencies = window.latencies();
        long longest = latencies.getMaxValue();
        long longestExcess = window.slow().isEmpty() ? longest : 0;
        List<LoadWindow.Slow> longestFirst = window.slow().stream()
                .sorted(Comparator.comparingLong(LoadWindow.Slow::latencyNanos).reversed())
                .toList();
        for (LoadWindow.Slow slow : longestFirst) {
            longest = Math.max(longest, slow.latencyNanos());
            if (slow.latencyNanos() <= longestExcess) {
                break; // what is subtracted makes none longer, and there may be many
            }
            longestExcess = Math.max(longestExcess, stalls.excessNanos(slow.dueNanos(), slow.latencyNanos()));
        }
        return new WindowFigures(
                window.seconds(),
                window.offered(),
                new TreeMap<>(window.failures()),
                answeredInTime(window),
                longest / NANOS_PER_MILLI,
                longestExcess / NANOS_PER_MILLI,
                encoded(latencies),
                written,
                writtenSeconds);
    }

    /** Requests of the window that were answered within 250 ms of when they were due. */
    static long answeredInTime(LoadWindow window) {
        Histogram latencies = window.latencies();
        return latencies.getTotalCount() == 0 ? 0 : latencies.getCountBetweenValues(0, IN_TIME_NANOS);
    }

    private static String encoded(Histogram histogram) {
        ByteBuffer buffer = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
        int length = histogram.encodeIntoCompressedByteBuffer(buffer);
        return Base64.getEncoder().encodeToString(Arrays.copyOf(buffer.array(), length));
    }

    private Histogram histogram() {
        try {
            return Histogram.decodeFromCompressedByteBuffer(
                    ByteBuffer.wrap(Base64.getDecoder().decode(latencies)), 0);
        } catch (DataFormatException e) {
            throw new IllegalArgumentException("the histogram of a window cannot be read", e);
        }
    }

    long failed() {
        return failures.values().stream().mapToLong(LoadReport.Failure::count).sum();
    }

    double p99Millis() {
        return p99Millis(List.of(this));
    }

    /** Of all requests of the windows together. */
    static double p99Millis(Collection<WindowFigures> windows) {
        return percentileMillis(windows, TAIL);
    }

    static double percentileMillis(Collection<WindowFigures> windows, double percent) {
        Histogram all = new Histogram(3);
        windows.forEach(each -> all.add(each.histogram()));
        return all.getValueAtPercentile(percent) / NANOS_PER_MILLI;
    }
}
