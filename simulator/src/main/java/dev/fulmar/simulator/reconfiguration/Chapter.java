package dev.fulmar.simulator.reconfiguration;

import dev.fulmar.benchmarks.cluster.RunningCluster;
import dev.fulmar.benchmarks.tpcc.TpccRecord;
import dev.fulmar.benchmarks.tpcc.TpccScale;
import dev.fulmar.benchmarks.tpcc.TpccWorkload;
import dev.fulmar.benchmarks.workload.ProcedureJar;
import dev.fulmar.benchmarks.workload.Workload;
import dev.fulmar.client.FulmarClient;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.random.RandomSource;
import dev.fulmar.simulator.chaos.Disks;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/** One cluster with TPC-C, whose reconfigurations are struck one after another. */
final class Chapter {
    private static final int NODES = 3;
    private static final int PARTITIONS = 4;
    private static final int SPARES = 1;
    private static final int COPIES = 2;
    private static final int WAREHOUSES = 4;
    private static final int OUTSTANDING = 64;
    private static final long PAID_AT_FIRST = 10;

    /** A machine that other work leaves alone moves keys faster than it did at first. */
    private static final double AFTER_A_LATE_STRIKE = 0.75;

    /** A node shares two cores with four other processes: small heaps, and no compiler that takes its time. */
    private static final List<String> JAVA_OPTIONS = List.of("-Xmx512m", "-XX:TieredStopAtLevel=1");

    private final RandomSource random;
    private final Path directory;
    private final Consumer<String> output;

    /** A strike with its number in the campaign. */
    record Numbered(int number, Strike strike) {}

    /** Listener for results; may break the campaign off. */
    @FunctionalInterface
    interface Results {
        void add(RoundResult result) throws IOException;
    }

    Chapter(RandomSource random, Path directory, Consumer<String> output) {
        this.random = random;
        this.directory = directory;
        this.output = output;
    }

    /** Strikes until a round is bad. Each result is told at once. */
    void run(List<Numbered> strikes, Results results) throws IOException, InterruptedException {
        boolean needsDisks =
                strikes.stream().anyMatch(each -> each.strike().kind().needsDisks());
        TpccWorkload workload = new TpccWorkload(TpccScale.small(WAREHOUSES), new SplittableRandom(random.nextLong()));
        try (Disks disks = needsDisks ? new Disks(places(), new SplittableRandom(random.nextLong())) : null;
                RunningCluster cluster = RunningCluster.start(directory, plan(workload));
                FulmarClient client = connect(cluster);
                NodeViews views = new NodeViews(cluster)) {
            load(workload, client);
            TpccRecord record = new TpccRecord(workload.scale());
            tell(strikes, new Round.Stage(cluster, disks, workload, client, views, record), results);
        }
    }

    private void tell(List<Numbered> strikes, Round.Stage stage, Results results)
            throws IOException, InterruptedException {
        double cold = new Round(stage, random.split("cold")).undisturbed();
        double millisOfAWarehouse = new Round(stage, random.split("undisturbed")).undisturbed();
        output.accept(String.format(
                Locale.ROOT,
                "a warehouse takes %.0f ms without a fault, and %.0f ms the first time",
                millisOfAWarehouse,
                cold));
        for (Numbered each : strikes) {
            boolean isLast = each.equals(strikes.getLast());
            RoundResult result = result(each, stage, millisOfAWarehouse, isLast);
            output.accept("round " + each.number + ": " + result.text());
            results.add(result);
            if (!result.isGood()) {
                return;
            }
            millisOfAWarehouse *= result.isStruck() ? 1 : AFTER_A_LATE_STRIKE;
        }
    }

    private RoundResult result(Numbered each, Round.Stage stage, double millisOfAWarehouse, boolean isLast)
            throws InterruptedException {
        Strike strike = each.strike;
        try {
            return new Round(stage, random.split("round-" + each.number))
                    .struck(each.number, strike, millisOfAWarehouse, isLast);
        } catch (IOException | IllegalStateException | FulmarException broken) { // the cluster did not get well again
            return RoundResult.broken(each.number, strike.kind(), "the round broke: " + broken);
        }
    }

    private List<Path> places() {
        return IntStream.rangeClosed(1, NODES)
                .mapToObj(node -> RunningCluster.placeOf(directory, node))
                .toList();
    }

    private RunningCluster.Plan plan(TpccWorkload workload) throws IOException {
        Path jar = Files.write(directory.resolve("tpcc.jar"), ProcedureJar.of(workload.procedureClasses()));
        Path script = Files.writeString(directory.resolve("tpcc.sql"), workload.ddl());
        return new RunningCluster.Plan(
                NODES,
                PARTITIONS,
                SPARES,
                COPIES,
                JAVA_OPTIONS,
                Map.of("schema", jar + "," + script, "sites", "1", "memory.limit", "256m", "durability", "sync"),
                false);
    }

    private static FulmarClient connect(RunningCluster cluster) {
        return FulmarClient.builder()
                .hosts(IntStream.rangeClosed(1, NODES)
                        .mapToObj(cluster::address)
                        .toList())
                .maxOutstanding(OUTSTANDING)
                .connect();
    }

    private static void load(TpccWorkload workload, FulmarClient client) {
        workload.load(client, Workload.Progress.silent());
        // The specification's first totals are for its number of customers.
        long paidInDistrict = PAID_AT_FIRST * workload.scale().customersPerDistrict();
        client.execute("UPDATE district SET d_ytd = ?", paidInDistrict);
        client.execute("UPDATE warehouse SET w_ytd = ?", paidInDistrict * TpccScale.DISTRICTS);
    }
}
