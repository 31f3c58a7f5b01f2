package dev.fulmar.simulator.chaos;

import dev.fulmar.benchmarks.experiment.Findings;
import dev.fulmar.simulator.verify.Transaction;
import dev.fulmar.simulator.verify.Transaction.Outcome;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Sum of the results of chapters. One thread at a time. */
final class ChaosTally {
    private static final String SEPARATOR = "\t";
    private static final int COUNTS = 6;

    private final Map<Fault.Kind, Integer> survived = new EnumMap<>(Fault.Kind.class);
    private final Map<String, Integer> failures = new TreeMap<>();
    private final List<String> violations = new ArrayList<>();
    private long committed;
    private long unknown;
    private long failed;
    private long sessions;

    /** The cluster has had the fault and all its copies are in sync again. */
    void survived(Fault.Kind kind) {
        survived.merge(kind, 1, Integer::sum);
    }

    void clientFailures(Map<String, Integer> byCode) {
        byCode.forEach((code, count) -> failures.merge(code, count, Integer::sum));
    }

    /** So many transactions of many statements were committed. */
    void sessions(int count) {
        sessions += count;
    }

    /** Adds another tally to this one. */
    void add(ChaosTally other) {
        other.survived.forEach((kind, count) -> survived.merge(kind, count, Integer::sum));
        clientFailures(other.failures);
        violations.addAll(other.violations);
        committed += other.committed;
        unknown += other.unknown;
        failed += other.failed;
        sessions += other.sessions;
    }

    /** All of it in one line. */
    String line() {
        List<String> columns = new ArrayList<>();
        columns.add(counts(survived));
        columns.add(counts(failures));
        columns.addAll(List.of(
                Long.toString(committed), Long.toString(unknown), Long.toString(failed), Long.toString(sessions)));
        violations.forEach(violation -> columns.add(violation.replaceAll("\\s+", " ")));
        return String.join(SEPARATOR, columns);
    }

    private static String counts(Map<?, Integer> counts) {
        return counts.entrySet().stream()
                .map(entry -> entry.getKey() + "=" + entry.getValue())
                .collect(Collectors.joining(","));
    }

    /** Parses a line that {@link #line} made. */
    static ChaosTally of(String line) {
        List<String> columns = List.of(line.split(SEPARATOR, -1));
        ChaosTally tally = new ChaosTally();
        readCounts(columns.get(0)).forEach((kind, count) -> tally.survived.put(Fault.Kind.valueOf(kind), count));
        tally.failures.putAll(readCounts(columns.get(1)));
        tally.committed = Long.parseLong(columns.get(2));
        tally.unknown = Long.parseLong(columns.get(3));
        tally.failed = Long.parseLong(columns.get(4));
        tally.sessions = Long.parseLong(columns.get(5));
        tally.violations.addAll(columns.subList(COUNTS, columns.size()));
        return tally;
    }

    private static Map<String, Integer> readCounts(String text) {
        Map<String, Integer> counts = new TreeMap<>();
        for (String entry : text.isEmpty() ? new String[0] : text.split(",", -1)) {
            int sign = entry.indexOf('=');
            counts.put(entry.substring(0, sign), Integer.valueOf(entry.substring(sign + 1)));
        }
        return counts;
    }

    /** The history of a chapter, and what is wrong with it. */
    void chapter(List<Transaction> history, List<String> found) {
        committed += count(history, Outcome.OK);
        unknown += count(history, Outcome.UNKNOWN);
        failed += count(history, Outcome.FAILED);
        violations.addAll(found);
    }

    private static long count(List<Transaction> history, Outcome outcome) {
        return history.stream()
                .filter(transaction -> transaction.outcome() == outcome)
                .count();
    }

    /** A chapter could not be told to its end. */
    void broke(String why) {
        violations.add(why);
    }

    int violations() {
        return violations.size();
    }

    /** Compares with what was planned. A run with few commits per fault shows nothing. */
    void report(Findings findings, Map<Fault.Kind, Integer> planned) {
        int faults = 0;
        for (Map.Entry<Fault.Kind, Integer> each : planned.entrySet()) {
            int done = survived.getOrDefault(each.getKey(), 0);
            faults += done;
            if (each.getValue() > 0) {
                findings.check(
                        "chaos.faults",
                        each.getKey().name().toLowerCase(Locale.ROOT).replace('_', ' '),
                        (double) done / each.getValue());
            }
        }
        findings.check("chaos.violations", violations.size());
        findings.check("chaos.commits-per-fault", (double) committed / Math.max(1, faults));
        Map<String, Integer> counts = new TreeMap<>();
        survived.forEach((kind, count) -> counts.put(kind.name(), count));
        findings.series("faults", counts);
        findings.series("committed", committed);
        findings.series("unknown", unknown);
        findings.series("failed", failed);
        findings.series("committedSessions", sessions);
        findings.series("failuresByCode", failures);
        findings.series("violations", List.copyOf(violations));
    }
}
