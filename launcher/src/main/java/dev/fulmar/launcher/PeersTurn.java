package dev.fulmar.launcher;

import dev.fulmar.benchmarks.drive.LoadReport;
import dev.fulmar.benchmarks.drive.LoadShape;
import dev.fulmar.benchmarks.pairs.PairsWorkload;
import dev.fulmar.benchmarks.peers.PeersWorkload;
import dev.fulmar.benchmarks.run.BenchmarkRun;
import dev.fulmar.benchmarks.run.Workloads;
import dev.fulmar.benchmarks.workload.Workload;
import dev.fulmar.client.FulmarClient;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Executes {@code bench peers-turn}: one measurement of a running Fulmar, for an external program that compares
 * databases. Variables of the environment describe it; the outcome is one line. A difference between the tables'
 * figures and the commits of this turn counts as errors.
 */
final class PeersTurn {
    private final Map<String, String> environment;
    private final PrintWriter out;

    PeersTurn(Map<String, String> environment, PrintWriter out) {
        this.environment = environment;
        this.out = out;
    }

    int run(ConnectionOptions connection) throws InterruptedException {
        LoadShape shape = new LoadShape(
                number("PEERS_CONNECTIONS", 4),
                number("PEERS_DEPTH", 32),
                0,
                number("PEERS_WARMUP", 2),
                number("PEERS_SECONDS", 3));
        try (FulmarClient client = connection.connect(Math.max(1024, shape.streams()))) {
            Workload workload = workload(client);
            BenchmarkRun run = new BenchmarkRun(client, workload, Workload.Progress.silent());
            LoadReport report =
                    run.measure(shape, System.nanoTime(), (second, warmup, committed, aborted, failed, latency) -> {});
            List<String> problems = run.verify();
            problems.forEach(System.err::println);
            report.failures().forEach((code, failure) -> System.err.println(code + ": " + failure.firstMessage()));
            out.printf(
                    Locale.ROOT,
                    "throughput=%.0f p50=%d p99=%d errors=%d%n",
                    report.throughputPerSecond(),
                    report.latency().p50Micros(),
                    report.latency().p99Micros(),
                    report.failed() + report.aborted() + problems.size());
            out.flush();
            return problems.isEmpty() ? 0 : 1;
        }
    }

    private Workload workload(FulmarClient client) {
        String name = environment.getOrDefault("PEERS_WORKLOAD", "tpcc").toLowerCase(Locale.ROOT);
        if (name.startsWith("pairs-")) {
            PairsWorkload pairs = Workloads.pairs(name);
            pairs.noteBaseline(client);
            return pairs;
        }
        PeersWorkload peers = new PeersWorkload(PeersWorkload.Kind.valueOf(name.toUpperCase(Locale.ROOT)));
        peers.noteBaseline(client);
        return peers;
    }

    private int number(String name, int defaultValue) {
        String text = environment.get(name);
        return text == null ? defaultValue : Integer.parseInt(text);
    }
}
