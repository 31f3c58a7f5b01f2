package dev.fulmar.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.coordinator.durability.environment.DurabilityMode;
import dev.fulmar.coordinator.durability.replica.PartitionReplica;
import dev.fulmar.coordinator.membership.CopyId;
import dev.fulmar.coordinator.membership.PartitionRecord;
import dev.fulmar.coordinator.membership.Versioned;
import dev.fulmar.engine.partition.PartitionTask;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.id.PartitionId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What a partition or its copy is doing breaks off half-way, so that nothing there can be trusted any more: others go
 * on, and the copy is built anew.
 */
class BrokenCopyTest {
    private static final long SECOND_NANOS = ReplicatedBank.SECOND_NANOS;
    private static final PartitionId PARTITION = new PartitionId(0);

    private enum Place {
        /** While the partition executes something. */
        PARTITION {
            @Override
            void fail(PartitionReplica copy) {
                PartitionTask task = here -> {
                    throw new IllegalStateException("half-way");
                };
                copy.runtime().partition().inbox().put(task);
            }
        },
        /** While the copy takes what comes from others. */
        COPY {
            @Override
            void fail(PartitionReplica copy) {
                copy.post(() -> {
                    throw new IllegalStateException("half-way");
                });
            }
        };

        abstract void fail(PartitionReplica copy);
    }

    private static ReplicatedBank bank(DurabilityMode mode) {
        ReplicatedBank bank =
                new ReplicatedBank(41, 3, 2, 2, mode).withClients().mayBreak();
        bank.world.runFor(SECOND_NANOS / 4);
        return bank;
    }

    private static PartitionReplica copy(ReplicatedBank bank, NodeId node) {
        return bank.node(node).database.copies().of(PARTITION);
    }

    private static void awaitOtherLife(ReplicatedBank bank, CopyId before) {
        bank.heal();
        assertThat(bank.lifeOf(PARTITION, before.node())).isGreaterThan(before.life());
        assertThat(copy(bank, before.node()).status().isBroken()).isFalse();
        assertThat(bank.reached).containsEntry("copies: one broke", 1);
        long done = bank.transactions();
        bank.world.runFor(SECOND_NANOS);
        assertThat(bank.transactions()).isGreaterThan(done + 50);
        bank.assertCopiesEqual();
    }

    @ParameterizedTest
    @EnumSource(Place.class)
    void anotherCopyLeadsWhenThatOfThePrimaryBreaks(Place place) {
        ReplicatedBank bank = bank(DurabilityMode.SYNC);
        CopyId before = bank.record(PARTITION).get().primary();
        place.fail(copy(bank, before.node()));
        assertThat(bank.world.runUntil(() -> copy(bank, before.node()).status().isBroken(), SECOND_NANOS))
                .isTrue();
        assertThat(copy(bank, before.node()).status().serves()).isFalse();
        assertThat(bank.world.runUntil(
                        () -> !bank.record(PARTITION).get().primary().equals(before) && bank.allServe(),
                        SECOND_NANOS / 2))
                .as("another leads " + bank)
                .isTrue();
        assertThat(bank.record(PARTITION).get().inSync()).doesNotContain(before);
        assertThat(bank.node(before.node()).complaints).anyMatch(line -> line.contains("the replica is damaged"));
        awaitOtherLife(bank, before);
    }

    @ParameterizedTest
    @EnumSource(Place.class)
    void aCopyThatBreaksIsTakenOutAndBuiltAnew(Place place) {
        ReplicatedBank bank = bank(DurabilityMode.NONE);
        CopyId primary = bank.record(PARTITION).get().primary();
        CopyId before = bank.record(PARTITION).get().inSync().stream()
                .filter(copy -> !copy.equals(primary))
                .findFirst()
                .orElseThrow();
        place.fail(copy(bank, before.node()));
        bank.world.runFor(SECOND_NANOS / 5);
        awaitOtherLife(bank, before);
        assertThat(bank.record(PARTITION).get().primary()).isEqualTo(primary);
    }

    /**
     * What its log leads to is as good as it ever was, and the primary of the same term takes it in again under the
     * same life.
     */
    @Test
    void aBrokenCopyWhoseProcessStartsAgainBeforeAnotherIsBuiltComesBack() {
        ReplicatedBank bank = bank(DurabilityMode.SYNC);
        Versioned<PartitionRecord> begun = bank.record(PARTITION);
        CopyId broken = begun.get().inSync().stream()
                .filter(copy -> !copy.equals(begun.get().primary()))
                .findFirst()
                .orElseThrow();
        Place.COPY.fail(copy(bank, broken.node()));
        assertThat(bank.world.runUntil(
                        () -> !bank.record(PARTITION).get().inSync().contains(broken), SECOND_NANOS))
                .isTrue();
        bank.kill(broken.node());
        bank.restart(broken.node());
        bank.heal();
        assertThat(bank.record(PARTITION).get().epoch()).isEqualTo(begun.get().epoch());
        assertThat(bank.lifeOf(PARTITION, broken.node())).isEqualTo(broken.life());
        bank.assertCopiesEqual();
    }

    /** It has nobody to give the lead to. What it has may still be what its log leads to: a restart finds out. */
    @Test
    void theLastCopyStaysUntilItsProcessStartsAgain() {
        ReplicatedBank bank = bank(DurabilityMode.SYNC);
        CopyId last = bank.record(PARTITION).get().primary();
        bank.record(PARTITION).get().inSync().stream()
                .filter(copy -> !copy.equals(last))
                .forEach(copy -> bank.kill(copy.node()));
        bank.world.runFor(3 * SECOND_NANOS);
        assertThat(bank.record(PARTITION).get().inSync()).containsExactly(last);
        Place.PARTITION.fail(copy(bank, last.node()));
        bank.world.runFor(SECOND_NANOS);
        assertThat(copy(bank, last.node()).status().isBroken()).isTrue();
        assertThat(bank.record(PARTITION).get().inSync()).containsExactly(last);
        bank.nodes.keySet().stream().toList().forEach(bank::restart);
        bank.heal();
        assertThat(bank.lifeOf(PARTITION, last.node())).isEqualTo(last.life());
        bank.assertCopiesEqual();
    }

    @Test
    void anotherNodeMakesTheChangesWhenTheCopyOfTheCatalogBreaks() {
        ReplicatedBank bank = bank(DurabilityMode.SYNC);
        CopyId before = bank.record(bank.catalog()).get().primary();
        Place.COPY.fail(bank.node(before.node()).database.copies().catalog());
        assertThat(bank.world.runUntil(
                        () -> !bank.record(bank.catalog()).get().primary().equals(before), SECOND_NANOS))
                .isTrue();
        assertThat(bank.world.runUntil(
                        () -> bank.record(bank.catalog()).get().inSync().size() == 3, 10 * SECOND_NANOS))
                .as("the copy is back " + bank)
                .isTrue();
        bank.change(5);
        assertThat(bank.world.runUntil(() -> bank.allKnow(6), 10 * SECOND_NANOS))
                .isTrue();
        bank.heal();
        bank.assertCopiesEqual();
    }
}
