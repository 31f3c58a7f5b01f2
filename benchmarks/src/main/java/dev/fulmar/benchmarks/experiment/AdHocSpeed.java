package dev.fulmar.benchmarks.experiment;

import dev.fulmar.benchmarks.drive.LoadReport;
import dev.fulmar.benchmarks.drive.LoadShape;
import dev.fulmar.benchmarks.lookup.LookupWorkload;
import dev.fulmar.benchmarks.run.BenchmarkRun;
import dev.fulmar.benchmarks.run.LocalDatabase;
import dev.fulmar.benchmarks.workload.Workload;
import dev.fulmar.client.FulmarClient;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Cost of a statement that the client sends as text, against the same statement as a procedure. The ways are measured
 * in turns; what counts is the median.
 */
public final class AdHocSpeed implements Experiment {
    private static final int ROUNDS = 5;
    private static final int QUICK_ROUNDS = 3;
    private static final int SECONDS = 5;
    private static final int QUICK_SECONDS = 2;
    private static final int WARMUP_SECONDS = 1;
    private static final int FIRST_WARMUP_SECONDS = 6;
    private static final int CONNECTIONS = 4;
    private static final int DEPTH = 32;
    private static final int PARTITIONS = 2;

    @Override
    public String name() {
        return "ad-hoc";
    }

    @Override
    public String meaning() {
        return "rate of ad hoc point SELECTs against the same statement as a procedure";
    }

    @Override
    public Findings run(Settings settings) throws Exception {
        Findings findings = new Findings(name(), settings.quick(), "none");
        Map<LookupWorkload.Way, List<Double>> rates = new EnumMap<>(LookupWorkload.Way.class);
        List<String> problems = new ArrayList<>();
        Map<String, String> node =
                Map.of("partitions", Integer.toString(PARTITIONS), "sites", "1", "memory.limit", "1g");
        try (LocalDatabase database = LocalDatabase.start(node);
                FulmarClient client = database.connect(1024)) {
            new BenchmarkRun(client, new LookupWorkload(LookupWorkload.Way.PROCEDURE), Workload.Progress.silent())
                    .prepare();
            int rounds = settings.quick() ? QUICK_ROUNDS : ROUNDS;
            for (int round = 0; round <= rounds; round++) {
                for (LookupWorkload.Way way : LookupWorkload.Way.values()) {
                    int seconds = settings.quick() ? QUICK_SECONDS : SECONDS;
                    int warmup = round == 0 ? FIRST_WARMUP_SECONDS : WARMUP_SECONDS;
                    LoadShape shape = new LoadShape(CONNECTIONS, DEPTH, 0, warmup, round == 0 ? 1 : seconds);
                    BenchmarkRun run = new BenchmarkRun(client, new LookupWorkload(way), Workload.Progress.silent());
                    LoadReport report = run.measure(
                            shape, settings.seed() + round, (second, isWarmup, done, aborted, failed, latency) -> {});
                    problems.addAll(run.verify());
                    report.failures().forEach((code, failure) -> problems.add(code + ": " + failure.firstMessage()));
                    if (round > 0) {
                        rates.computeIfAbsent(way, _ -> new ArrayList<>()).add(report.throughputPerSecond());
                        settings.output()
                                .accept(String.format(
                                        Locale.ROOT,
                                        "round %d, %-9s %,9.0f/s, p50 %d us, p99 %d us",
                                        round,
                                        way,
                                        report.throughputPerSecond(),
                                        report.latency().p50Micros(),
                                        report.latency().p99Micros()));
                    }
                }
            }
        }
        problems.forEach(settings.output());
        findings.check("ad-hoc.problems", problems.size());
        double procedure = median(rates, LookupWorkload.Way.PROCEDURE);
        findings.check("ad-hoc.literal", median(rates, LookupWorkload.Way.LITERAL) / procedure);
        findings.check("ad-hoc.parameter", median(rates, LookupWorkload.Way.PARAMETER) / procedure);
        findings.series("perSecond", rates);
        findings.series("partitions", PARTITIONS);
        findings.series("inFlight", CONNECTIONS * DEPTH);
        return findings;
    }

    private static double median(Map<LookupWorkload.Way, List<Double>> rates, LookupWorkload.Way way) {
        List<Double> sorted =
                rates.getOrDefault(way, List.of()).stream().sorted().toList();
        return sorted.get(sorted.size() / 2);
    }
}
