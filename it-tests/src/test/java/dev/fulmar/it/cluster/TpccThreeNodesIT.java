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
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * TPC-C over three nodes: its remote payments and order lines are transactions over several of them. A node is killed
 * meanwhile.
 */
class TpccThreeNodesIT {
    private static final int WAREHOUSES = 6;
    private static final int SECONDS = 8;
    private static final long PAID_AT_FIRST = 10;

    @TempDir
    private Path folder;

    @Test
    void theConsistencyConditionsHoldWhenANodeIsKilled() throws Exception {
        TpccWorkload workload = new TpccWorkload(TpccScale.small(WAREHOUSES), new SplittableRandom(7));
        Path jar = Files.write(folder.resolve("tpcc.jar"), ProcedureJar.of(workload.procedureClasses()));
        Path ddl = Files.writeString(folder.resolve("tpcc.sql"), workload.ddl());
        try (StartedCluster cluster = StartedCluster.start(folder, 3, WAREHOUSES, List.of(jar, ddl), "256m");
                FulmarClient client = cluster.connect(64)) {
            workload.load(client, Workload.Progress.silent());
            // The specification's first totals are for its number of customers.
            long paidInDistrict = PAID_AT_FIRST * workload.scale().customersPerDistrict();
            client.execute("UPDATE district SET d_ytd = ?", paidInDistrict);
            client.execute("UPDATE warehouse SET w_ytd = ?", paidInDistrict * TpccScale.DISTRICTS);
            BenchmarkRun run = new BenchmarkRun(client, workload, Workload.Progress.silent());
            assertThat(run.verify()).isEmpty();
            CompletableFuture<Void> killing = CompletableFuture.runAsync(
                    () -> cluster.kill(cluster.recordOf(0).primary().node().number()),
                    CompletableFuture.delayedExecutor(SECONDS / 2, TimeUnit.SECONDS));
            LoadReport report = run.measure(
                    new LoadShape(4, 4, 0, 0, SECONDS), 7, (second, warmup, done, aborted, failed, latency) -> {});
            killing.get();
            assertThat(report.committed()).isGreaterThan(100);
            assertThat(report.failures()).isEmpty();
            assertThat(run.verify()).isEmpty();
        }
    }
}
