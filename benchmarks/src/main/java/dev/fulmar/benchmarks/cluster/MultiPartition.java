package dev.fulmar.benchmarks.cluster;

import dev.fulmar.benchmarks.drive.LoadReport;
import dev.fulmar.benchmarks.drive.LoadShape;
import dev.fulmar.benchmarks.experiment.Experiment;
import dev.fulmar.benchmarks.experiment.Findings;
import dev.fulmar.benchmarks.experiment.TemporaryDirectory;
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

/**
 * Cost of transactions over two partitions: throughput and latency of updates of two rows, by the share of those over
 * two partitions. It runs on one node and on clusters of 2 to 4 nodes, where the two partitions are on two nodes. All
 * shares are measured in turns; what counts is the median. The nodes of a cluster share the machine, so its curves show
 * what crossing nodes costs, not what more machines bring.
 */
public final class MultiPartition implements Experiment {
    private static final List<Integer> SHARES = List.of(0, 1, 5, 10, 25, 50, 100);
    private static final int PARTITIONS = 2;

    /** Clients take the other core. */
    private static final int SITES = 1;

    private static final List<Integer> CLUSTERS = List.of(2, 3, 4);
    private static final List<Integer> QUICK_CLUSTERS = List.of(2);
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
        List<String> problems = new ArrayList<>();
        try (LocalDatabase database = LocalDatabase.startWithRanges(
                        PARTITIONS, SITES, PairsWorkload.PARTS, Map.of("memory.limit", "2g"));
                FulmarClient client = database.connect(1024)) {
            new BenchmarkRun(client, new PairsWorkload(0), Workload.Progress.silent()).prepare();
            show(findings, 1, turns(client, 1, settings, problems));
        }
        for (int nodes : settings.quick() ? QUICK_CLUSTERS : CLUSTERS) {
            try (TemporaryDirectory directory = TemporaryDirectory.create("fulmar-multi-partition-");
                    LoadedCluster cluster = LoadedCluster.start(directory.path(), nodes, 2 * nodes, 1, "none")) {
                show(findings, nodes, turns(cluster.client(), nodes, settings, problems));
            }
        }
        problems.forEach(settings.output());
        findings.check("multi-partition.problems", problems.size());
        findings.series("sites", SITES);
        findings.series("inFlight", CONNECTIONS * DEPTH);
        return findings;
    }

    /** The reports of all shares, a list of turns each. */
    private static List<List<LoadReport>> turns(
            FulmarClient client, int nodes, Settings settings, List<String> problems) throws InterruptedException {
        List<List<LoadReport>> reports = new ArrayList<>();
        SHARES.forEach(share -> reports.add(new ArrayList<>()));
        LoadShape first = new LoadShape(CONNECTIONS, DEPTH, 0, FIRST_WARMUP_SECONDS, 1);
        measure(client, SHARES.get(SHARES.size() / 2), first, settings.seed(), problems);
        boolean brief = settings.quick() && nodes > 1;
        int seconds = brief ? 1 : settings.quick() ? QUICK_SECONDS : SECONDS;
        LoadShape shape = new LoadShape(CONNECTIONS, DEPTH, 0, WARMUP_SECONDS, seconds);
        int rounds = brief ? 1 : settings.quick() ? QUICK_ROUNDS : ROUNDS;
        for (int round = 1; round <= rounds; round++) {
            for (int place = 0; place < SHARES.size(); place++) {
                int share = SHARES.get(place);
                LoadReport report = measure(client, share, shape, settings.seed() + round, problems);
                reports.get(place).add(report);
                settings.output()
                        .accept(String.format(
                                Locale.ROOT,
                                "nodes %d, round %d, %3d %% on two partitions: %,8.0f/s, p50 %d us, p99 %d us",
                                nodes,
                                round,
                                share,
                                report.throughputPerSecond(),
                                report.latency().p50Micros(),
                                report.latency().p99Micros()));
            }
        }
        return reports;
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

    private static void show(Findings findings, int nodes, List<List<LoadReport>> reports) {
        double alone = Percentile.median(reports.get(0), LoadReport::throughputPerSecond);
        List<Map<String, Object>> curve = new ArrayList<>();
        List<Double> rates = new ArrayList<>();
        List<Double> middles = new ArrayList<>();
        List<Double> tails = new ArrayList<>();
        for (int place = 0; place < SHARES.size(); place++) {
            List<LoadReport> turns = reports.get(place);
            double rate = Percentile.median(turns, LoadReport::throughputPerSecond);
            double p50 = Percentile.median(turns, report -> report.latency().p50Micros());
            double p99 = Percentile.median(turns, report -> report.latency().p99Micros());
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
        String suffix = nodes == 1 ? "" : "-" + nodes + "-nodes";
        findings.series("curve" + suffix, curve);
        findings.series("partitions" + suffix, nodes == 1 ? PARTITIONS : 2 * nodes);
        List<String> places = SHARES.stream().map(share -> share + " %").toList();
        LineChart throughput = new LineChart(
                "Updates of two rows", "places: share on two partitions, nodes: " + nodes, "transactions/s", places);
        throughput.line("throughput", rates);
        findings.picture("throughput" + suffix, throughput.toSvg());
        LineChart latency = new LineChart(
                "Updates of two rows", "places: share on two partitions, nodes: " + nodes, "microseconds", places);
        latency.line("p50", middles);
        latency.line("p99", tails);
        findings.picture("latency" + suffix, latency.toSvg());
    }
}
