package dev.fulmar.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.coordinator.durability.DurabilityMode;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.id.PartitionId;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A bank whose partitions have copies on several nodes. */
class ReplicatedBankTest {
    private static final PartitionId FIRST = new PartitionId(0);

    @ParameterizedTest
    @EnumSource(DurabilityMode.class)
    void copiesFollowTheirPrimaries(DurabilityMode mode) {
        ReplicatedBank bank = new ReplicatedBank(1, 3, 3, 2, mode);
        bank.world.runFor(2 * ReplicatedBank.SECOND_NANOS);
        assertThat(bank.transactions()).isGreaterThan(300);
        bank.assertCopiesEqual();
    }

    /** Changes of the catalog are made while transactions run, and while a node is down that was the catalog's primary. */
    @ParameterizedTest
    @EnumSource(DurabilityMode.class)
    void theCatalogChangesOnAllNodes(DurabilityMode mode) {
        ReplicatedBank bank = new ReplicatedBank(3, 3, 3, 2, mode);
        bank.world.runFor(ReplicatedBank.SECOND_NANOS / 4);
        bank.change(5);
        bank.world.runFor(ReplicatedBank.SECOND_NANOS / 4);
        bank.nodes.values().forEach(node -> assertThat(node.database.catalog().version())
                .isEqualTo(6));
        bank.kill(bank.primary(new PartitionId(3)).process.node());
        assertThat(bank.world.runUntil(bank::allServe, 10 * ReplicatedBank.SECOND_NANOS))
                .isTrue();
        bank.change(6);
        long before = bank.transactions();
        bank.world.runFor(ReplicatedBank.SECOND_NANOS);
        assertThat(bank.transactions()).isGreaterThan(before + 200);
        bank.assertCopiesEqual();
    }

    @ParameterizedTest
    @EnumSource(DurabilityMode.class)
    void theOtherCopyGoesOnWhenThePrimaryDies(DurabilityMode mode) {
        ReplicatedBank bank = new ReplicatedBank(2, 3, 3, 2, mode);
        bank.world.runFor(ReplicatedBank.SECOND_NANOS);
        NodeId dead = bank.primary(FIRST).process.node();
        bank.kill(dead);
        bank.world.runFor(2 * ReplicatedBank.SECOND_NANOS);
        assertThat(bank.primary(FIRST).process.node()).isNotEqualTo(dead);
        long before = bank.transactions();
        bank.world.runFor(ReplicatedBank.SECOND_NANOS);
        assertThat(bank.transactions()).isGreaterThan(before + 300);
        bank.assertCopiesEqual();
    }
}
