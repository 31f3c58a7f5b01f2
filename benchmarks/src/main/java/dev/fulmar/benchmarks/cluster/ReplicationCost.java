package dev.fulmar.benchmarks.cluster;

import dev.fulmar.benchmarks.drive.LoadShape;
import dev.fulmar.benchmarks.experiment.Experiment;
import dev.fulmar.benchmarks.experiment.Findings;
import dev.fulmar.benchmarks.experiment.TemporaryDirectory;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Cost of a second copy: the throughput of single-partition transactions with k=1 against k=0, on as many nodes. The
 * nodes share the machine with each other and the clients. Two clusters take turns under the same load; what counts is
 * the median of the ratios. Where the time goes is told by the processor time of the nodes' threads for each
 * transaction.
 */
public final class ReplicationCost implements Experiment {
    private static final int NODES = 2;
    private static final int PARTITIONS = 2;
    private static final List<String> MODES = List.of("none", "sync");
    private static final int ROUNDS = 5;
    private static final int QUICK_ROUNDS = 2;
    private static final int SECONDS = 5;
    private static final int QUICK_SECONDS = 3;
    private static final int FIRST_WARMUP_SECONDS = 10;
    private static final int QUICK_FIRST_WARMUP_SECONDS = 5;
    private static final int WARMUP_SECONDS = 1;
    private static final int CONNECTIONS = 4;
    private static final int DEPTH = 32;

    @Override
    public String name() {
        return "replication-cost";
    }

    @Override
    public String meaning() {
        return "throughput with a second copy of everything against one, and network bytes per transaction";
    }

    @Override
    public Findings run(Settings settings) throws Exception {
        Findings findings = new Findings(name(), settings.quick(), "none and sync");
        List<String> problems = new ArrayList<>();
        for (String mode : MODES) {
            try (TemporaryDirectory directory = TemporaryDirectory.create("fulmar-replication-cost-");
                    LoadedCluster alone = start(directory.path().resolve("k0"), 1, mode);
                    LoadedCluster replicated = start(directory.path().resolve("k1"), 2, mode)) {
                new Mode(settings, mode, alone, replicated, problems).measure(findings);
            }
        }
        problems.forEach(settings.output());
        findings.check("replication-cost.problems", problems.size());
        findings.series("nodes", NODES);
        findings.series("partitions", PARTITIONS);
        findings.series("inFlight", CONNECTIONS * DEPTH);
        return findings;
    }

    private static LoadedCluster start(Path directory, int copies, String mode)
            throws IOException, InterruptedException {
        return LoadedCluster.start(directory, NODES, PARTITIONS, copies, mode);
    }

    /** The turns with one durability. */
    private record Mode(
            Settings settings, String name, LoadedCluster alone, LoadedCluster replicated, List<String> problems) {
        void measure(Findings findings) throws IOException, InterruptedException {
            boolean quick = settings.quick();
            int warmup = quick ? QUICK_FIRST_WARMUP_SECONDS : FIRST_WARMUP_SECONDS;
            turn(alone, warmup, 1, 0);
            turn(replicated, warmup, 1, 0);
            List<LoadedCluster.Turn> before = new ArrayList<>();
            List<LoadedCluster.Turn> after = new ArrayList<>();
            for (int round = 1; round <= (quick ? QUICK_ROUNDS : ROUNDS); round++) {
                int seconds = quick ? QUICK_SECONDS : SECONDS;
                boolean aloneFirst = round % 2 == 1;
                if (aloneFirst) {
                    before.add(turn(alone, WARMUP_SECONDS, seconds, round));
                }
                after.add(turn(replicated, WARMUP_SECONDS, seconds, round));
                if (!aloneFirst) {
                    before.add(turn(alone, WARMUP_SECONDS, seconds, round));
                }
                settings.output()
                        .accept(String.format(
                                Locale.ROOT,
                                "%s, round %d: k=0 %,.0f/s, k=1 %,.0f/s",
                                name,
                                round,
                                before.getLast().report().throughputPerSecond(),
                                after.getLast().report().throughputPerSecond()));
            }
            findings.check("replication-cost.share", name, medianRatio(after, before));
            findings.series(name + " k=0", figures(before));
            findings.series(name + " k=1", figures(after));
        }

        private LoadedCluster.Turn turn(LoadedCluster cluster, int warmup, int seconds, int round)
                throws IOException, InterruptedException {
            LoadedCluster.Turn turn =
                    cluster.measure(new LoadShape(CONNECTIONS, DEPTH, 0, warmup, seconds), settings.seed() + round);
            problems.addAll(turn.problems());
            return turn;
        }
    }

    /** The median over the rounds of the share of throughput that is left. */
    static double medianRatio(List<LoadedCluster.Turn> after, List<LoadedCluster.Turn> before) {
        List<Double> ratios = new ArrayList<>();
        for (int i = 0; i < after.size(); i++) {
            ratios.add(after.get(i).report().throughputPerSecond()
                    / before.get(i).report().throughputPerSecond());
        }
        return Percentile.of(ratios, 50);
    }

    static Map<String, Object> figures(List<LoadedCluster.Turn> turns) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("perSecond", Percentile.median(turns, turn -> turn.report().throughputPerSecond()));
        map.put(
                "p50Micros",
                Percentile.median(turns, turn -> turn.report().latency().p50Micros()));
        map.put(
                "p99Micros",
                Percentile.median(turns, turn -> turn.report().latency().p99Micros()));
        map.put(
                "messagesPerTransaction",
                Percentile.median(
                        turns,
                        turn -> turn.perTransaction((double) turn.traffic().messages())));
        map.put(
                "bytesPerTransaction",
                Percentile.median(
                        turns,
                        turn -> turn.perTransaction((double) turn.traffic().bytes())));
        map.put(
                "forwardedPerTransaction",
                Percentile.median(
                        turns,
                        turn -> turn.perTransaction((double) turn.traffic().forwarded())));
        map.put(
                "nodeCpuMicrosPerTransaction",
                Percentile.median(turns, turn -> turn.perTransaction(turn.cpu().total() * 1e6)));
        map.put(
                "cpuMicrosPerTransactionByThread",
                turns.getLast().cpu().microsEach(turns.getLast().report().committed()));
        return map;
    }
}
