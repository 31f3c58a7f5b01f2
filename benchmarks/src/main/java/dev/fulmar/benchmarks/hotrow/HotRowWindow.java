package dev.fulmar.benchmarks.hotrow;

import dev.fulmar.benchmarks.cluster.Percentile;
import dev.fulmar.benchmarks.pgbench.BenchSystem;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Figures of some seconds.
 *
 * @param system that they were measured of
 * @param round in which, from 1
 * @param perSecond commits of all sessions
 * @param p99Micros of transactions, from their first attempt on
 * @param retries attempts that failed, and were followed by another one
 * @param least commits of the session with the fewest
 * @param median commits of the session in the middle
 * @param most commits of the session with the most
 */
record HotRowWindow(
        BenchSystem system,
        HotRowCase of,
        int round,
        double perSecond,
        long p50Micros,
        long p99Micros,
        long retries,
        long least,
        long median,
        long most) {
    /** Columns in a file of results. */
    static final int COLUMNS = 10;

    /**
     * @param commits of each session
     * @param micros latencies of all commits
     */
    static HotRowWindow of(
            BenchSystem system, HotRowCase of, int round, double seconds, long[] commits, long[] micros, long retries) {
        long[] sessions = commits.clone();
        long[] latencies = micros.clone();
        Arrays.sort(sessions);
        Arrays.sort(latencies);
        return new HotRowWindow(
                system,
                of,
                round,
                Arrays.stream(sessions).sum() / seconds,
                Percentile.of(latencies, 50),
                Percentile.of(latencies, 99),
                retries,
                sessions[0],
                sessions[sessions.length / 2],
                sessions[sessions.length - 1]);
    }

    List<String> columns() {
        return List.of(
                system.name(),
                of.name(),
                Integer.toString(round),
                Double.toString(perSecond),
                Long.toString(p50Micros),
                Long.toString(p99Micros),
                Long.toString(retries),
                Long.toString(least),
                Long.toString(median),
                Long.toString(most));
    }

    static HotRowWindow parse(List<String> columns) {
        return new HotRowWindow(
                BenchSystem.valueOf(columns.get(0)),
                HotRowCase.valueOf(columns.get(1)),
                Integer.parseInt(columns.get(2)),
                Double.parseDouble(columns.get(3)),
                Long.parseLong(columns.get(4)),
                Long.parseLong(columns.get(5)),
                Long.parseLong(columns.get(6)),
                Long.parseLong(columns.get(7)),
                Long.parseLong(columns.get(8)),
                Long.parseLong(columns.get(9)));
    }

    /** Whether it is the one of a round. */
    boolean is(BenchSystem other, HotRowCase theCase, int number) {
        return system == other && of == theCase && round == number;
    }

    /** How many times the median a session has at most, or the median a session at least: 1 if all have the same. */
    double unevenness() {
        double fewest = (double) median / Math.max(1, least);
        return Math.max(fewest, (double) most / Math.max(1, median));
    }

    String text() {
        return String.format(
                Locale.ROOT,
                "round %d, %s, %s: %,.0f/s, p50 %,d us, p99 %,d us, %,d retries, %,d to %,d commits of a session",
                round,
                of.text(),
                system,
                perSecond,
                p50Micros,
                p99Micros,
                retries,
                least,
                most);
    }
}
