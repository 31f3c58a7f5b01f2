package dev.fulmar.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.coordinator.door.PartitionMover;
import dev.fulmar.coordinator.durability.environment.DurabilityMode;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.engine.partition.Site;
import dev.fulmar.engine.partitioning.PartitionPlan;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.id.PartitionId;
import dev.fulmar.foundation.simulated.SimulatedProcess;
import dev.fulmar.foundation.simulated.SimulatedWorld;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A subsystem moves partitions between the sites of a node, by {@link PartitionMover}, while transactions run. */
class SitePlacementTest {
    private static final DatabaseConfiguration CONFIGURATION =
            DatabaseConfiguration.of(PartitionPlan.ranges(1, 100, 200), 2);
    private static final PartitionId FIRST = new PartitionId(0);
    private static final PartitionId SECOND = new PartitionId(1);

    private final SimulatedWorld world = new SimulatedWorld(1);
    private final SimulatedProcess process = world.startProcess(new NodeId(0));

    private SteppedDatabase bank(DurabilityMode mode) {
        BankSql sql = new BankSql(BankSql.CHANGES.subList(0, 4));
        SteppedDatabase db =
                new SteppedDatabase(CONFIGURATION, sql, mode == DurabilityMode.NONE ? null : process.storage(), mode);
        for (int change = 0; change < 4; change++) {
            assertThat(db.sql(BankSql.PREFIX + change)).isInstanceOf(Committed.class);
        }
        db.open(1000, 10, 150, 250);
        return db;
    }

    private static List<Integer> partitionsOf(Site site) {
        return site.executors().stream()
                .map(executor -> executor.partition().id().number())
                .sorted()
                .toList();
    }

    @ParameterizedTest
    @EnumSource(DurabilityMode.class)
    void transactionsGoOnWhilePartitionsMove(DurabilityMode mode) {
        SteppedDatabase db = bank(mode);
        PartitionMover mover = new PartitionMover(db.database.placement());
        List<CompletableFuture<TransactionResponse>> calls = new ArrayList<>();
        List<CompletableFuture<Void>> moves = new ArrayList<>();
        for (int round = 0; round < 30; round++) {
            calls.add(db.database.submit(SteppedDatabase.request("Transfer", 10L, 150L, 1L)));
            calls.add(db.database.submit(SteppedDatabase.request("Transfer", 250L, 250L, 0L)));
            moves.add(mover.moveOn(round % 2 == 0 ? FIRST : SECOND));
            calls.add(db.database.submit(SteppedDatabase.request("Transfer", 250L, 10L, 1L)));
            if (round % 3 == 0) {
                db.settle();
            }
        }
        for (CompletableFuture<TransactionResponse> call : calls) {
            assertThat(db.await(call)).isInstanceOf(Committed.class);
        }
        db.settle();
        assertThat(moves).allMatch(CompletableFuture::isDone);
        for (int partition = 0; partition < 3; partition++) {
            int site = db.database.placement().siteOf(new PartitionId(partition));
            assertThat(partitionsOf(db.database.sites().get(site))).contains(partition);
        }
        assertThat(db.balance(10)).isEqualTo(1000);
        assertThat(db.balance(150)).isEqualTo(1030);
        assertThat(db.total()).isEqualTo(3000);
        CompletableFuture<Void> stopped = db.database.stop(1_000_000_000);
        assertThat(db.await(stopped)).isNull();
    }

    @Test
    void aPartitionIsWhereItWasPut() {
        SteppedDatabase db = bank(DurabilityMode.SYNC);
        List<Site> sites = db.database.sites();
        assertThat(partitionsOf(sites.get(0))).containsExactly(0, 2);
        PartitionMover mover = new PartitionMover(db.database.placement());
        assertThat(db.await(mover.moveOn(FIRST))).isNull();
        assertThat(db.database.placement().siteOf(FIRST)).isEqualTo(1);
        assertThat(partitionsOf(sites.get(0))).containsExactly(2);
        assertThat(partitionsOf(sites.get(1))).containsExactly(0, 1);
        assertThat(SteppedDatabase.value(db.call("Transfer", 10L, 150L, 5L))).isEqualTo(995);
    }

    /** A site without a partition has nothing to do, and takes one again. */
    @Test
    void aSiteMayBeEmpty() {
        SteppedDatabase db = bank(DurabilityMode.NONE);
        PartitionMover mover = new PartitionMover(db.database.placement());
        assertThat(db.await(mover.moveOn(SECOND))).isNull();
        assertThat(partitionsOf(db.database.sites().get(1))).isEmpty();
        assertThat(SteppedDatabase.value(db.call("Transfer", 10L, 150L, 5L))).isEqualTo(995);
        assertThat(db.await(mover.moveOn(FIRST))).isNull();
        assertThat(partitionsOf(db.database.sites().get(1))).containsExactly(0);
        assertThat(db.balance(150)).isEqualTo(1005);
    }
}
