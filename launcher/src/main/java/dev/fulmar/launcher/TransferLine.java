package dev.fulmar.launcher;

import dev.fulmar.client.transfer.TransferProgress;
import java.io.PrintWriter;
import java.util.Locale;

/** Reports the progress of a transfer once a second at most. Several threads may report. */
final class TransferLine implements TransferProgress {
    private static final long INTERVAL_NANOS = 1_000_000_000L;

    private final PrintWriter out;
    private final long startNanos = System.nanoTime();
    private long lastNanos = startNanos;

    TransferLine(PrintWriter out) {
        this.out = out;
    }

    @Override
    public synchronized void report(String table, long rows, long rejected) {
        long now = System.nanoTime();
        if (now - lastNanos >= INTERVAL_NANOS) {
            lastNanos = now;
            out.printf(
                    Locale.ROOT,
                    "%6.1f s  %s: %,d rows%s%n",
                    (now - startNanos) / 1e9,
                    table,
                    rows,
                    rejected == 0 ? "" : String.format(Locale.ROOT, ", %,d rejected", rejected));
            out.flush();
        }
    }
}
