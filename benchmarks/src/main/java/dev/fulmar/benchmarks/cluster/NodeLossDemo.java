package dev.fulmar.benchmarks.cluster;

import dev.fulmar.benchmarks.drive.LoadListener;
import dev.fulmar.benchmarks.drive.LoadReport;
import dev.fulmar.benchmarks.drive.LoadShape;
import dev.fulmar.benchmarks.experiment.TemporaryDirectory;
import dev.fulmar.benchmarks.run.BenchmarkRun;
import dev.fulmar.benchmarks.run.LocalDatabase;
import dev.fulmar.benchmarks.run.Workloads;
import dev.fulmar.benchmarks.workload.ProcedureJar;
import dev.fulmar.benchmarks.workload.Workload;
import dev.fulmar.client.FulmarClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * Shows a cluster at TPC-C: a node dies under it, the others go on, the node comes back, and the consistency conditions
 * hold.
 */
public final class NodeLossDemo {
    private static final int WARMUP_SECONDS = 3;
    private static final int CLIENTS = 4;
    private static final int IN_FLIGHT = 8;
    private static final int MAX_OUTSTANDING = 1_024;
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final List<String> JAVA_OPTIONS = List.of("-Xmx768m");

    private final Scene scene;
    private final Consumer<String> output;

    /**
     * Parameters of a demonstration.
     *
     * @param copies of each partition
     * @param kill whether a node dies after a third of the seconds, and comes back after two
     */
    public record Scene(int nodes, int copies, int warehouses, String durability, int seconds, boolean kill) {}

    /**
     * Outcome of a demonstration.
     *
     * @param problems breaches of the consistency conditions
     */
    public record Outcome(LoadReport report, List<String> problems) {}

    public NodeLossDemo(Scene scene, Consumer<String> output) {
        this.scene = scene;
        this.output = output;
    }

    /** Runs it; what failed under the load is in the report. */
    public Outcome run() throws IOException, InterruptedException {
        Workload workload = Workloads.create("tpcc", scene.warehouses, 0, 1);
        try (TemporaryDirectory directory = TemporaryDirectory.create("fulmar-demo-")) {
            output.accept("Starting a ZooKeeper and " + scene.nodes + " nodes, each in a process of its own ...");
            try (RunningCluster cluster = RunningCluster.start(directory.path(), plan(directory.path(), workload));
                    FulmarClient client = connect(cluster)) {
                output.accept("Loading TPC-C with " + scene.warehouses + " warehouses, " + scene.copies
                        + " copies of each partition ...");
                workload.load(client, Workload.Progress.silent());
                output.accept("Running the standard mix.");
                BenchmarkRun run = new BenchmarkRun(client, workload, Workload.Progress.silent());
                LoadShape shape = new LoadShape(CLIENTS, IN_FLIGHT, 0, WARMUP_SECONDS, scene.seconds);
                LoadReport report = run.measure(shape, 1, new Stage(cluster));
                cluster.awaitAllInSync(PATIENCE);
                output.accept("All copies are in sync. Checking the consistency conditions ...");
                return new Outcome(report, run.verify());
            }
        }
    }

    private RunningCluster.Plan plan(Path directory, Workload workload) throws IOException {
        Path jar = Files.write(directory.resolve("tpcc.jar"), ProcedureJar.of(workload.procedureClasses()));
        Path script = Files.writeString(directory.resolve("tpcc.sql"), workload.ddl());
        return new RunningCluster.Plan(
                scene.nodes,
                scene.warehouses,
                scene.copies,
                JAVA_OPTIONS,
                Map.of(
                        "schema",
                        jar + "," + script,
                        "sites",
                        "1",
                        "memory.limit",
                        "1g",
                        "durability",
                        scene.durability,
                        "partitioning",
                        LocalDatabase.ranges(scene.warehouses, scene.warehouses)),
                false);
    }

    private FulmarClient connect(RunningCluster cluster) {
        return FulmarClient.builder()
                .hosts(IntStream.rangeClosed(1, scene.nodes)
                        .mapToObj(cluster::address)
                        .toList())
                .maxOutstanding(MAX_OUTSTANDING)
                .connect();
    }

    /** Tells of each second, and has the node of the first partition die and come back. */
    private final class Stage implements LoadListener {
        private final RunningCluster cluster;
        private int victim;

        Stage(RunningCluster cluster) {
            this.cluster = cluster;
        }

        @Override
        public void second(
                int second, boolean warmup, long committed, long aborted, long failed, LoadReport.Latency latency) {
            output.accept(String.format(
                    Locale.ROOT,
                    "%3d s%s %,8d committed, %d failed, p99 %.1f ms",
                    second,
                    warmup ? " (warm-up)" : "",
                    committed,
                    failed,
                    latency.p99Micros() / 1e3));
            if (scene.kill && second == WARMUP_SECONDS + scene.seconds / 3) {
                die();
            } else if (victim > 0 && second == WARMUP_SECONDS + 2 * scene.seconds / 3) {
                comeBack(victim);
            }
        }

        private void die() {
            int node = cluster.recordOf(0).primary().node().number();
            output.accept("      node " + node
                    + " is killed (SIGKILL): the other nodes have copies of all that it had, and take over");
            try {
                cluster.kill(node);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            victim = node;
        }

        /** Beside the load, which goes on. */
        private void comeBack(int node) {
            output.accept("      node " + node + " is started again, and catches up while the others go on");
            Thread.ofPlatform().daemon().name("demo").start(() -> {
                try {
                    cluster.startNode(node);
                } catch (IOException e) {
                    output.accept("      node " + node + " does not start: " + e.getMessage());
                }
            });
        }
    }
}
