package dev.fulmar.benchmarks.reconfiguration;

import dev.fulmar.benchmarks.cluster.Percentile;
import dev.fulmar.benchmarks.experiment.Findings;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;

/**
 * Compares cells with the goals. A cell is void if the machine was so busy that it was not the sites that limited the
 * throughput, or if its hot spot cost too little.
 */
final class CellJudge {
    /** Part of the machine's processors above which a cell is void. */
    static final double MOST_PROCESSOR = 0.7;

    /** Part of the balanced throughput that a hot spot leaves at most, or its cell is void. */
    static final double MOST_LEFT = 0.5;

    private static final int TAIL = 99;

    private final List<Cell> planned;
    private final Map<String, CellResult> done;

    private final List<String> broken;

    /**
     * @param done results by the names of their cells
     * @param broken cells that broke off, and why
     */
    CellJudge(List<Cell> planned, Map<String, CellResult> done, List<String> broken) {
        this.broken = List.copyOf(broken);
        this.planned = List.copyOf(planned);
        this.done = Map.copyOf(done);
    }

    static boolean isVoid(Cell cell, CellResult result) {
        return cell.isCapped()
                && (result.processor().most() > MOST_PROCESSOR
                        || (cell.scenario().isHot() && result.cut() > MOST_LEFT));
    }

    /** The cell's figures in words. */
    static List<String> show(Cell cell, CellResult result) {
        List<String> lines = new ArrayList<>();
        lines.add(String.format(
                Locale.ROOT,
                "%s: %.0f %% of balanced before, worst second %.0f %% of that, after %.0f %% of balanced; machine at most %.0f %%%s",
                cell.text(),
                100 * result.cut(),
                100 * result.worst(),
                100 * result.regained(),
                100 * result.processor().most(),
                isVoid(cell, result) ? ", VOID" : ""));
        lines.add(String.format(
                Locale.ROOT,
                "%s: %d hand-offs, pauses p50 %.1f p99 %.1f ms; lock of the start p99 %.1f ms; locks of hand-offs p99 %.1f ms",
                cell.text(),
                result.pauses().handOffs().size(),
                Percentile.of(result.pauses().handOffs(), 50),
                Percentile.of(result.pauses().handOffs(), TAIL),
                Percentile.of(result.pauses().startLocks(), TAIL),
                Percentile.of(result.pauses().handOffLocks(), TAIL)));
        result.problems().forEach(problem -> lines.add(cell.text() + ": " + problem));
        return lines;
    }

    private Map<Cell, CellResult> valid() {
        Map<Cell, CellResult> valid = new LinkedHashMap<>();
        for (Cell cell : planned) {
            CellResult result = done.get(cell.text());
            if (result != null && !isVoid(cell, result)) {
                valid.put(cell, result);
            }
        }
        return valid;
    }

    /** Judges all of it; the uncapped cell is shown only. */
    void report(Findings findings) {
        Map<Cell, CellResult> valid = valid();
        findings.check("reconfiguration.cells", planned.isEmpty() ? 0 : (double) valid.size() / planned.size());
        findings.check(
                "reconfiguration.problems",
                (double) broken.size()
                        + done.values().stream()
                                .mapToLong(result -> result.problems().size())
                                .sum());
        Map<String, List<CellResult>> cases = new TreeMap<>();
        Map<String, Boolean> isHot = new TreeMap<>();
        valid.forEach((cell, result) -> {
            if (cell.isCapped()) {
                cases.computeIfAbsent(cell.theCase(), name -> new ArrayList<>()).add(result);
                isHot.put(cell.theCase(), cell.scenario().isHot());
            }
        });
        cases.forEach((name, results) -> judge(findings, name, isHot.getOrDefault(name, false), results));
        findings.series("capacity", "emulated: each site's work takes the factor as long as on the machine");
        Map<String, Object> cells = new LinkedHashMap<>();
        planned.forEach(cell -> {
            CellResult result = done.get(cell.text());
            if (result != null) {
                cells.put(cell.text() + (isVoid(cell, result) ? " (void)" : ""), result);
            }
        });
        findings.series("brokenOff", broken);
        findings.series("cells", cells);
    }

    private static void judge(Findings findings, String name, boolean isHot, List<CellResult> results) {
        findings.check(
                "reconfiguration.processor",
                name,
                max(results.stream().mapToDouble(result -> result.processor().most())));
        if (isHot) {
            findings.check(
                    "reconfiguration.hot-spot", name, max(results.stream().mapToDouble(CellResult::cut)));
            findings.check("reconfiguration.after", name, min(results.stream().mapToDouble(CellResult::regained)));
        }
        findings.check(
                "reconfiguration.worst-second", name, min(results.stream().mapToDouble(CellResult::worst)));
        findings.check("reconfiguration.hand-off-p99", name, tail(results, CellResult.Pauses::handOffs));
        findings.check(
                "reconfiguration.hand-off-longest",
                name,
                max(all(results, CellResult.Pauses::handOffsBeyond).mapToDouble(Double::doubleValue)));
        findings.check("reconfiguration.start-lock-p99", name, tail(results, CellResult.Pauses::startLocks));
    }

    private static Stream<Double> all(List<CellResult> results, Function<CellResult.Pauses, List<Double>> figure) {
        return results.stream().flatMap(result -> figure.apply(result.pauses()).stream());
    }

    private static double tail(List<CellResult> results, Function<CellResult.Pauses, List<Double>> figure) {
        return Percentile.of(all(results, figure).toList(), TAIL);
    }

    private static double max(DoubleStream values) {
        return values.max().orElse(Double.NaN);
    }

    private static double min(DoubleStream values) {
        return values.min().orElse(Double.NaN);
    }
}
