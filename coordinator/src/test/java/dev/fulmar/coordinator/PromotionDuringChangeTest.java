package dev.fulmar.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.coordinator.durability.environment.DurabilityMode;
import dev.fulmar.coordinator.durability.replica.PartitionReplica;
import dev.fulmar.coordinator.membership.leadership.LeadershipEvent;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.engine.table.ScanCursor;
import dev.fulmar.engine.table.TableStore;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.id.PartitionId;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/**
 * A partition gets another primary while a constraint is made: no row that the new one takes breaks it, whatever was
 * decided by the word of the former.
 */
class PromotionDuringChangeTest {
    private static final long SECOND_NANOS = ReplicatedBank.SECOND_NANOS;
    private static final PartitionId PARTITION = new PartitionId(0);
    private static final int CREATE_SALE = 9;
    private static final int PARTITION_SALE = 10;
    private static final int UNIQUE_SALES = 11;
    private static final long STEP_NANOS = 500_000;
    private static final int STEPS = 10;

    private static ReplicatedBank bank(long seed) {
        ReplicatedBank bank = new ReplicatedBank(seed, 4, 3, 2, DurabilityMode.NONE);
        bank.change(CREATE_SALE);
        bank.change(PARTITION_SALE);
        assertThat(insert(bank, bank.primary(PARTITION))).isTrue();
        return bank;
    }

    private static long key(ReplicatedBank bank) {
        long key = 0;
        while (bank.configuration().plan().partitionOf(key) != PARTITION.number()) {
            key++;
        }
        return key;
    }

    /** Inserts one row more that is like the others. */
    private static boolean insert(ReplicatedBank bank, ClusterNode node) {
        CompletableFuture<TransactionResponse> done = bank.ask(
                node,
                new TransactionRequest.AdHoc(
                        0, 0, 0, "INSERT INTO sale VALUES (?, ?)", SteppedDatabase.list(key(bank), 5L)));
        bank.world.runUntil(done::isDone, SECOND_NANOS / 50);
        return done.isDone() && done.join() instanceof Committed;
    }

    /** The other copy of the partition. */
    private static NodeId successor(ReplicatedBank bank) {
        NodeId primary = bank.primary(PARTITION).process.node();
        return bank.nodesOf(PARTITION).stream()
                .filter(node -> !node.equals(primary))
                .findFirst()
                .orElseThrow();
    }

    private static void judge(ReplicatedBank bank, long before, String when) {
        assertThat(bank.world.runUntil(
                        () -> bank.allServe()
                                && bank.allKnow(
                                        bank.catalogPrimary().database.catalog().version()),
                        20 * SECOND_NANOS))
                .as("all know and serve, " + when + " " + bank)
                .isTrue();
        boolean isMade = bank.catalogPrimary().database.catalog().version() > before;
        assertThat(!isMade || rows(bank) == 1)
                .as(when + ": " + rows(bank) + " rows")
                .isTrue();
    }

    private static int rows(ReplicatedBank bank) {
        ClusterNode node = bank.primary(PARTITION);
        TableStore table = node.database
                .runtime(PARTITION)
                .storage()
                .table(node.database.catalog().table("SALE").id());
        int rows = 0;
        ScanCursor cursor = table.newScan();
        table.open(cursor);
        for (long row = cursor.next(); row != 0; row = cursor.next()) {
            rows++;
        }
        return rows;
    }

    /** A copy takes its primary for dead, which is not, and has said that it is ready, while another node is not. */
    @Test
    void aSuccessorServesWithWhatWasDecidedWithoutIt() {
        int taken = 0;
        for (int step = 0; step < STEPS; step++) {
            ReplicatedBank bank = bank(70 + step);
            long before = bank.catalogPrimary().database.catalog().version();
            NodeId first = bank.primary(PARTITION).process.node();
            NodeId next = successor(bank);
            ClusterNode slow = bank.primary(new PartitionId(1));
            CompletableFuture<TransactionResponse> made = ReplicatedBank.change(bank.catalogPrimary(), UNIQUE_SALES);
            bank.world.runFor(step * STEP_NANOS);
            slow.process.standStill(SECOND_NANOS * 3 / 10);
            PartitionReplica copy = bank.node(next).database.copies().of(PARTITION);
            copy.tell(new LeadershipEvent.Suspected(first));
            boolean isTaken = false;
            for (int i = 0; i < 40 && !isTaken; i++) {
                isTaken = insert(bank, bank.node(next));
                bank.world.runFor(SECOND_NANOS / 100);
            }
            taken += isTaken ? 1 : 0;
            copy.tell(new LeadershipEvent.Trusted(first, bank.node(first).incarnation));
            assertThat(bank.world.runUntil(made::isDone, 20 * SECOND_NANOS)).isTrue();
            judge(bank, before, "step " + step + ", inserted " + isTaken + ", " + made.join());
            bank.nodes.keySet().forEach(bank::kill);
        }
        assertThat(taken).as("rows taken by new primaries").isPositive();
    }

    @Test
    void aPrimaryDiesAtAnyMomentOfTheChange() {
        for (int step = 0; step < STEPS; step++) {
            ReplicatedBank bank = bank(90 + step);
            long before = bank.catalogPrimary().database.catalog().version();
            NodeId first = bank.primary(PARTITION).process.node();
            NodeId next = successor(bank);
            CompletableFuture<TransactionResponse> made = ReplicatedBank.change(bank.catalogPrimary(), UNIQUE_SALES);
            bank.world.runFor(step * STEP_NANOS);
            bank.kill(first);
            for (int i = 0; i < 50 && !insert(bank, bank.node(next)); i++) {
                bank.world.runFor(SECOND_NANOS / 100);
            }
            assertThat(bank.world.runUntil(made::isDone, 20 * SECOND_NANOS)).isTrue();
            bank.restart(first);
            judge(bank, before, "step " + step + ", " + made.join());
            bank.nodes.keySet().forEach(bank::kill);
        }
    }

    /**
     * Several changes come to a node at once while partitions change hands; those that are absent from it have no part
     * in any.
     */
    @Test
    void changesAreTakenOnInTheirOrder() {
        ReplicatedBank bank = new ReplicatedBank(110, 4, 3, 2, DurabilityMode.SYNC);
        NodeId away = successor(bank);
        bank.kill(away);
        bank.world.runFor(2 * SECOND_NANOS);
        for (int i = 0; i < 3; i++) {
            bank.change(5);
            bank.change(6);
        }
        bank.startAgain(away);
        assertThat(bank.world.runUntil(() -> bank.allKnow(11), 20 * SECOND_NANOS))
                .as("all know " + bank)
                .isTrue();
        bank.change(5);
        bank.change(6);
        bank.heal();
        assertThat(bank.world.runUntil(() -> bank.allKnow(13), 20 * SECOND_NANOS))
                .as("all know " + bank)
                .isTrue();
    }
}
