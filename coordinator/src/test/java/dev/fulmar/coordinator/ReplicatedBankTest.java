package dev.fulmar.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.coordinator.durability.checkpoint.Checkpoints;
import dev.fulmar.coordinator.durability.environment.DurabilityMode;
import dev.fulmar.coordinator.membership.CopyId;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.coordinator.transaction.PartitionRuntime;
import dev.fulmar.engine.row.RowLayout;
import dev.fulmar.engine.table.ScanCursor;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.id.PartitionId;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A bank whose partitions have copies on several nodes. */
class ReplicatedBankTest {
    private static final PartitionId FIRST = new PartitionId(0);

    @ParameterizedTest
    @EnumSource(DurabilityMode.class)
    void copiesFollowTheirPrimaries(DurabilityMode mode) {
        ReplicatedBank bank = new ReplicatedBank(1, 3, 3, 2, mode).withClients();
        bank.world.runFor(2 * ReplicatedBank.SECOND_NANOS);
        assertThat(bank.transactions()).isGreaterThan(300);
        bank.assertCopiesEqual();
    }

    /**
     * Changes of the catalog are made while transactions run, and while a node is down that was the catalog's primary.
     */
    @ParameterizedTest
    @EnumSource(DurabilityMode.class)
    void theCatalogChangesOnAllNodes(DurabilityMode mode) {
        ReplicatedBank bank = new ReplicatedBank(3, 3, 3, 2, mode).withClients();
        bank.world.runFor(ReplicatedBank.SECOND_NANOS / 4);
        bank.change(5);
        bank.world.runFor(ReplicatedBank.SECOND_NANOS / 4);
        bank.nodes
                .values()
                .forEach(node -> assertThat(node.database.catalog().version()).isEqualTo(6));
        bank.kill(bank.primary(new PartitionId(3)).process.node());
        assertThat(bank.world.runUntil(bank::allServe, 10 * ReplicatedBank.SECOND_NANOS))
                .isTrue();
        bank.change(6);
        long before = bank.transactions();
        bank.world.runFor(ReplicatedBank.SECOND_NANOS);
        assertThat(bank.transactions()).isGreaterThan(before + 200);
        bank.assertCopiesEqual();
    }

    /**
     * What a copy fixes at a moment of its partition, a checkpoint or an image after its promotion, must show all its
     * rows.
     */
    @Test
    void theClockOfACopyIsNotBehindItsRows() {
        ReplicatedBank bank = new ReplicatedBank(8, 3, 3, 2, DurabilityMode.NONE).withClients();
        bank.world.runFor(ReplicatedBank.SECOND_NANOS / 2);
        bank.calm();
        for (ClusterNode node : bank.nodes.values()) {
            for (int number = 0; number < 3; number++) {
                PartitionId partition = new PartitionId(number);
                if (!bank.nodesOf(partition).contains(node.process.node())) {
                    continue;
                }
                PartitionRuntime runtime = node.database.runtime(partition);
                ScanCursor cursor = runtime.storage().table(1).newScan();
                runtime.storage().table(1).open(cursor);
                for (long row = cursor.next(); row != 0; row = cursor.next()) {
                    assertThat(RowLayout.commitTimestamp(row))
                            .isLessThanOrEqualTo(
                                    runtime.partition().timestamps().last());
                }
            }
        }
    }

    /**
     * A procedure that never does the same twice, and hides it from the scan: a copy says that it differs, and is built
     * anew.
     */
    @Test
    void aCopyThatComesToAnotherResultIsBuiltAnew() {
        ReplicatedBank bank = new ReplicatedBank(4, 3, 3, 2, DurabilityMode.NONE).withClients();
        bank.world.runFor(ReplicatedBank.SECOND_NANOS / 4);
        bank.change(7);
        bank.world.runFor(ReplicatedBank.SECOND_NANOS / 2);
        bank.change(8);
        assertThat(bank.reached).containsKey("replication: diverged");
        assertThat(bank.nodes.values())
                .anySatisfy(node -> assertThat(node.complaints)
                        .anySatisfy(complaint -> assertThat(complaint).contains("changed other rows than before")));
        bank.heal();
        bank.assertCopiesEqual();
    }

    /**
     * A node that hears nobody executes no more, and what it could not make safe has no known outcome there; the other
     * side goes on.
     */
    @Test
    void aPrimaryThatIsCutOffGivesNoAnswersAndFollowsAgain() {
        ReplicatedBank bank = new ReplicatedBank(5, 3, 3, 2, DurabilityMode.SYNC).withClients();
        bank.world.runFor(ReplicatedBank.SECOND_NANOS / 2);
        ClusterNode alone = bank.primary(FIRST);
        bank.isolate(alone.process.node());
        bank.world.runFor(3 * ReplicatedBank.SECOND_NANOS);
        assertThat(bank.primary(FIRST)).isNotSameAs(alone);
        long before = bank.transactions();
        bank.world.runFor(ReplicatedBank.SECOND_NANOS);
        assertThat(bank.transactions()).isGreaterThan(before + 300);
        bank.mend();
        bank.heal();
        assertThat(alone.database.copies().isHere(0)).isFalse();
        bank.assertCopiesEqual();
    }

    /**
     * What a node leads that is stopped in order is led elsewhere before it ends; nothing has an unknown outcome, and
     * its copies need not be built anew.
     */
    @ParameterizedTest
    @EnumSource(names = {"SYNC", "NONE"})
    void aNodeThatLeavesHandsOverWhatItLeads(DurabilityMode mode) {
        ReplicatedBank bank = new ReplicatedBank(11, 3, 3, 2, mode).withClients();
        bank.world.runFor(ReplicatedBank.SECOND_NANOS);
        ClusterNode leaver = bank.primary(FIRST);
        NodeId node = leaver.process.node();
        leaver.leave();
        assertThat(bank.world.runUntil(
                        () -> !bank.leaders(new NodeId(99)).contains(node), ReplicatedBank.SECOND_NANOS / 3))
                .isTrue();
        assertThat(bank.reached).containsKey("leadership: handed over").doesNotContainKey("leadership: promotion");
        bank.world.runFor(ReplicatedBank.SECOND_NANOS);
        for (int partition = 0; partition < 3; partition++) {
            assertThat(bank.record(new PartitionId(partition)).get().inSyncOn(node))
                    .isEmpty();
        }
        long before = bank.transactions();
        bank.end(node);
        bank.world.runFor(ReplicatedBank.SECOND_NANOS);
        assertThat(bank.transactions()).as("nobody notices its end").isGreaterThan(before + 200);
        bank.startAgain(node);
        bank.heal();
        if (mode == DurabilityMode.SYNC) {
            assertThat(bank.reached).doesNotContainKey("copies: one is begun");
        }
        bank.assertCopiesEqual();
    }

    /**
     * A node begins a term, has written that down, and dies before anybody hears of it: the record goes, and the copy
     * is not built anew.
     */
    @Test
    void aTermThatNobodyFollowedGoesFromTheLog() {
        ReplicatedBank bank = new ReplicatedBank(9, 3, 1, 3, DurabilityMode.SYNC).withClients();
        bank.world.runFor(ReplicatedBank.SECOND_NANOS / 2);
        bank.calm();
        bank.world.runFor(ReplicatedBank.SECOND_NANOS);
        NodeId first = bank.primary(FIRST).process.node();
        int terms = bank.reached.getOrDefault("replication: a term begins", 0);
        bank.restart(first);
        assertThat(bank.world.runUntil(
                        () -> bank.reached.getOrDefault("replication: a term begins", 0) > terms,
                        5 * ReplicatedBank.SECOND_NANOS))
                .isTrue();
        bank.kill(first);
        assertThat(bank.world.runUntil(
                        () -> !bank.primary(FIRST).process.node().equals(first), 5 * ReplicatedBank.SECOND_NANOS))
                .isTrue();
        bank.clients.forEach(client -> client.isResting = false);
        bank.world.runFor(ReplicatedBank.SECOND_NANOS);
        bank.startAgain(first);
        bank.heal();
        assertThat(bank.reached).containsKey("replication: a log goes back").doesNotContainKey("copies: one is begun");
        bank.assertCopiesEqual();
        // What the log has now is found by the next process.
        bank.restart(first);
        bank.heal();
        assertThat(bank.reached).doesNotContainKey("copies: one is begun");
        bank.assertCopiesEqual();
    }

    /**
     * A primary that is cut off writes on, and what nobody else has gets into its checkpoint. None of it comes back:
     * the copy is built anew, whether its process hears of the next term or another process that finds the checkpoint.
     */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whatIsUndoneDoesNotComeBackFromACheckpoint(boolean isRestarted) {
        ReplicatedBank bank = new ReplicatedBank(6, 3, 1, 2, DurabilityMode.SYNC).withClients();
        bank.world.runFor(ReplicatedBank.SECOND_NANOS / 2);
        bank.calm();
        ClusterNode alone = bank.primary(FIRST);
        CopyId before = bank.record(FIRST).get().primary();
        long common = alone.database.copies().of(FIRST).end();
        bank.isolate(before.node());
        List<CompletableFuture<TransactionResponse>> undone = new ArrayList<>();
        for (int request = 1; request <= 20; request++) {
            undone.add(bank.ask(alone, ReplicatedBank.write(900, request, 0, request)));
        }
        Checkpoints checkpoints = Objects.requireNonNull(
                Objects.requireNonNull(alone.database.durability()).checkpoints());
        bank.world.runFor(ReplicatedBank.SECOND_NANOS / 20);
        checkpoints.request();
        assertThat(bank.world.runUntil(
                        () -> checkpoints.newestPositions().containsKey(0)
                                && checkpoints.newestPositions().get(0).sequence() > common,
                        2 * ReplicatedBank.SECOND_NANOS))
                .isTrue();
        if (isRestarted) {
            bank.kill(before.node());
        }
        bank.clients.forEach(client -> client.isResting = false);
        bank.world.runFor(2 * ReplicatedBank.SECOND_NANOS);
        assertThat(bank.record(FIRST).get().primary()).isNotEqualTo(before);
        assertThat(undone).noneMatch(answer -> answer.isDone() && answer.join() instanceof Committed);
        if (isRestarted) {
            bank.startAgain(before.node());
        }
        bank.mend();
        bank.heal();
        assertThat(bank.lifeOf(FIRST, before.node())).isGreaterThan(before.life());
        bank.assertCopiesEqual();
        bank.restart(before.node());
        bank.heal();
        bank.assertCopiesEqual();
    }

    /**
     * Copies that do not keep what they confirmed come back as others: they go on with the best of what is left,
     * together.
     */
    @ParameterizedTest
    @EnumSource(names = {"ASYNC", "NONE"})
    void aClusterThatRestartsAsAWholeGoesOnWithWhatIsLeft(DurabilityMode mode) {
        ReplicatedBank bank = new ReplicatedBank(8, 3, 3, 2, mode).withClients();
        bank.world.runFor(ReplicatedBank.SECOND_NANOS);
        bank.calm();
        bank.world.runFor(ReplicatedBank.SECOND_NANOS);
        List<NodeId> nodes = List.copyOf(bank.nodes.keySet());
        nodes.forEach(bank::kill);
        bank.startAgain(nodes.getFirst());
        bank.startAgain(nodes.get(1));
        bank.world.runFor(3 * ReplicatedBank.SECOND_NANOS);
        assertThat(bank.record(new PartitionId(3)).get().primary().life())
                .as("as long as one is away that may have more nothing happens")
                .isEqualTo(1);
        bank.startAgain(nodes.get(2));
        assertThat(bank.world.runUntil(bank::allServe, 10 * ReplicatedBank.SECOND_NANOS))
                .as(bank.toString())
                .isTrue();
        bank.heal();
        assertThat(bank.reached).containsKey("leadership: begins with what is left");
        if (mode == DurabilityMode.ASYNC) {
            // Nothing was under way for long, so nothing is missing.
            bank.assertCopiesEqual();
            long before = bank.transactions();
            bank.world.runFor(ReplicatedBank.SECOND_NANOS);
            assertThat(bank.transactions()).isGreaterThan(before + 200);
        }
    }

    @ParameterizedTest
    @EnumSource(DurabilityMode.class)
    void theOtherCopyGoesOnWhenThePrimaryDies(DurabilityMode mode) {
        ReplicatedBank bank = new ReplicatedBank(2, 3, 3, 2, mode).withClients();
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
