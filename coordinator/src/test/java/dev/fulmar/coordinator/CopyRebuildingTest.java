package dev.fulmar.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.coordinator.durability.checkpoint.Checkpoints;
import dev.fulmar.coordinator.durability.environment.DurabilityMode;
import dev.fulmar.coordinator.durability.replica.PartitionReplica;
import dev.fulmar.coordinator.membership.CopyId;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.id.PartitionId;
import dev.fulmar.foundation.random.SeededRandom;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Nodes lose everything, or are away for longer than anybody keeps records for them: their copies are built anew, while
 * the bank goes on.
 */
class CopyRebuildingTest {
    private static final PartitionId FIRST = new PartitionId(0);

    /** So little that a new copy cannot be sent all records. */
    private static final long MEMORY_BYTES = 24 << 10;

    private static ReplicatedBank bank(long seed, DurabilityMode mode) {
        return new ReplicatedBank(seed, 3, 3, 2, mode, MEMORY_BYTES, 20_000).withClients();
    }

    @ParameterizedTest
    @EnumSource(DurabilityMode.class)
    void aNodeThatLostItsDiskIsBuiltAnewAndThenCounts(DurabilityMode mode) {
        ReplicatedBank bank = bank(3, mode);
        bank.world.runFor(2 * ReplicatedBank.SECOND_NANOS);
        NodeId lost = bank.primary(FIRST).process.node();
        bank.replace(lost);
        bank.heal();
        assertThat(bank.reached).containsKey("copies: one is built");
        bank.assertCopiesEqual();
        // What was built must be enough: the copy that it was built from goes.
        NodeId source = bank.primary(FIRST).process.node();
        assertThat(source).isNotEqualTo(lost);
        bank.kill(source);
        bank.world.runFor(2 * ReplicatedBank.SECOND_NANOS);
        assertThat(bank.primary(FIRST).process.node()).isEqualTo(lost);
        long before = bank.transactions();
        bank.world.runFor(ReplicatedBank.SECOND_NANOS);
        assertThat(bank.transactions()).isGreaterThan(before + 100);
    }

    /** Records that a copy in sync lacks stay in memory, however many one commit has. */
    @ParameterizedTest
    @EnumSource(DurabilityMode.class)
    void aCommitOfMoreThanTheMemoryLosesNoCopy(DurabilityMode mode) {
        ReplicatedBank bank = new ReplicatedBank(11, 3, 3, 2, mode, MEMORY_BYTES, 1L << 40).withClients();
        bank.change(ReplicatedBank.OPEN);
        bank.world.runFor(ReplicatedBank.SECOND_NANOS);
        List<List<CopyId>> before = inSync(bank);
        long[] ids = LongStream.range(1_000_000, 1_006_000).toArray();
        TransactionResponse answer =
                bank.await(bank.ask(bank.primary(FIRST), SteppedDatabase.request("OpenAccounts", ids, 1L)));
        assertThat(answer).isInstanceOf(TransactionResponse.Committed.class);
        bank.world.runFor(ReplicatedBank.SECOND_NANOS);
        assertThat(bank.reached).doesNotContainKeys("replication: a copy is lost", "copies: one is begun");
        assertThat(inSync(bank)).isEqualTo(before);
        bank.heal();
        bank.assertCopiesEqual();
    }

    private static List<List<CopyId>> inSync(ReplicatedBank bank) {
        return IntStream.range(0, 3)
                .mapToObj(partition ->
                        bank.record(new PartitionId(partition)).get().inSync())
                .toList();
    }

    @Test
    void aBuiltCopySurvivesItsProcess() {
        ReplicatedBank bank = bank(4, DurabilityMode.SYNC);
        bank.world.runFor(ReplicatedBank.SECOND_NANOS);
        NodeId lost = bank.primary(FIRST).process.node();
        bank.replace(lost);
        bank.heal();
        long life = bank.lifeOf(FIRST, lost);
        ClusterNode again = bank.restart(lost);
        assertThat(again.database.copies().of(FIRST).recoveredLife()).isEqualTo(life);
        bank.heal();
        assertThat(bank.lifeOf(FIRST, lost)).isEqualTo(life);
        bank.assertCopiesEqual();
    }

    /**
     * Copies that do not keep what they confirm begin another life with each process, and their checkpoints say so: one
     * of a later life than the copy that was built here has all of it, and more. Else a cluster that ends as a whole
     * would wait for it for good.
     */
    @Test
    void aBuiltCopyIsWholeInLaterLivesToo() {
        ReplicatedBank bank = new ReplicatedBank(8, 2, 1, 2, DurabilityMode.ASYNC, MEMORY_BYTES, 20_000).withClients();
        bank.world.runFor(ReplicatedBank.SECOND_NANOS);
        NodeId lost = bank.primary(FIRST).process.node();
        bank.replace(lost);
        bank.heal();
        bank.end(lost);
        bank.startAgain(lost);
        bank.heal();
        long life = bank.lifeOf(FIRST, lost);
        Checkpoints checkpoints = Objects.requireNonNull(
                Objects.requireNonNull(bank.node(lost).database.durability()).checkpoints());
        assertThat(bank.world.runUntil(() -> checkpoints.holds(FIRST.number(), life), ReplicatedBank.SECOND_NANOS))
                .isTrue();
        List<NodeId> all = List.copyOf(bank.nodes.keySet());
        all.forEach(bank::end);
        all.forEach(bank::startAgain);
        PartitionReplica again = bank.node(lost).database.copies().of(FIRST);
        assertThat(again.recoveredLife())
                .as("its checkpoint is of its second life")
                .isEqualTo(life);
        assertThat(again.isRecovered()).isTrue();
        bank.heal();
        bank.assertCopiesEqual();
    }

    /**
     * The primary ends while the other node, which had lost its disk, builds its copy from it, and the store has not
     * heard yet that the copy in sync there is gone. The process that follows must not wait for what is being built:
     * nothing comes of it before somebody leads.
     */
    @Test
    void nobodyWaitsForACopyThatIsBeingBuilt() {
        ReplicatedBank bank = new ReplicatedBank(9, 2, 1, 2, DurabilityMode.ASYNC, MEMORY_BYTES, 20_000).withClients();
        bank.world.runFor(ReplicatedBank.SECOND_NANOS);
        NodeId source = bank.primary(FIRST).process.node();
        NodeId lost = source.equals(new NodeId(1)) ? new NodeId(2) : new NodeId(1);
        bank.store.cut(source);
        bank.replace(lost);
        assertThat(bank.world.runUntil(
                        () -> bank.reached.containsKey("copies: one is begun"), 5 * ReplicatedBank.SECOND_NANOS))
                .isTrue();
        bank.end(source);
        bank.store.mend(source);
        assertThat(bank.lifeOf(FIRST, lost)).as("the copy that is gone counts").isEqualTo(1);
        bank.startAgain(source);
        bank.heal();
        bank.assertCopiesEqual();
    }

    /**
     * A primary that does not know that a copy was given up sends on. The log takes none of it, for it is about to go
     * on where the copy that is built begins.
     */
    @Test
    void aCopyThatWasGivenUpTakesNoMoreRecords() {
        ReplicatedBank bank = new ReplicatedBank(10, 2, 1, 2, DurabilityMode.SYNC).withClients();
        bank.world.runFor(ReplicatedBank.SECOND_NANOS);
        NodeId source = bank.primary(FIRST).process.node();
        NodeId other = source.equals(new NodeId(1)) ? new NodeId(2) : new NodeId(1);
        PartitionReplica replica = bank.node(other).database.copies().of(FIRST);
        CopyId next = new CopyId(other, bank.lifeOf(FIRST, other) + 1);
        AtomicBoolean isGivenUp = new AtomicBoolean();
        replica.post(() -> replica.giveUp(next, () -> isGivenUp.set(true)));
        bank.world.runFor(ReplicatedBank.SECOND_NANOS / 10);
        assertThat(isGivenUp).as("given up while it is in sync").isFalse();
        bank.world.network().partition(Set.of(other), Set.of(source));
        assertThat(bank.world.runUntil(isGivenUp::get, 10 * ReplicatedBank.SECOND_NANOS))
                .isTrue();
        long end = replica.end();
        bank.mend();
        bank.world.runFor(2 * ReplicatedBank.SECOND_NANOS);
        assertThat(bank.node(source).database.copies().of(FIRST).end()).isGreaterThan(end);
        assertThat(replica.end()).isEqualTo(end);
    }

    /** The power goes at every half millisecond before the copy counts, and at the moment at which it does. */
    @Test
    void aCrashLeavesTheWholeCopyOrNone() {
        int found = 0;
        long builtAfterNanos = 0;
        for (int halfMillis = 0; halfMillis < 16; halfMillis++) {
            ReplicatedBank bank =
                    new ReplicatedBank(7, 2, 1, 2, DurabilityMode.SYNC, MEMORY_BYTES, 20_000).withClients();
            bank.world.runFor(ReplicatedBank.SECOND_NANOS / 2);
            NodeId lost = bank.primary(FIRST).process.node();
            ClusterNode replaced = bank.replace(lost);
            long begin = bank.world.nowNanos();
            if (halfMillis == 0) {
                assertThat(bank.world.runUntil(
                                () -> bank.reached.containsKey("copies: one is built"),
                                5 * ReplicatedBank.SECOND_NANOS))
                        .isTrue();
                builtAfterNanos = bank.world.nowNanos() - begin;
            } else {
                bank.world.runFor(builtAfterNanos - halfMillis * 500_000L);
            }
            CopyId before = replaced.database.copies().of(FIRST).copy();
            PartitionReplica after = bank.restart(lost).database.copies().of(FIRST);
            found += after.isRecovered() ? 1 : 0;
            if (halfMillis == 0) {
                assertThat(after.isRecovered()).isTrue();
                assertThat(before).isEqualTo(new CopyId(lost, after.recoveredLife()));
            }
            bank.heal();
            bank.assertCopiesEqual();
        }
        assertThat(found).as("whole copies").isBetween(1, 12);
    }

    @ParameterizedTest
    @EnumSource(names = {"SYNC", "NONE"})
    void aCopyThatWasAwayForTooLongIsBuiltAnew(DurabilityMode mode) {
        ReplicatedBank bank = bank(5, mode);
        bank.world.runFor(ReplicatedBank.SECOND_NANOS);
        NodeId away = bank.primary(FIRST).process.node();
        Set<NodeId> others = new TreeSet<>(bank.nodes.keySet());
        others.remove(away);
        bank.world.network().partition(Set.of(away), others);
        bank.world.runFor(3 * ReplicatedBank.SECOND_NANOS);
        bank.world.network().heal();
        bank.heal();
        assertThat(bank.reached).containsKey("copies: one is built");
        bank.world.runFor(2 * ReplicatedBank.SECOND_NANOS);
        bank.assertCopiesEqual();
        assertThat(bank.reached).doesNotContainKey("replication: diverged");
    }

    /** The primary was killed too since: what the copy lacks is in the primary's log, and it is not built anew. */
    @Test
    void aCopyThatLagsIsSentWhatItsRestartedPrimaryReadFromTheLog() {
        ReplicatedBank bank = new ReplicatedBank(6, 2, 1, 2, DurabilityMode.SYNC).withClients();
        bank.world.runFor(ReplicatedBank.SECOND_NANOS);
        NodeId source = bank.primary(FIRST).process.node();
        NodeId away = source.equals(new NodeId(1)) ? new NodeId(2) : new NodeId(1);
        bank.kill(away);
        bank.world.runFor(2 * ReplicatedBank.SECOND_NANOS);
        bank.kill(source);
        bank.startAgain(source);
        assertThat(bank.world.runUntil(bank::allServe, 5 * ReplicatedBank.SECOND_NANOS))
                .isTrue();
        bank.startAgain(away);
        bank.heal();
        assertThat(bank.reached).doesNotContainKey("copies: one is begun");
        bank.assertCopiesEqual();
    }

    /**
     * A copy counts once a checkpoint holds it. Without a copy that waits for one a node goes on without checkpoints.
     */
    @Test
    void aNodeThatTakesNoCheckpointsAnyMoreEndsWhenACopyWaitsForOne() {
        ReplicatedBank bank = bank(8, DurabilityMode.SYNC);
        bank.world.runFor(ReplicatedBank.SECOND_NANOS);
        NodeId failing = bank.primary(FIRST).process.node();
        ClusterNode node = bank.node(failing);
        bank.world.disk(failing).faults().failForces(1, "log-checkpoints");
        Checkpoints checkpoints = Objects.requireNonNull(
                Objects.requireNonNull(node.database.durability()).checkpoints());
        assertThat(bank.world.runUntil(
                        () -> checkpoints.checkpointer().failure() != null, 5 * ReplicatedBank.SECOND_NANOS))
                .isTrue();
        bank.world.runFor(ReplicatedBank.SECOND_NANOS);
        assertThat(node.failures).isEmpty();
        assertThat(bank.primary(FIRST).process.node()).isEqualTo(failing);

        bank.isolate(failing);
        bank.world.runFor(3 * ReplicatedBank.SECOND_NANOS);
        bank.world.disk(failing).faults().failForces(0);
        bank.mend();
        assertThat(bank.world.runUntil(() -> !node.failures.isEmpty(), 10 * ReplicatedBank.SECOND_NANOS))
                .isTrue();
        bank.world.runFor(ReplicatedBank.SECOND_NANOS);
        assertThat(node.failures).singleElement().satisfies(cause -> {
            assertThat(cause.code()).isEqualTo(ErrorCode.STORAGE_FAILURE);
            assertThat(cause.getMessage()).contains("waits for a checkpoint").contains("start again");
        });
        bank.end(failing);
        bank.startAgain(failing);
        bank.heal();
        bank.assertCopiesEqual();
    }

    @Test
    void aCopyThatIsNotWholeNeverCounts() {
        for (int seed = 10; seed < 12; seed++) {
            ReplicatedBank bank = bank(seed, DurabilityMode.SYNC);
            SeededRandom random = new SeededRandom(seed);
            bank.world.runFor(ReplicatedBank.SECOND_NANOS);
            NodeId lost = bank.primary(FIRST).process.node();
            bank.replace(lost);
            for (int crash = 0; crash < 3; crash++) {
                int begun = bank.reached.getOrDefault("copies: one is begun", 0);
                bank.world.runUntil(
                        () -> bank.reached.getOrDefault("copies: one is begun", 0) > begun,
                        ReplicatedBank.SECOND_NANOS);
                bank.world.runFor(random.nextInt(40_000_000));
                bank.restart(lost, random.nextInt(4) == 0);
            }
            bank.heal();
            bank.assertCopiesEqual();
        }
    }
}
