package dev.fulmar.benchmarks.moving;

import dev.fulmar.benchmarks.drive.LoadWindow;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** Tells in which seconds of a move requests were late. */
final class LateRequests {
    private LateRequests() {}

    /**
     * A line for people who watch; empty if no request was late.
     *
     * @param slow requests that took long, of which those count that took more than the limit
     * @param beginNanos of the move, by {@link System#nanoTime()}
     */
    static String text(List<LoadWindow.Slow> slow, long limitNanos, long beginNanos) {
        Map<Long, Integer> bySecond = new TreeMap<>();
        for (LoadWindow.Slow request : slow) {
            if (request.latencyNanos() > limitNanos) {
                bySecond.merge(TimeUnit.NANOSECONDS.toSeconds(request.dueNanos() - beginNanos), 1, Integer::sum);
            }
        }
        return bySecond.isEmpty()
                ? ""
                : bySecond.entrySet().stream()
                        .map(entry -> String.format(Locale.ROOT, "%d: %,d", entry.getKey(), entry.getValue()))
                        .collect(Collectors.joining(", ", "late requests by the second of the move: ", ""));
    }
}
