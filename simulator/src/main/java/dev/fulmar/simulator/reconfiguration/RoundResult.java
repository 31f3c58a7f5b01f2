package dev.fulmar.simulator.reconfiguration;

import dev.fulmar.foundation.error.ErrorCode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Result of a reconfiguration that was struck.
 *
 * @param number of the round in its campaign
 * @param victim the node that was killed; 0 for all nodes, or the ZooKeeper
 * @param isStruck whether the reconfiguration was running when the fault struck
 * @param times of the reconfiguration and of its clients
 * @param bucketsMoved as nodes have told; those of a killed node are missing
 * @param copiesCompared copies of warehouses that were compared with their primaries
 * @param committed requests that were acknowledged
 * @param failures numbers of the requests that failed, by code
 * @param problems all that is wrong; none if the round is good
 */
record RoundResult(
        int number,
        Strike.Kind kind,
        int victim,
        boolean isStruck,
        Times times,
        long bucketsMoved,
        int copiesCompared,
        long committed,
        Map<ErrorCode, Long> failures,
        List<String> problems) {
    private static final String PROBLEM_SEPARATOR = " ## ";

    /** Columns of a result. */
    static final int COLUMNS = 14;

    private static final int NUMBERS = 4;
    private static final int FAILURES = 12;
    private static final int PROBLEMS = 13;

    /**
     * Times in milliseconds.
     *
     * @param struckAfter from the start of the reconfiguration to the fault
     * @param down from the fault to the moment when all nodes and the ZooKeeper were back
     * @param end from then on until all nodes said that the reconfiguration is done, or {@link #NEVER}
     * @param gap longest time without any commit
     * @param gapOfAWarehouse longest time for which one warehouse had no commit
     */
    record Times(long struckAfter, long down, long end, long gap, long gapOfAWarehouse) {
        /** It was not awaited. */
        static final long NEVER = Long.MAX_VALUE;
    }

    RoundResult {
        failures = Map.copyOf(failures);
        problems = List.copyOf(problems);
    }

    /** A round that could not be told to its end. */
    static RoundResult broken(int number, Strike.Kind kind, String why) {
        Times times = new Times(0, 0, Times.NEVER, 0, 0);
        return new RoundResult(number, kind, 0, false, times, 0, 0, 0, Map.of(), List.of(why));
    }

    boolean isGood() {
        return problems.isEmpty();
    }

    /** As columns, which {@link #of} reads. */
    List<String> columns() {
        return List.of(
                Integer.toString(number),
                kind.name(),
                Integer.toString(victim),
                Boolean.toString(isStruck),
                Long.toString(times.struckAfter),
                Long.toString(times.down),
                Long.toString(times.end),
                Long.toString(times.gap),
                Long.toString(times.gapOfAWarehouse),
                Long.toString(bucketsMoved),
                Integer.toString(copiesCompared),
                Long.toString(committed),
                failuresText(),
                String.join(PROBLEM_SEPARATOR, problems));
    }

    private String failuresText() {
        return new TreeMap<>(failures)
                .entrySet().stream()
                        .map(entry -> entry.getKey() + "=" + entry.getValue())
                        .collect(Collectors.joining(","));
    }

    /** Reads columns that {@link #columns} made. */
    static RoundResult of(List<String> columns) {
        Map<ErrorCode, Long> failures = new TreeMap<>();
        for (String entry : columns.get(FAILURES).isEmpty()
                ? new String[0]
                : columns.get(FAILURES).split(",", -1)) {
            int sign = entry.indexOf('=');
            failures.put(ErrorCode.valueOf(entry.substring(0, sign)), Long.valueOf(entry.substring(sign + 1)));
        }
        List<Long> numbers =
                columns.subList(NUMBERS, FAILURES).stream().map(Long::valueOf).toList();
        String problems = columns.get(PROBLEMS);
        return new RoundResult(
                Integer.parseInt(columns.get(0)),
                Strike.Kind.valueOf(columns.get(1)),
                Integer.parseInt(columns.get(2)),
                Boolean.parseBoolean(columns.get(3)),
                new Times(numbers.get(0), numbers.get(1), numbers.get(2), numbers.get(3), numbers.get(4)),
                numbers.get(5),
                numbers.get(6).intValue(),
                numbers.get(7),
                failures,
                problems.isEmpty() ? List.of() : List.of(problems.split(PROBLEM_SEPARATOR, -1)));
    }

    /** A line for people. */
    String text() {
        return String.format(
                Locale.ROOT,
                "%s %s after %d ms%s, all back %d ms later, ended %s after that; longest time without a commit %d ms,"
                        + " of a warehouse %d ms; %d commits, failures {%s}%s",
                kind.text(),
                victim == 0 ? "" : "(node " + victim + ")",
                times.struckAfter,
                isStruck ? "" : " (too late)",
                times.down,
                times.end == Times.NEVER ? "never" : times.end + " ms",
                times.gap,
                times.gapOfAWarehouse,
                committed,
                failuresText(),
                problems.isEmpty() ? "" : "; PROBLEMS " + problems);
    }

    /** As figures have it. */
    Map<String, Object> asMap() {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("round", number);
        map.put("fault", kind.text());
        map.put("victim", victim);
        map.put("struck", isStruck);
        map.put("struckAfterMillis", times.struckAfter);
        map.put("downMillis", times.down);
        if (times.end != Times.NEVER) {
            map.put("endAfterAllBackMillis", times.end);
        }
        map.put("gapMillis", times.gap);
        map.put("gapOfAWarehouseMillis", times.gapOfAWarehouse);
        map.put("bucketsMoved", bucketsMoved);
        map.put("copiesCompared", copiesCompared);
        map.put("committed", committed);
        map.put("failures", new TreeMap<>(failures));
        map.put("problems", problems);
        return map;
    }
}
