package dev.fulmar.launcher;

import dev.fulmar.benchmarks.cluster.NodeLossDemo;
import dev.fulmar.benchmarks.drive.LoadReport;
import dev.fulmar.benchmarks.drive.LoadShape;
import dev.fulmar.benchmarks.run.BenchmarkReport;
import dev.fulmar.benchmarks.run.BenchmarkRun;
import dev.fulmar.benchmarks.run.LocalDatabase;
import dev.fulmar.benchmarks.run.Workloads;
import dev.fulmar.benchmarks.workload.Workload;
import dev.fulmar.client.FulmarClient;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Shows Fulmar at work. */
@Command(
        name = "demo",
        description =
                "Starts a node, loads TPC-C, runs its mix from real connections, checks the consistency conditions, and"
                        + " cleans up. Every commit is on the disk before it is acknowledged. Needs no option.",
        mixinStandardHelpOptions = true)
final class DemoCommand implements Callable<Integer> {
    private static final int CLIENTS = 4;
    private static final int IN_FLIGHT = 16;
    private static final int WARMUP_SECONDS = 5;

    @Spec
    private CommandSpec spec;

    @Option(names = "--seconds", defaultValue = "20", description = "Seconds to measure; default: ${DEFAULT-VALUE}.")
    private int seconds;

    @Option(names = "--warehouses", defaultValue = "2", description = "Warehouses; default: ${DEFAULT-VALUE}.")
    private int warehouses;

    @Option(names = "--partitions", defaultValue = "2", description = "Partitions; default: ${DEFAULT-VALUE}.")
    private int partitions;

    @Option(
            names = "--data",
            paramLabel = "DIR",
            description =
                    "Directory of the database's files, which stay there; the next demo on them goes on with them. Default:"
                            + " a new one that is deleted at the end.")
    private @Nullable Path data;

    @Option(
            names = "--durability",
            defaultValue = "sync",
            paramLabel = "MODE",
            description = "sync, async or none; default: ${DEFAULT-VALUE}.")
    private String durability = "sync";

    @Option(names = "--json", paramLabel = "FILE", description = "Also writes the report as JSON.")
    private @Nullable Path json;

    @Option(
            names = "--nodes",
            defaultValue = "1",
            description = "Nodes, each in a process of its own where there are several; default: ${DEFAULT-VALUE}.")
    private int nodes;

    @Option(
            names = "--k",
            defaultValue = "1",
            description = "With more nodes than one: how many may fail at once; default: ${DEFAULT-VALUE}.")
    private int k;

    @Option(
            names = "--kill",
            description = "With more nodes than one: kills a node under the load, and starts it again.")
    private boolean kill;

    @Override
    public Integer call() throws Exception {
        if (nodes > 1) {
            return runCluster();
        }
        if (kill) {
            throw new ParameterException(spec.commandLine(), "--kill needs more nodes than one, such as --nodes 3");
        }
        Path directory = data;
        if (directory != null || durability.equals("none")) {
            return run(directory);
        }
        Path temporary = Files.createTempDirectory("fulmar-demo-");
        try {
            return run(temporary);
        } finally {
            deleteAll(temporary);
        }
    }

    private int runCluster() throws IOException, InterruptedException {
        if (k < 0 || k >= nodes || (kill && k == 0)) {
            throw new ParameterException(
                    spec.commandLine(), "--k is less than the number of nodes, and with --kill at least 1");
        }
        PrintWriter out = spec.commandLine().getOut();
        NodeLossDemo.Outcome outcome = new NodeLossDemo(
                        new NodeLossDemo.Scene(nodes, k + 1, Math.max(nodes, warehouses), durability, seconds, kill),
                        line -> {
                            out.println(line);
                            out.flush();
                        })
                .run();
        LoadReport report = outcome.report();
        out.printf(
                Locale.ROOT,
                "%,.0f transactions/s, p50 %.1f ms, p99 %.1f ms, longest %.0f ms; %d failed%n",
                report.throughputPerSecond(),
                report.latency().p50Micros() / 1e3,
                report.latency().p99Micros() / 1e3,
                report.latency().maxMicros() / 1e3,
                report.failed());
        report.failures().forEach((code, failure) -> out.println(code + ": " + failure.firstMessage()));
        outcome.problems().forEach(out::println);
        out.println(
                outcome.problems().isEmpty()
                        ? "The consistency conditions hold."
                        : "The consistency conditions are broken.");
        out.flush();
        return outcome.problems().isEmpty() && report.failed() == 0 ? 0 : 1;
    }

    private static void deleteAll(Path directory) throws IOException {
        List<Path> found;
        try (Stream<Path> tree = Files.walk(directory)) {
            found = tree.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path path : found) {
            Files.delete(path);
        }
    }

    private int run(@Nullable Path directory) throws Exception {
        PrintWriter out = spec.commandLine().getOut();
        LoadShape shape = new LoadShape(CLIENTS, IN_FLIGHT, 0, WARMUP_SECONDS, seconds);
        Workload workload = Workloads.create("tpcc", warehouses, 0, 1);
        int used = Math.min(partitions, warehouses);
        int sites = Math.min(used, Math.max(1, Runtime.getRuntime().availableProcessors() - 1));
        Map<String, String> settings = directory == null
                ? Map.of("durability", durability)
                : Map.of("durability", durability, "data", directory.toString());
        out.println("Starting a node with " + used + " partitions on " + sites + " sites ...");
        out.flush();
        try (LocalDatabase database = LocalDatabase.startWithRanges(used, sites, warehouses, settings);
                FulmarClient client = database.connect(1024)) {
            boolean isNew = database.database().catalog().tables().isEmpty();
            out.println("Listening on 127.0.0.1:" + database.port()
                    + (isNew
                            ? ". Loading TPC-C with " + warehouses + " warehouses by its own stored procedures ..."
                            : ". The database in " + directory + " is recovered."));
            out.flush();
            ProgressLine progress = new ProgressLine(out);
            BenchmarkRun run = new BenchmarkRun(client, workload, progress);
            if (isNew) {
                run.prepare();
            }
            out.println("Running the standard mix: " + CLIENTS + " clients, " + IN_FLIGHT
                    + " transactions in flight each, without think times; "
                    + (durability.equals("none")
                            ? "nothing is written to disk."
                            : "durability " + durability + " in " + directory + "."));
            out.flush();
            LoadReport load = run.measure(shape, 1, progress);
            List<String> problems = run.verify();
            BenchmarkReport report =
                    new BenchmarkReport(workload.name(), database.description(), shape, load, problems, true);
            ReportText.print(report, out);
            Path file = json;
            if (file != null) {
                report.writeJson(file);
            }
            return report.verified() ? 0 : 1;
        }
    }
}
