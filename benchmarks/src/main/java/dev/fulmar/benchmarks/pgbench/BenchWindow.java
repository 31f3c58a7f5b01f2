package dev.fulmar.benchmarks.pgbench;

import dev.fulmar.benchmarks.cluster.Percentile;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Figures of one run of pgbench.
 *
 * @param system that it ran against
 * @param round in which it ran, from 1
 * @param perSecond transactions that were committed
 * @param transactions all that came to an end
 * @param failed transactions that were not committed
 */
record BenchWindow(
        BenchSystem system,
        BenchCase of,
        int round,
        double perSecond,
        long p50Micros,
        long p99Micros,
        long transactions,
        long failed) {
    /** Columns in a file of results. */
    static final int COLUMNS = 9;

    /** The percentiles of the latencies, which become sorted. */
    static BenchWindow of(
            BenchSystem system, BenchCase of, int round, double perSecond, long[] latencyMicros, long failed) {
        Arrays.sort(latencyMicros);
        return new BenchWindow(
                system,
                of,
                round,
                perSecond,
                Percentile.of(latencyMicros, 50),
                Percentile.of(latencyMicros, 99),
                latencyMicros.length + failed,
                failed);
    }

    List<String> columns() {
        return List.of(
                system.name(),
                of.script(),
                Integer.toString(of.clients()),
                Integer.toString(round),
                Double.toString(perSecond),
                Long.toString(p50Micros),
                Long.toString(p99Micros),
                Long.toString(transactions),
                Long.toString(failed));
    }

    static BenchWindow parse(List<String> columns) {
        return new BenchWindow(
                BenchSystem.valueOf(columns.get(0)),
                new BenchCase(columns.get(1), Integer.parseInt(columns.get(2))),
                Integer.parseInt(columns.get(3)),
                Double.parseDouble(columns.get(4)),
                Long.parseLong(columns.get(5)),
                Long.parseLong(columns.get(6)),
                Long.parseLong(columns.get(7)),
                Long.parseLong(columns.get(8)));
    }

    /** Whether it is the one of a round. */
    boolean is(BenchSystem other, BenchCase theCase, int number) {
        return system == other && of.equals(theCase) && round == number;
    }

    String text() {
        return String.format(
                Locale.ROOT,
                "round %d, %s, %s: %,.0f/s, p50 %,d us, p99 %,d us, %d failed",
                round,
                of.text(),
                system,
                perSecond,
                p50Micros,
                p99Micros,
                failed);
    }
}
