package dev.fulmar.node.lifecycle;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Limits the rate of each kind of log line. It lets the first few lines of a kind pass, then one a minute, until the
 * kind has been silent for some minutes. The others are counted, and the count is told once a minute. Memory is
 * bounded: of too many kinds the one that came first is forgotten. Thread-safe.
 */
final class LineRates {
    /** Lines of a kind that come through one after the other. */
    static final int FIRST_LINES = 3;

    static final long MINUTE_NANOS = 60_000_000_000L;

    /** After so long without a line a kind is new again. */
    static final long MEMORY_NANOS = 10 * MINUTE_NANOS;

    /** Kinds whose lines are counted. A library that puts all that it has to say into its texts has many. */
    static final int MOST_KINDS = 500;

    /**
     * A sort of lines.
     *
     * @param logger the logger's name
     * @param template the text before values are put in
     */
    record Kind(String logger, String template) {}

    /**
     * Lines that were not written.
     *
     * @param lines how many
     * @param seconds since the last that was written
     */
    record LeftOut(Kind kind, long lines, long seconds) {}

    private static final class Count {
        private int written;
        private long lastWrittenNanos;
        private long lastSeenNanos;
        private long leftOut;
    }

    private final Map<Kind, Count> counts = new LinkedHashMap<>();

    /** Whether a line of the kind is written now. */
    synchronized boolean admits(Kind kind, long nowNanos) {
        Count count = counts.get(kind);
        if (count == null || (count.leftOut == 0 && nowNanos - count.lastSeenNanos > MEMORY_NANOS)) {
            count = begin(kind);
        }
        count.lastSeenNanos = nowNanos;
        if (count.written >= FIRST_LINES && nowNanos - count.lastWrittenNanos < MINUTE_NANOS) {
            count.leftOut++;
            return false;
        }
        count.written++;
        count.lastWrittenNanos = nowNanos;
        return true;
    }

    private Count begin(Kind kind) {
        counts.remove(kind);
        if (counts.size() >= MOST_KINDS) {
            counts.remove(counts.keySet().iterator().next());
        }
        Count count = new Count();
        counts.put(kind, count);
        return count;
    }

    /** The lines left out of kinds of which none was written for a minute; tells each line once. */
    synchronized List<LeftOut> leftOut(long nowNanos) {
        List<LeftOut> all = new ArrayList<>();
        counts.forEach((kind, count) -> {
            long nanos = nowNanos - count.lastWrittenNanos;
            if (count.leftOut > 0 && nanos >= MINUTE_NANOS) {
                all.add(new LeftOut(kind, count.leftOut, nanos / 1_000_000_000));
                count.leftOut = 0;
                count.lastWrittenNanos = nowNanos; // the line that tells of them is this minute's
            }
        });
        return all;
    }
}
