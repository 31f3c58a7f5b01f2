package dev.fulmar.launcher;

import dev.fulmar.benchmarks.drive.LoadReport;
import dev.fulmar.benchmarks.run.BenchmarkReport;
import java.io.PrintWriter;
import java.util.Locale;

/** Writes a benchmark's report for people. */
final class ReportText {
    private static final int PROBLEMS_SHOWN = 10;

    private ReportText() {}

    static void print(BenchmarkReport report, PrintWriter out) {
        LoadReport load = report.load();
        LoadReport.Latency latency = load.latency();
        out.println();
        out.printf(
                Locale.ROOT,
                "%s: %,.0f transactions/s committed over %.1f s (%,d committed, %,d rolled back by their procedure, %,d failed)%n",
                report.workload(),
                load.throughputPerSecond(),
                load.seconds(),
                load.committed(),
                load.aborted(),
                load.failed());
        out.printf(
                Locale.ROOT,
                "latency in microseconds: p50 %,d   p90 %,d   p99 %,d   p99.9 %,d   max %,d%n",
                latency.p50Micros(),
                latency.p90Micros(),
                latency.p99Micros(),
                latency.p999Micros(),
                latency.maxMicros());
        out.printf(
                Locale.ROOT,
                "%d partitions on %d sites, durability %s, %d clients with %d requests in flight each%n",
                report.server().partitions(),
                report.server().sites(),
                report.server().durability(),
                report.shape().clients(),
                report.shape().inFlight());
        load.failures()
                .forEach((code, failure) -> out.printf(
                        Locale.ROOT,
                        "failed with %s: %,d, first: %s%n",
                        code,
                        failure.count(),
                        failure.firstMessage()));
        report.problems().stream().limit(PROBLEMS_SHOWN).forEach(problem -> out.println("problem: " + problem));
        if (report.problems().size() > PROBLEMS_SHOWN) {
            out.println("... and " + (report.problems().size() - PROBLEMS_SHOWN) + " more problems");
        }
        out.println("verified: " + report.verified());
        out.flush();
    }
}
