package dev.fulmar.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.coordinator.durability.environment.DurabilityMode;
import dev.fulmar.coordinator.remote.RemoteTransactions;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.id.PartitionId;
import dev.fulmar.foundation.random.RandomSource;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Transfers between partitions that have copies on several nodes, while nodes die, are cut off and come back. */
class ReplicatedTransfersTest {
    private static final int NODES = 3;

    private static ReplicatedBank bank(long seed, DurabilityMode mode) {
        return new ReplicatedBank(seed, NODES, 4, 2, mode).withSpreadClients(5);
    }

    @ParameterizedTest
    @EnumSource(DurabilityMode.class)
    void transactionsRunOverNodes(DurabilityMode mode) {
        ReplicatedBank bank = bank(1, mode);
        bank.world.runFor(ReplicatedBank.SECOND_NANOS);
        assertThat(bank.transactions()).isGreaterThan(500);
        bank.assertCopiesEqual();
        bank.assertNothingIsLeft();
    }

    @Test
    void nothingIsLostOrHalfDoneWhenNodesDie() {
        for (int seed = 0; seed < 8; seed++) {
            DurabilityMode mode = DurabilityMode.values()[seed % DurabilityMode.values().length];
            ReplicatedBank bank = bank(seed, mode);
            RandomSource random = bank.world.random("faults");
            for (int round = 0; round < 4; round++) {
                bank.world.runFor(ReplicatedBank.SECOND_NANOS / 4 + random.nextInt(200_000_000));
                NodeId victim = new NodeId(1 + random.nextInt(NODES));
                bank.kill(victim);
                bank.world.runFor(random.nextInt(2_000_000_000));
                bank.restart(victim);
                bank.heal();
            }
            long before = bank.transactions();
            bank.world.runFor(ReplicatedBank.SECOND_NANOS);
            assertThat(bank.transactions()).as("seed " + seed + " " + bank).isGreaterThan(before + 200);
            bank.assertCopiesEqual();
            bank.assertNothingIsLeft();
        }
    }

    @Test
    void nothingIsLostOrHalfDoneWhenNodesAreCutOff() {
        for (int seed = 0; seed < 8; seed++) {
            ReplicatedBank bank = bank(seed, DurabilityMode.NONE);
            RandomSource random = bank.world.random("faults");
            for (int round = 0; round < 4; round++) {
                bank.world.runFor(ReplicatedBank.SECOND_NANOS / 4 + random.nextInt(200_000_000));
                NodeId victim = new NodeId(1 + random.nextInt(NODES));
                bank.isolate(victim);
                bank.world.runFor(random.nextInt(2_000_000_000));
                bank.mend();
                bank.heal();
            }
            long before = bank.transactions();
            bank.world.runFor(ReplicatedBank.SECOND_NANOS);
            assertThat(bank.transactions()).as("seed " + seed + " " + bank).isGreaterThan(before + 200);
            bank.assertCopiesEqual();
            bank.assertNothingIsLeft();
        }
    }

    /**
     * Node 1 leads P0 for the last time it heard of anything, and so node 3 believes, which leads P1. Node 2 has taken
     * P0 over and commits a transaction of which node 3 has a part and hears nothing more: node 1 knows nothing of it,
     * and must not say that it is undone.
     */
    @Test
    void aLeaderOfYesterdayDoesNotSayWhatIsUndone() {
        ReplicatedBank bank = new ReplicatedBank(21, NODES, NODES, 2, DurabilityMode.NONE).withSpreadClients(1);
        SpreadClient client = bank.spreadClients.getFirst();
        assertThat(bank.world.runUntil(client::hasOpened, 5 * ReplicatedBank.SECOND_NANOS))
                .isTrue();
        bank.calm();
        NodeId old = new NodeId(1);
        NodeId successor = new NodeId(2);
        NodeId participant = new NodeId(3);
        assertThat(bank.record(new PartitionId(0)).get().primary().node()).isEqualTo(old);
        assertThat(bank.record(new PartitionId(1)).get().primary().node()).isEqualTo(participant);
        bank.store.cut(old);
        bank.store.cut(participant);
        bank.world.network().partition(Set.of(old), Set.of(successor));
        assertThat(bank.world.runUntil(
                        () -> bank.node(successor).database.copies().isHere(0), 10 * ReplicatedBank.SECOND_NANOS))
                .isTrue();
        long before = bank.transactions();
        client.transfer(0, 1, 5);
        RemoteTransactions coordinating =
                Objects.requireNonNull(bank.node(successor).database.remote());
        assertThat(bank.world.runUntil(() -> coordinating.decisions().count() > 0, 5 * ReplicatedBank.SECOND_NANOS))
                .isTrue();
        bank.world.network().partition(Set.of(successor), Set.of(participant));
        RemoteTransactions asking =
                Objects.requireNonNull(bank.node(participant).database.remote());
        assertThat(bank.world.runUntil(() -> asking.doubtCount() > 0, ReplicatedBank.SECOND_NANOS))
                .as("somebody asks " + bank)
                .isTrue();
        bank.world.runFor(ReplicatedBank.SECOND_NANOS / 2);
        assertThat(bank.node(old).database.copies().isHere(0))
                .as("node 1 believes that it leads")
                .isTrue();
        bank.mend();
        bank.heal();
        bank.calm();
        assertThat(bank.transactions()).isEqualTo(before + 1);
        client.readAll();
        assertThat(bank.world.runUntil(client::isIdle, 5 * ReplicatedBank.SECOND_NANOS))
                .isTrue();
        bank.assertNothingIsLeft();
    }
}
