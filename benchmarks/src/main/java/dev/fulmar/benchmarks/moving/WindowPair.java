package dev.fulmar.benchmarks.moving;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A moving window and a quiet one of the same length.
 *
 * @param movingFirst whether the moving window came first
 * @param moveSeconds time from the request until the plan counted
 * @param rowsMoved rows that were handed over
 * @param rowBytes bytes of a row as its user sees it
 * @param bytesSent bytes of chunks, changed rows again
 * @param worstPauseMillis the longest time for which a hand-off made calls wait
 * @param problems what was wrong with the tables after it
 */
record WindowPair(
        int number,
        boolean movingFirst,
        WindowFigures moving,
        WindowFigures quiet,
        double moveSeconds,
        long rowsMoved,
        long rowBytes,
        long bytesSent,
        double worstPauseMillis,
        List<String> problems) {
    private static final double MOST_TIMES = 2;
    private static final double MORE_MILLIS = 10;

    WindowPair {
        problems = List.copyOf(problems);
    }

    /** The p99 of requests while keys move, as a share of what is allowed: twice the quiet one, or 10 ms more. */
    static double shareOfAllowed(double movingMillis, double quietMillis) {
        return movingMillis / Math.max(MOST_TIMES * quietMillis, quietMillis + MORE_MILLIS);
    }

    double shareOfAllowed() {
        return shareOfAllowed(moving.p99Millis(), quiet.p99Millis());
    }

    /** Bytes that the move alone wrote: without what the load writes in as much time, as in the quiet window. */
    double writtenByMove() {
        return moving.written().total() - quiet.written().total() * moving.writtenSeconds() / quiet.writtenSeconds();
    }

    /** Bytes of moved rows as their users see them. */
    double movedBytes() {
        return (double) rowsMoved * rowBytes;
    }

    /** For people who watch. */
    String text() {
        return String.format(
                Locale.ROOT,
                "pair %d: moved %,d rows in %.1f s, written %.2f for each byte; p99 %.1f ms, quiet %.1f; longest %.0f ms,"
                        + " quiet %.0f; late or failed %d of %,d, quiet %d%s",
                number,
                rowsMoved,
                moveSeconds,
                writtenByMove() / movedBytes(),
                moving.p99Millis(),
                quiet.p99Millis(),
                moving.longestExcessMillis(),
                quiet.longestExcessMillis(),
                moving.offered() - moving.answeredInTime(),
                moving.offered(),
                quiet.offered() - quiet.answeredInTime(),
                moving.failures().isEmpty() ? "" : "; failed: " + moving.failures());
    }

    Map<String, Object> shown() {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("pair", number);
        map.put("movingFirst", movingFirst);
        map.put("moveSeconds", moveSeconds);
        map.put("rowsMoved", rowsMoved);
        map.put("bytesSent", bytesSent);
        map.put("worstPauseMillis", worstPauseMillis);
        map.put("writtenPerByteMoved", writtenByMove() / movedBytes());
        map.put("moving", shown(moving));
        map.put("quiet", shown(quiet));
        return map;
    }

    private static Map<String, Object> shown(WindowFigures window) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("seconds", window.seconds());
        map.put("offered", window.offered());
        map.put("failed", window.failed());
        map.put("lateOrFailed", window.offered() - window.answeredInTime());
        map.put("p50Millis", WindowFigures.percentileMillis(List.of(window), 50));
        map.put("p99Millis", window.p99Millis());
        map.put("p999Millis", WindowFigures.percentileMillis(List.of(window), 99.9));
        map.put("longestMillis", window.longestMillis());
        map.put("longestBeyondTheMachinesOwnMillis", window.longestExcessMillis());
        map.put("writtenSeconds", window.writtenSeconds());
        map.put("written", window.written());
        return map;
    }
}
