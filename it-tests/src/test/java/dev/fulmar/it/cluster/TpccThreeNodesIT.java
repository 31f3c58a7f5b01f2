package dev.fulmar.it.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * TPC-C over three nodes: its remote payments and order lines are transactions over several of them. A node is killed
 * meanwhile.
 */
class TpccThreeNodesIT {
    private static final int SECONDS = 8;

    @TempDir
    private Path folder;

    @Test
    void theConsistencyConditionsHoldWhenANodeIsKilled() throws Exception {
        try (TpccCluster tpcc = TpccCluster.start(folder)) {
            assertThat(tpcc.run().verify()).isEmpty();
            CompletableFuture<Void> killing = CompletableFuture.runAsync(
                    () -> tpcc.killPrimaryOf(0), CompletableFuture.delayedExecutor(SECONDS / 2, TimeUnit.SECONDS));
            tpcc.serve(SECONDS);
            killing.get();
            assertThat(tpcc.run().verify()).isEmpty();
        }
    }
}
