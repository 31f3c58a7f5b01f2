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
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;

/** Three nodes with the tables of a small TPC-C, a partition for each warehouse, and a client. */
record TpccCluster(StartedCluster cluster, FulmarClient client, BenchmarkRun run) implements AutoCloseable {
    static final int WAREHOUSES = 6;

    private static final long PAID_AT_FIRST = 10;

    static TpccCluster start(Path folder) throws IOException {
        TpccWorkload workload = new TpccWorkload(TpccScale.small(WAREHOUSES), new SplittableRandom(7));
        Path jar = Files.write(folder.resolve("tpcc.jar"), ProcedureJar.of(workload.procedureClasses()));
        Path ddl = Files.writeString(folder.resolve("tpcc.sql"), workload.ddl());
        StartedCluster cluster = StartedCluster.start(folder, 3, WAREHOUSES, List.of(jar, ddl), "256m");
        try {
            return loaded(cluster, workload);
        } catch (RuntimeException | Error e) {
            cluster.close();
            throw e;
        }
    }

    private static TpccCluster loaded(StartedCluster cluster, TpccWorkload workload) {
        FulmarClient client = cluster.connect(64);
        workload.load(client, Workload.Progress.silent());
        // The specification's first totals are for its number of customers.
        long paidInDistrict = PAID_AT_FIRST * workload.scale().customersPerDistrict();
        client.execute("UPDATE district SET d_ytd = ?", paidInDistrict);
        client.execute("UPDATE warehouse SET w_ytd = ?", paidInDistrict * TpccScale.DISTRICTS);
        return new TpccCluster(cluster, client, new BenchmarkRun(client, workload, Workload.Progress.silent()));
    }

    /** Runs the mix of transactions for so many seconds, of which none may fail. */
    void serve(int seconds) throws InterruptedException {
        LoadReport report = run.measure(
                new LoadShape(4, 4, 0, 0, seconds), 7, (second, warmup, done, aborted, failed, latency) -> {});
        assertThat(report.committed()).isGreaterThan(100);
        assertThat(report.failures()).isEmpty();
    }

    /** Ends the node that leads the partition. */
    void killPrimaryOf(int partition) {
        cluster.kill(cluster.recordOf(partition).primary().node().number());
    }

    @Override
    public void close() {
        try {
            client.close();
        } finally {
            cluster.close();
        }
    }
}
