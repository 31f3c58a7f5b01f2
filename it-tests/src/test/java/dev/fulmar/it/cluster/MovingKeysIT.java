package dev.fulmar.it.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.client.FulmarClient;
import dev.fulmar.client.ResultTable;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Warehouses of TPC-C move between three nodes under load, and a node is killed meanwhile. */
class MovingKeysIT {
    private static final int SECONDS = 8;
    private static final long END_NANOS = TimeUnit.SECONDS.toNanos(60);

    /** Three warehouses for each of two partitions: most of them change their partition, wherever they are. */
    private static final String PLAN = """
            {"plan": {"*": {"Partition 0": ["1", "2", "3"], "Partition 5": ["4", "5", "6"]}}}""";

    @TempDir
    private Path folder;

    @Test
    void theConsistencyConditionsHoldWhenASourceOrDestinationIsKilled() throws Exception {
        try (TpccCluster tpcc = TpccCluster.start(folder)) {
            CompletableFuture<Void> moving = CompletableFuture.runAsync(
                    () -> tpcc.client().call("@Reconfigure", "START", PLAN),
                    CompletableFuture.delayedExecutor(SECONDS / 4, TimeUnit.SECONDS));
            CompletableFuture<Void> killing = CompletableFuture.runAsync(
                    () -> tpcc.killPrimaryOf(5), CompletableFuture.delayedExecutor(SECONDS / 2, TimeUnit.SECONDS));
            tpcc.serve(SECONDS);
            moving.get();
            killing.get();
            assertThat(endOf(tpcc.client())).isEqualTo("DONE");
            assertThat(tpcc.run().verify()).isEmpty();
        }
    }

    private static String endOf(FulmarClient client) throws InterruptedException {
        long begin = System.nanoTime();
        String state = "RUNNING";
        while (state.equals("RUNNING") && System.nanoTime() - begin < END_NANOS) {
            ResultTable status = client.call("@Reconfigure", "STATUS").table();
            status.next();
            state = Objects.requireNonNull(status.getString(status.column("STATE")));
            Thread.sleep(100); // other processes work meanwhile
        }
        return state;
    }
}
