package dev.fulmar.launcher;

import dev.fulmar.benchmarks.drive.LoadListener;
import dev.fulmar.benchmarks.drive.LoadReport;
import dev.fulmar.benchmarks.workload.Workload;
import java.io.PrintWriter;
import java.util.Locale;

/**
 * Shows progress on one line that is written over, at most ten times a second, and a line for each second of a load.
 */
final class ProgressLine implements Workload.Progress, LoadListener {
    private static final long INTERVAL_NANOS = 100_000_000L;
    private static final int BAR_CHARACTERS = 30;

    private final PrintWriter out;
    private final boolean terminal;
    private long lastNanos;
    private boolean headerShown;

    ProgressLine(PrintWriter out) {
        this.out = out;
        terminal = System.console() != null;
    }

    @Override
    public void report(String step, long done, long total) {
        boolean complete = done >= total;
        long now = System.nanoTime();
        if (!complete && (!terminal || now - lastNanos < INTERVAL_NANOS)) {
            return;
        }
        lastNanos = now;
        int filled = total == 0 ? BAR_CHARACTERS : (int) (BAR_CHARACTERS * done / total);
        String bar = "#".repeat(filled) + ".".repeat(BAR_CHARACTERS - filled);
        String line = String.format(Locale.ROOT, "%-22s [%s] %,d of %,d", step, bar, done, total);
        out.print(terminal ? "\r" + line : line);
        if (complete) {
            out.println();
        }
        out.flush();
    }

    @Override
    public void second(
            int second, boolean warmup, long committed, long aborted, long failed, LoadReport.Latency latency) {
        if (!headerShown) {
            out.println("second   committed/s   rolled back   failed   p50 us   p99 us    max us");
            headerShown = true;
        }
        out.printf(
                Locale.ROOT,
                "%6d %,13d %,13d %,8d %,8d %,8d %,9d%s%n",
                second,
                committed,
                aborted,
                failed,
                latency.p50Micros(),
                latency.p99Micros(),
                latency.maxMicros(),
                warmup ? "  (warm-up)" : "");
        out.flush();
    }
}
