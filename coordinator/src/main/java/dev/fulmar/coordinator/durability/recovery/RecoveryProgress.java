package dev.fulmar.coordinator.durability.recovery;

import dev.fulmar.coordinator.durability.environment.RecoveryFigures;
import dev.fulmar.foundation.time.Clock;
import dev.fulmar.pmemlog.recovery.LogScan;
import dev.fulmar.pmemlog.recovery.SegmentSummary;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/**
 * Reports once a second how far the recovery is and how long it may still take. For one of the threads that read the
 * log.
 */
final class RecoveryProgress {
    private static final long INTERVAL_NANOS = 1_000_000_000;

    /** Records between two looks at the clock. */
    private static final int STRIDE = 1024;

    private final Clock clock;
    private final Consumer<String> lines;
    private final RecoveryFigures figures;
    private final List<SegmentSummary> segments;
    private final long totalBytes;
    private final long beginNanos;
    private long nextNanos;
    private int records;

    RecoveryProgress(Clock clock, Consumer<String> lines, RecoveryFigures figures, LogScan scan) {
        this.clock = clock;
        this.figures = figures;
        this.lines = lines;
        this.segments = scan.segments();
        this.totalBytes = segments.stream().mapToLong(SegmentSummary::endOffset).sum();
        this.beginNanos = clock.monotonicNanos();
        this.nextNanos = beginNanos + INTERVAL_NANOS;
    }

    /** Bytes of log that are read. */
    long totalBytes() {
        return totalBytes;
    }

    /** The record at the place is done. */
    void passed(long segment, int offset) {
        if (++records < STRIDE) {
            return;
        }
        records = 0;
        long now = clock.monotonicNanos();
        if (now - nextNanos < 0) {
            return;
        }
        nextNanos = now + INTERVAL_NANOS;
        long done = offset;
        for (SegmentSummary summary : segments) {
            if (summary.header().number() < segment) {
                done += summary.endOffset();
            }
        }
        double part = (double) done / Math.max(1, totalBytes);
        double leftSeconds = part == 0 ? 0 : (now - beginNanos) / 1e9 * (1 - part) / part;
        figures.replaying(part, leftSeconds);
        lines.accept(String.format(
                Locale.ROOT,
                "recovery: %.0f %% of %d MB of log, about %.0f s left",
                100 * part,
                totalBytes >> 20,
                leftSeconds));
    }
}
