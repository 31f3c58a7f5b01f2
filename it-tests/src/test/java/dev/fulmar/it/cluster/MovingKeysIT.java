package dev.fulmar.it.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.benchmarks.drive.LoadReport;
import dev.fulmar.benchmarks.drive.LoadShape;
import dev.fulmar.benchmarks.run.BenchmarkRun;
import dev.fulmar.benchmarks.tpcc.TpccScale;
import dev.fulmar.benchmarks.tpcc.TpccWorkload;
import dev.fulmar.benchmarks.workload.ProcedureJar;
import dev.fulmar.benchmarks.workload.Workload;
import dev.fulmar.client.FulmarClient;
import dev.fulmar.client.ResultTable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Warehouses of TPC-C move between three nodes under load, and a node is killed meanwhile. */
class MovingKeysIT {
    private static final int WAREHOUSES = 6;
    private static final int SECONDS = 8;
    private static final long PAID_AT_FIRST = 10;
    private static final long END_NANOS = TimeUnit.SECONDS.toNanos(60);

    /** Three warehouses for each of two partitions: most of them change their partition, wherever they are. */
    private static final String PLAN =
            "{\"plan\": {\"*\": {\"Partition 0\": [\"1\", \"2\", \"3\"], \"Partition 5\": [\"4\", \"5\", \"6\"]}}}";

    @TempDir
    private Path folder;

    @Test
    void theConsistencyConditionsHoldWhenASourceOrDestinationIsKilled() throws Exception {
        TpccWorkload workload = new TpccWorkload(TpccScale.small(WAREHOUSES), new SplittableRandom(7));
        Path jar = Files.write(folder.resolve("tpcc.jar"), ProcedureJar.of(workload.procedureClasses()));
        Path ddl = Files.writeString(folder.resolve("tpcc.sql"), workload.ddl());
        try (StartedCluster cluster = StartedCluster.start(folder, 3, WAREHOUSES, List.of(jar, ddl), "256m");
                FulmarClient client = cluster.connect(64)) {
            workload.load(client, Workload.Progress.silent());
            long paidInDistrict = PAID_AT_FIRST * workload.scale().customersPerDistrict();
            client.execute("UPDATE district SET d_ytd = ?", paidInDistrict);
            client.execute("UPDATE warehouse SET w_ytd = ?", paidInDistrict * TpccScale.DISTRICTS);
            BenchmarkRun run = new BenchmarkRun(client, workload, Workload.Progress.silent());
            CompletableFuture<Void> moving = CompletableFuture.runAsync(
                    () -> client.call("@Reconfigure", "START", PLAN),
                    CompletableFuture.delayedExecutor(SECONDS / 4, TimeUnit.SECONDS));
            CompletableFuture<Void> killing = CompletableFuture.runAsync(
                    () -> cluster.kill(cluster.recordOf(5).primary().node().number()),
                    CompletableFuture.delayedExecutor(SECONDS / 2, TimeUnit.SECONDS));
            LoadReport report = run.measure(
                    new LoadShape(4, 4, 0, 0, SECONDS), 7, (second, warmup, done, aborted, failed, latency) -> {});
            moving.get();
            killing.get();
            assertThat(report.committed()).isGreaterThan(100);
            assertThat(report.failures()).isEmpty();
            assertThat(endOf(client)).isEqualTo("DONE");
            assertThat(run.verify()).isEmpty();
        }
    }

    private static String endOf(FulmarClient client) throws InterruptedException {
        long begin = System.nanoTime();
        String state = "RUNNING";
        while (state.equals("RUNNING") && System.nanoTime() - begin < END_NANOS) {
            ResultTable status = client.call("@Reconfigure", "STATUS").table();
            status.next();
            state = Objects.requireNonNull(status.getString(status.column("STATE")));
            Thread.sleep(100);
        }
        return state;
    }
}
