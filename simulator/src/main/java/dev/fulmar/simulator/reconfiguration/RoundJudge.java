package dev.fulmar.simulator.reconfiguration;

import dev.fulmar.benchmarks.experiment.Findings;
import dev.fulmar.foundation.error.ErrorCode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToLongFunction;

/** Compares the rounds of a campaign with the goals. */
final class RoundJudge {
    private static final double MILLIS_PER_SECOND = 1e3;

    private RoundJudge() {}

    /** Judges the rounds; one that was planned and is missing counts against the campaign. */
    static void report(Findings findings, Map<Strike.Kind, Integer> planned, List<RoundResult> rounds) {
        planned.forEach((kind, count) -> findings.check(
                "reconfiguration-kills.rounds",
                kind.text(),
                (double) of(kind, rounds).size() / count));
        long struck = rounds.stream().filter(RoundResult::isStruck).count();
        findings.check("reconfiguration-kills.struck", (double) struck / Math.max(1, rounds.size()));
        findings.check(
                "reconfiguration-kills.end",
                rounds.stream()
                        .mapToDouble(round -> round.times().end() / MILLIS_PER_SECOND)
                        .max()
                        .orElse(Double.NaN));
        findings.check(
                "reconfiguration-kills.problems",
                rounds.stream().mapToInt(round -> round.problems().size()).sum());
        long committed = rounds.stream().mapToLong(RoundResult::committed).sum();
        findings.check("reconfiguration-kills.commits-per-round", (double) committed / Math.max(1, rounds.size()));
        Map<String, Object> byKind = new LinkedHashMap<>();
        planned.keySet().forEach(kind -> byKind.put(kind.text(), figures(of(kind, rounds))));
        findings.series("byFault", byKind);
        findings.series("committed", committed);
        findings.series(
                "copiesCompared",
                rounds.stream().mapToInt(RoundResult::copiesCompared).sum());
        findings.series("failuresByCode", failures(rounds));
        findings.series("rounds", rounds.stream().map(RoundResult::asMap).toList());
    }

    private static List<RoundResult> of(Strike.Kind kind, List<RoundResult> rounds) {
        return rounds.stream().filter(round -> round.kind() == kind).toList();
    }

    private static Map<String, Object> figures(List<RoundResult> rounds) {
        Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("rounds", rounds.size());
        figures.put("struck", rounds.stream().filter(RoundResult::isStruck).count());
        figures.put(
                "endAfterAllBackMillis", spread(rounds, round -> round.times().end()));
        figures.put("gapMillis", spread(rounds, round -> round.times().gap()));
        figures.put(
                "gapOfAWarehouseMillis", spread(rounds, round -> round.times().gapOfAWarehouse()));
        return figures;
    }

    private static Map<String, Long> spread(List<RoundResult> rounds, ToLongFunction<RoundResult> figure) {
        List<Long> values =
                new ArrayList<>(rounds.stream().map(figure::applyAsLong).toList());
        if (values.isEmpty()) {
            return Map.of();
        }
        Collections.sort(values);
        Map<String, Long> spread = new LinkedHashMap<>();
        spread.put("median", values.get(values.size() / 2));
        spread.put("longest", values.getLast());
        return spread;
    }

    private static Map<String, Long> failures(List<RoundResult> rounds) {
        Map<ErrorCode, Long> sum = new TreeMap<>();
        rounds.forEach(round -> round.failures().forEach((code, count) -> sum.merge(code, count, Long::sum)));
        Map<String, Long> named = new LinkedHashMap<>();
        sum.forEach((code, count) -> named.put(code.name(), count));
        return named;
    }
}
