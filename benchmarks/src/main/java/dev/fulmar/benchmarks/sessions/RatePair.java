package dev.fulmar.benchmarks.sessions;

import java.util.List;
import java.util.Locale;

/**
 * A window of writers beside open transactions, and one without them.
 *
 * @param besideFirst whether the window beside open transactions came first
 * @param besidePerSecond commits of writers beside them
 * @param alonePerSecond commits of writers without them
 * @param failed requests of writers that failed, in both
 * @param open transactions that were open at the end of the window
 */
record RatePair(
        int number, boolean besideFirst, double besidePerSecond, double alonePerSecond, long failed, long open) {
    double ratio() {
        return besidePerSecond / alonePerSecond;
    }

    static List<Double> ratios(List<RatePair> pairs) {
        return pairs.stream().map(RatePair::ratio).toList();
    }

    /** For people who watch. */
    String text() {
        return String.format(
                Locale.ROOT,
                "pair %d: %,.0f/s beside %d open transactions, %,.0f/s alone: %.3f",
                number,
                besidePerSecond,
                open,
                alonePerSecond,
                ratio());
    }
}
