package dev.fulmar.benchmarks.moving;

import dev.fulmar.benchmarks.cluster.Percentile;
import dev.fulmar.benchmarks.experiment.Findings;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;

/** Compares pairs of windows with the goals. */
final class WindowJudge {
    private static final int MEDIAN = 50;

    private WindowJudge() {}

    static void report(Findings findings, MoveCase moveCase, int planned, List<WindowPair> pairs) {
        List<WindowFigures> moving = pairs.stream().map(WindowPair::moving).toList();
        List<WindowFigures> quiet = pairs.stream().map(WindowPair::quiet).toList();
        findings.check("moving-windows.pairs", (double) pairs.size() / planned);
        findings.check("moving-windows.errors", sum(moving, WindowFigures::failed) + sum(quiet, WindowFigures::failed));
        findings.check(
                "moving-windows.in-time",
                sum(moving, WindowFigures::answeredInTime) / sum(moving, WindowFigures::offered));
        findings.check("moving-windows.longest", most(moving, WindowFigures::longestExcessMillis));
        findings.check(
                "moving-windows.p99",
                "median of the pairs",
                Percentile.of(pairs.stream().map(WindowPair::shareOfAllowed).toList(), MEDIAN));
        findings.check(
                "moving-windows.p99",
                "all windows together",
                WindowPair.shareOfAllowed(WindowFigures.p99Millis(moving), WindowFigures.p99Millis(quiet)));
        findings.check("moving-windows.move", most(pairs, WindowPair::moveSeconds));
        double written = pairs.stream().mapToDouble(WindowPair::writtenByMove).sum();
        double moved = pairs.stream().mapToDouble(WindowPair::movedBytes).sum();
        findings.check("moving-windows.written", written / moved / moveCase.copies());
        findings.check(
                "moving-windows.problems", sum(pairs, pair -> pair.problems().size()));
        findings.series("case", moveCase.toString());
        findings.series("p99MillisMoving", WindowFigures.p99Millis(moving));
        findings.series("p99MillisQuiet", WindowFigures.p99Millis(quiet));
        findings.series(
                "answeredInTimeQuiet", sum(quiet, WindowFigures::answeredInTime) / sum(quiet, WindowFigures::offered));
        findings.series("longestMillisQuiet", most(quiet, WindowFigures::longestExcessMillis));
        findings.series("pairs", pairs.stream().map(WindowPair::shown).toList());
    }

    private static <T> double sum(List<T> all, ToLongFunction<T> figure) {
        return all.stream().mapToLong(figure).sum();
    }

    /** Not a number, which meets no goal, if there is none. */
    private static <T> double most(List<T> all, ToDoubleFunction<T> figure) {
        return all.stream().mapToDouble(figure).max().orElse(Double.NaN);
    }
}
