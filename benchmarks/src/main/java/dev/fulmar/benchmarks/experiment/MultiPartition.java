package dev.fulmar.benchmarks.experiment;

import dev.fulmar.benchmarks.drive.LoadReport;
import dev.fulmar.benchmarks.drive.LoadShape;
import dev.fulmar.benchmarks.pairs.PairsWorkload;
import dev.fulmar.benchmarks.run.BenchmarkRun;
import dev.fulmar.benchmarks.run.LocalDatabase;
import dev.fulmar.benchmarks.timestone.LineChart;
import dev.fulmar.benchmarks.workload.Workload;
import dev.fulmar.client.FulmarClient;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * What transactions over two partitions cost: throughput and latency of updates of two rows, over the share of those whose rows lie on two partitions, on
 * one node. All shares are measured in turns; what counts is the median.
 */
final class MultiPartition implements Experiment {
    private static final List<Integer> SHARES = List.of(0, 1, 5, 10, 25, 50, 100);
    private static final int PARTITIONS = 2;

    /** Clients take the other core. */
    private static final int SITES = 1;

    private static final int ROUNDS = 5;
    private static final int QUICK_ROUNDS = 3;
    private static final int SECONDS = 4;
    private static final int QUICK_SECONDS = 2;
    private static final int WARMUP_SECONDS = 1;
    private static final int FIRST_WARMUP_SECONDS = 8;
    private static final int CONNECTIONS = 4;
    private static final int DEPTH = 32;

    @Override
    public String name() {
        return "multi-partition";
    }

    @Override
    public String meaning() {
        return "throughput and p99 over the share of transactions on two partitions";
    }

    @Override
    public Findings run(Settings settings) throws Exception {
        Findings findings = new Findings(name(), settings.quick(), "none");
        List<List<LoadReport>> reports = new ArrayList<>();
        SHARES.forEach(share -> reports.add(new ArrayList<>()));
        List<String> problems = new ArrayList<>();
        try (LocalDatabase database = LocalDatabase.startWithRanges(
                        PARTITIONS, SITES, PairsWorkload.PARTS, Map.of("memory.limit", "2g"));
                FulmarClient client = database.connect(1024)) {
            new BenchmarkRun(client, new PairsWorkload(0), Workload.Progress.silent()).prepare();
            LoadShape first = new LoadShape(CONNECTIONS, DEPTH, 0, FIRST_WARMUP_SECONDS, 1);
            measure(client, SHARES.get(SHARES.size() / 2), first, settings.seed(), problems);
            int seconds = settings.quick() ? QUICK_SECONDS : SECONDS;
            LoadShape shape = new LoadShape(CONNECTIONS, DEPTH, 0, WARMUP_SECONDS, seconds);
            int rounds = settings.quick() ? QUICK_ROUNDS : ROUNDS;
            for (int round = 1; round <= rounds; round++) {
                for (int place = 0; place < SHARES.size(); place++) {
                    int share = SHARES.get(place);
                    LoadReport report = measure(client, share, shape, settings.seed() + round, problems);
                    reports.get(place).add(report);
                    settings.output()
                            .accept(String.format(
                                    Locale.ROOT,
                                    "round %d, %3d %% on two partitions: %,8.0f/s, p50 %d us, p99 %d us",
                                    round,
                                    share,
                                    report.throughputPerSecond(),
                                    report.latency().p50Micros(),
                                    report.latency().p99Micros()));
                }
            }
        }
        problems.forEach(settings.output());
        findings.check("multi-partition.problems", problems.size());
        show(findings, reports);
        return findings;
    }

    private static LoadReport measure(FulmarClient client, int share, LoadShape shape, long seed, List<String> problems)
            throws InterruptedException {
        PairsWorkload workload = new PairsWorkload(share);
        workload.noteBaseline(client);
        BenchmarkRun run = new BenchmarkRun(client, workload, Workload.Progress.silent());
        LoadReport report = run.measure(shape, seed, (second, warmup, done, aborted, failed, latency) -> {});
        problems.addAll(run.verify());
        report.failures().forEach((code, failure) -> problems.add(code + ": " + failure.firstMessage()));
        return report;
    }

    private static void show(Findings findings, List<List<LoadReport>> reports) {
        double alone = median(reports.get(0), LoadReport::throughputPerSecond);
        List<Map<String, Object>> curve = new ArrayList<>();
        List<Double> rates = new ArrayList<>();
        List<Double> middles = new ArrayList<>();
        List<Double> tails = new ArrayList<>();
        for (int place = 0; place < SHARES.size(); place++) {
            List<LoadReport> turns = reports.get(place);
            double rate = median(turns, LoadReport::throughputPerSecond);
            double p50 = median(turns, report -> report.latency().p50Micros());
            double p99 = median(turns, report -> report.latency().p99Micros());
            rates.add(rate);
            middles.add(p50);
            tails.add(p99);
            Map<String, Object> point = new LinkedHashMap<>();
            point.put("percentOnTwoPartitions", SHARES.get(place));
            point.put("perSecond", rate);
            point.put("ofTheRateWithoutAny", rate / alone);
            point.put("p50Micros", p50);
            point.put("p99Micros", p99);
            point.put(
                    "turnsPerSecond",
                    turns.stream().map(LoadReport::throughputPerSecond).toList());
            curve.add(point);
        }
        findings.series("curve", curve);
        findings.series("partitions", PARTITIONS);
        findings.series("sites", SITES);
        findings.series("inFlight", CONNECTIONS * DEPTH);
        List<String> places = SHARES.stream().map(share -> share + " %").toList();
        LineChart throughput = new LineChart(
                "Updates of two rows", "places: share on two partitions, of one node", "transactions/s", places);
        throughput.line("throughput", rates);
        findings.picture("throughput", throughput.toSvg());
        LineChart latency = new LineChart(
                "Updates of two rows", "places: share on two partitions, of one node", "microseconds", places);
        latency.line("p50", middles);
        latency.line("p99", tails);
        findings.picture("latency", latency.toSvg());
    }

    private static double median(List<LoadReport> turns, ToDoubleFunction<LoadReport> figure) {
        double[] sorted = turns.stream().mapToDouble(figure).sorted().toArray();
        return sorted[sorted.length / 2];
    }
}
