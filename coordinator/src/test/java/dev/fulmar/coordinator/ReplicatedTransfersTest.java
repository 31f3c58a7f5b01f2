package dev.fulmar.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.coordinator.durability.DurabilityMode;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.random.RandomSource;
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
}
