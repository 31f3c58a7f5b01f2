package dev.fulmar.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.coordinator.durability.environment.DurabilityMode;
import dev.fulmar.coordinator.durability.replica.CopyReads;
import dev.fulmar.coordinator.request.ReadConsistency;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.id.PartitionId;
import dev.fulmar.foundation.random.RandomSource;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Readers of snapshots that need not be the newest read the copies of the node that they ask. */
class CopyReadsTest {
    private static final long SECOND_NANOS = ReplicatedBank.SECOND_NANOS;
    private static final int NODES = 3;
    private static final PartitionId FIRST = new PartitionId(0);

    private static TransactionRequest read(ReadConsistency consistency, long key) {
        return new TransactionRequest.AdHoc(
                0, 0, 0, consistency, "SELECT balance FROM account WHERE id = ?", SteppedDatabase.list(key));
    }

    private static List<ClusterNode> followers(ReplicatedBank bank) {
        ClusterNode primary = bank.primary(FIRST);
        return bank.nodes.values().stream().filter(node -> node != primary).toList();
    }

    private static CopyReads reads(ClusterNode node) {
        return node.database.copies().of(FIRST).reads();
    }

    private static long served(ReplicatedBank bank) {
        return bank.nodes.values().stream()
                .flatMap(node -> node.database.copies().all().stream())
                .mapToLong(copy -> copy.reads().servedCount())
                .sum();
    }

    @ParameterizedTest
    @EnumSource(DurabilityMode.class)
    void aCopyAnswersWithWhatWasAcknowledged(DurabilityMode mode) {
        ReplicatedBank bank = new ReplicatedBank(51, NODES, NODES, NODES, mode).withClients();
        bank.world.runFor(SECOND_NANOS / 2);
        bank.calm();
        long key = bank.clients.getFirst().key(0);
        for (int i = 0; i < 40; i++) {
            CompletableFuture<TransactionResponse> write =
                    bank.ask(bank.primary(FIRST), ReplicatedBank.write(900, i, key, 7_000_000 + i));
            assertThat(bank.world.runUntil(write::isDone, SECOND_NANOS)).isTrue();
            for (ClusterNode node : followers(bank)) {
                long before = reads(node).servedCount();
                CompletableFuture<TransactionResponse> read = bank.ask(node, read(ReadConsistency.SNAPSHOT, key));
                assertThat(bank.world.runUntil(read::isDone, SECOND_NANOS)).isTrue();
                assertThat(SteppedDatabase.cell((Committed) read.join())).isEqualTo(7_000_000L + i);
                assertThat(reads(node).servedCount()).isEqualTo(before + 1);
            }
        }
    }

    @Test
    void whoAsksForMoreThanASnapshotIsPassedOn() {
        ReplicatedBank bank = new ReplicatedBank(52, NODES, NODES, NODES, DurabilityMode.NONE).withClients();
        bank.world.runFor(SECOND_NANOS / 2);
        bank.calm();
        long key = bank.clients.getFirst().key(0);
        ClusterNode node = followers(bank).getFirst();
        CompletableFuture<TransactionResponse> read = bank.ask(node, read(ReadConsistency.STRICT, key));
        assertThat(bank.world.runUntil(read::isDone, SECOND_NANOS)).isTrue();
        assertThat(read.join()).isNotInstanceOf(Committed.class); // the node of the test passes nothing on
        assertThat(served(bank)).isZero();
    }

    /**
     * Until every copy in sync has a commit another one may come to lead without it; a copy that has it does not show
     * it before.
     */
    @Test
    void aCopyShowsNothingThatAPromotionCouldUndo() {
        ReplicatedBank bank = new ReplicatedBank(55, NODES, NODES, NODES, DurabilityMode.NONE).withClients();
        bank.world.runFor(SECOND_NANOS / 2);
        bank.calm();
        bank.world.runFor(SECOND_NANOS / 2);
        long key = bank.clients.getFirst().key(0);
        ClusterNode primary = bank.primary(FIRST);
        ClusterNode reader = followers(bank).getFirst();
        ClusterNode behind = followers(bank).getLast();
        bank.world.network().partition(Set.of(primary.process.node()), Set.of(behind.process.node()));
        CompletableFuture<TransactionResponse> write = bank.ask(primary, ReplicatedBank.write(900, 1, key, 7_654_321));
        bank.world.runFor(SECOND_NANOS / 50);
        CompletableFuture<TransactionResponse> read = bank.ask(reader, read(ReadConsistency.SNAPSHOT, key));
        bank.world.runFor(SECOND_NANOS / 10);
        assertThat(write).isNotDone();
        assertThat(read).isNotDone();
        bank.mend();
        bank.heal();
    }

    /** The node does not know yet that it is alone; its copy may be as old as you like. */
    @Test
    void aCopyThatIsCutOffAnswersNothing() {
        ReplicatedBank bank = new ReplicatedBank(53, NODES, NODES, NODES, DurabilityMode.NONE).withClients();
        bank.world.runFor(SECOND_NANOS / 2);
        bank.calm();
        long key = bank.clients.getFirst().key(0);
        ClusterNode node = followers(bank).getFirst();
        bank.isolate(node.process.node());
        CompletableFuture<TransactionResponse> read = bank.ask(node, read(ReadConsistency.SNAPSHOT, key));
        assertThat(bank.world.runUntil(read::isDone, 3 * SECOND_NANOS)).isTrue();
        assertThat(read.join()).isNotInstanceOf(Committed.class);
        assertThat(reads(node).passedOnCount()).isEqualTo(1);
        bank.mend();
        bank.heal();
    }

    @ParameterizedTest
    @EnumSource(DurabilityMode.class)
    void transfersAreSeenWholeOrNotAtAll(DurabilityMode mode) {
        ReplicatedBank bank = new ReplicatedBank(54, NODES, 4, 2, mode).withSpreadClients(6);
        SumReader reader = reader(bank);
        bank.world.runFor(SECOND_NANOS);
        assertThat(reader.done).isGreaterThan(200);
        assertThat(served(bank)).isGreaterThan(200);
        bank.assertCopiesEqual();
    }

    @Test
    void transfersAreSeenWholeWhileNodesDieAndClocksJump() {
        for (int seed = 60; seed < 65; seed++) {
            DurabilityMode mode = DurabilityMode.values()[seed % DurabilityMode.values().length];
            ReplicatedBank bank = new ReplicatedBank(seed, NODES, 4, 2, mode).withSpreadClients(6);
            SumReader reader = reader(bank);
            RandomSource random = bank.world.random("faults");
            for (int round = 0; round < 3; round++) {
                bank.nodes.values().forEach(node -> node.process.clock().jump(random.nextInt(4_000_000) - 2_000_000));
                bank.world.runFor(SECOND_NANOS / 4 + random.nextInt(200_000_000));
                NodeId victim = new NodeId(1 + random.nextInt(NODES));
                bank.kill(victim);
                bank.world.runFor(random.nextInt(1_500_000_000));
                bank.restart(victim);
                bank.heal();
            }
            assertThat(reader.done).as("seed " + seed).isGreaterThan(200);
            assertThat(served(bank)).as("seed " + seed).isGreaterThan(20);
            bank.assertCopiesEqual();
        }
    }

    private static SumReader reader(ReplicatedBank bank) {
        assertThat(bank.world.runUntil(
                        () -> bank.spreadClients.stream().allMatch(SpreadClient::hasOpened), 10 * SECOND_NANOS))
                .isTrue();
        return new SumReader(bank, SpreadClient.FIRST_BALANCE * 4 * bank.spreadClients.size());
    }
}
