package dev.fulmar.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.coordinator.durability.Replication;
import dev.fulmar.coordinator.durability.environment.DurabilityMode;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.coordinator.request.TransactionResponse.Failed;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.id.PartitionId;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The catalog of a cluster whose nodes die, are cut off, come back, and lose their disks. */
class ReplicatedCatalogTest {
    private static final long SECOND_NANOS = ReplicatedBank.SECOND_NANOS;

    /** The changes that make a bank, and so the version that it begins with. */
    private static final int CREATION = 5;

    private static final int CREATE_LATER = 5;
    private static final int DROP_LATER = 6;
    private static final int REPLACE_STAMP = 8;
    private static final int CREATE_SALE = 9;
    private static final int PARTITION_SALE = 10;
    private static final int UNIQUE_SALES = 11;

    private static void await(ReplicatedBank bank, long version) {
        assertThat(bank.world.runUntil(() -> bank.allKnow(version), 30 * SECOND_NANOS))
                .as("all know version " + version + " " + bank)
                .isTrue();
    }

    /** A node with nothing gets the whole catalog, with what changed while it was away, and later changes too. */
    @ParameterizedTest
    @EnumSource(names = {"SYNC", "NONE"})
    void aNodeThatLostItsDiskGetsTheCatalog(DurabilityMode mode) {
        ReplicatedBank bank = new ReplicatedBank(11, 3, 3, 2, mode).withClients();
        NodeId lost = new NodeId(bank.catalogPrimary().process.node().number() % 3 + 1);
        bank.kill(lost);
        bank.world.runFor(2 * SECOND_NANOS);
        bank.change(CREATE_LATER);
        bank.replace(lost);
        await(bank, CREATION + 1);
        bank.change(DROP_LATER);
        await(bank, CREATION + 2);
        bank.heal();
        bank.assertCopiesEqual();
    }

    /** What came as an image is in the log too: a node that got it knows it when it starts again, and may lead then. */
    @Test
    void anImageOutlastsARestart() {
        ReplicatedBank bank = new ReplicatedBank(12, 2, 2, 2, DurabilityMode.SYNC).withClients();
        NodeId first = bank.catalogPrimary().process.node();
        NodeId second = new NodeId(3 - first.number());
        bank.kill(second);
        bank.world.runFor(2 * SECOND_NANOS);
        bank.change(CREATE_LATER);
        bank.restart(first); // it has no records in memory any more
        assertThat(bank.world.runUntil(bank::allServe, 10 * SECOND_NANOS)).isTrue();
        bank.replace(second);
        await(bank, CREATION + 1);
        assertThat(bank.reached).containsKey("catalog: a copy is built");
        bank.heal();
        bank.restart(second);
        assertThat(bank.node(second).database.catalog().version()).isEqualTo(CREATION + 1);
        await(bank, CREATION + 1);
        bank.heal();
        bank.kill(first);
        assertThat(bank.world.runUntil(bank::allServe, 10 * SECOND_NANOS)).isTrue();
        bank.change(DROP_LATER);
        bank.restart(second);
        assertThat(bank.world.runUntil(bank::allServe, 10 * SECOND_NANOS)).isTrue();
        assertThat(bank.node(second).database.catalog().version()).isEqualTo(CREATION + 2);
    }

    /** A checkpoint between image and restart has the same. */
    @Test
    void anImageIsInCheckpoints() {
        ReplicatedBank bank = new ReplicatedBank(13, 2, 2, 2, DurabilityMode.SYNC, 4 << 20, 1 << 14).withClients();
        NodeId first = bank.catalogPrimary().process.node();
        NodeId second = new NodeId(3 - first.number());
        bank.kill(second);
        bank.world.runFor(2 * SECOND_NANOS);
        bank.restart(first);
        assertThat(bank.world.runUntil(bank::allServe, 10 * SECOND_NANOS)).isTrue();
        bank.replace(second);
        await(bank, CREATION);
        assertThat(bank.reached).containsKey("catalog: a copy is built");
        bank.heal();
        bank.world.runFor(5 * SECOND_NANOS);
        bank.change(CREATE_LATER);
        bank.world.runFor(5 * SECOND_NANOS);
        bank.calm();
        bank.restart(second);
        await(bank, CREATION + 1);
        bank.heal();
        bank.assertCopiesEqual();
    }

    /** All nodes end at once, and find the catalog on their disks. */
    @ParameterizedTest
    @ValueSource(longs = 1)
    void aPowerCutOfAllNodesLosesNoChange(long seed) {
        ReplicatedBank bank = new ReplicatedBank(seed, 2, 2, 2, DurabilityMode.SYNC).withClients();
        bank.world.runFor(SECOND_NANOS / 4);
        bank.change(CREATE_LATER);
        for (int node = 1; node <= 2; node++) {
            bank.restart(new NodeId(node));
        }
        await(bank, CREATION + 1);
        bank.change(DROP_LATER);
        await(bank, CREATION + 2);
        bank.heal();
        bank.assertCopiesEqual();
    }

    /**
     * A primary that is cut off cannot make its change count: whoever waits for it is told, and the change of the next
     * primary takes its place.
     */
    @ParameterizedTest
    @EnumSource(names = {"SYNC", "NONE"})
    void aChangeOfADeposedPrimaryIsNotUsed(DurabilityMode mode) {
        ReplicatedBank bank = new ReplicatedBank(14, 3, 1, 2, mode).withClients();
        ClusterNode alone = bank.catalogPrimary();
        assertThat(alone.database.copies().isHere(0)).isFalse();
        long end = alone.database.copies().catalog().end();
        CompletableFuture<TransactionResponse> lost = ReplicatedBank.change(alone, CREATE_LATER);
        assertThat(bank.world.runUntil(() -> alone.database.copies().catalog().end() > end, SECOND_NANOS))
                .isTrue();
        bank.isolate(alone.process.node());
        bank.world.runFor(4 * SECOND_NANOS);
        assertThat(bank.catalogPrimary()).isNotSameAs(alone);
        assertThat(alone.database.catalog().version()).isEqualTo(CREATION);
        bank.change(REPLACE_STAMP);
        bank.mend();
        await(bank, CREATION + 1);
        assertThat(bank.reached).containsKey("catalog: a copy is built");
        assertThat(alone.database.catalog().tables()).doesNotContainKey("LATER");
        assertThat(lost).isDone();
        assertThat(lost.join()).isInstanceOf(Failed.class);
        bank.change(CREATE_LATER);
        await(bank, CREATION + 2);
        bank.heal();
        bank.assertCopiesEqual();
    }

    /** A change that all have outlives the primary that made it, though nobody was told that it counts. */
    @Test
    void aChangeThatAllHaveOutlivesItsPrimary() {
        ReplicatedBank bank = new ReplicatedBank(15, 3, 3, 2, DurabilityMode.SYNC).withClients();
        ClusterNode first = bank.catalogPrimary();
        CompletableFuture<TransactionResponse> made = ReplicatedBank.change(first, CREATE_LATER);
        assertThat(bank.world.runUntil(made::isDone, SECOND_NANOS)).isTrue();
        assertThat(made.join()).isInstanceOf(Committed.class);
        bank.kill(first.process.node());
        assertThat(bank.world.runUntil(bank::allServe, 10 * SECOND_NANOS)).isTrue();
        bank.world.runFor(SECOND_NANOS);
        assertThat(bank.catalogPrimary().database.catalog().tables()).containsKey("LATER");
    }

    /**
     * The log of a copy takes an image of the catalog in one record: what would be larger is refused before any node
     * depends on it.
     */
    @Test
    void aCatalogThatNoNodeCouldGetIsNotMade() {
        ReplicatedBank bank = new ReplicatedBank(18, 3, 3, 2, DurabilityMode.SYNC);
        String digits = "0".repeat(5_000);
        ErrorCode refusal = null;
        int made = 0;
        while (refusal == null && made < 5) {
            CompletableFuture<TransactionResponse> change = bank.catalogPrimary()
                    .database
                    .submit(new TransactionRequest.AdHoc(
                            0,
                            0,
                            0,
                            BankSql.PREFIX + digits + (made % 2 == 0 ? CREATE_LATER : DROP_LATER),
                            SteppedDatabase.list()));
            assertThat(bank.world.runUntil(change::isDone, 5 * SECOND_NANOS)).isTrue();
            if (change.join() instanceof Failed failed) {
                refusal = failed.code();
            } else {
                made++;
            }
        }
        assertThat(refusal).isEqualTo(ErrorCode.NOT_SUPPORTED);
        assertThat(made).isPositive();
        bank.replace(new NodeId(bank.catalogPrimary().process.node().number() % 3 + 1));
        await(bank, CREATION + made);
        bank.heal();
        bank.change(made % 2 == 0 ? CREATE_LATER : DROP_LATER);
        await(bank, CREATION + made + 1);
    }

    /** A node that has not heard of the newest catalog does not say that something does not exist. */
    @Test
    void aNodeThatIsCutOffSaysThatItDoesNotKnow() {
        ReplicatedBank bank = new ReplicatedBank(16, 3, 3, 2, DurabilityMode.SYNC).withClients();
        ClusterNode alone =
                bank.node(new NodeId(bank.catalogPrimary().process.node().number() % 3 + 1));
        bank.kill(alone.process.node());
        bank.world.runFor(2 * SECOND_NANOS);
        bank.change(CREATE_LATER);
        bank.world.network().heal();
        ClusterNode next = bank.restart(alone.process.node());
        bank.isolate(next.process.node());
        CompletableFuture<TransactionResponse> answer =
                next.database.submit(new TransactionRequest.Call(0, 0, 0, "Nowhere", SteppedDatabase.list()));
        assertThat(bank.world.runUntil(answer::isDone, 5 * SECOND_NANOS)).isTrue();
        assertThat(answer.join())
                .isInstanceOfSatisfying(
                        Failed.class, failed -> assertThat(failed.code()).isEqualTo(ErrorCode.WRONG_NODE));
    }

    /**
     * Rows of one partition forbid a unique index. The node that makes the changes leads none, and learns of it before
     * anything is written.
     */
    @Test
    void whatAnotherNodesRowsForbidIsMadeNowhere() {
        ReplicatedBank bank = new ReplicatedBank(17, 3, 1, 2, DurabilityMode.SYNC).withClients();
        assertThat(bank.catalogPrimary().database.copies().isHere(0)).isFalse();
        bank.change(CREATE_SALE);
        bank.change(PARTITION_SALE);
        await(bank, CREATION + 2);
        insertSale(bank);
        insertSale(bank);
        CompletableFuture<TransactionResponse> index = ReplicatedBank.change(bank.catalogPrimary(), UNIQUE_SALES);
        assertThat(bank.world.runUntil(index::isDone, 5 * SECOND_NANOS)).isTrue();
        assertThat(index.join())
                .isInstanceOfSatisfying(
                        Failed.class, failed -> assertThat(failed.code()).isEqualTo(ErrorCode.UNIQUE_VIOLATION));
        bank.world.runFor(SECOND_NANOS);
        await(bank, CREATION + 2);
        insertSale(bank);
        bank.change(CREATE_LATER);
        await(bank, CREATION + 3);
        bank.assertCopiesEqual();
    }

    private static void insertSale(ReplicatedBank bank) {
        CompletableFuture<TransactionResponse> done = bank.primary(new PartitionId(0))
                .database
                .submit(new TransactionRequest.AdHoc(
                        0, 0, 0, "INSERT INTO sale VALUES (?, ?)", SteppedDatabase.list(1L, 5L)));
        assertThat(bank.world.runUntil(done::isDone, 5 * SECOND_NANOS)).isTrue();
        assertThat(done.join()).isInstanceOf(Committed.class);
    }

    /**
     * The node that makes a change, or one that has a part in it, ends at any moment of it: the change counts
     * everywhere or nowhere, and all goes on.
     */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aNodeDiesAtAnyMomentOfAChange(boolean isMaker) {
        Set<Long> versions = new TreeSet<>();
        for (int step : new int[] {0, 2, 4}) {
            ReplicatedBank bank = new ReplicatedBank(30 + step, 3, 3, 2, DurabilityMode.NONE).withClients();
            NodeId maker = bank.catalogPrimary().process.node();
            NodeId participant = bank.leaders(maker).iterator().next();
            CompletableFuture<TransactionResponse> answer = ReplicatedBank.change(bank.catalogPrimary(), CREATE_LATER);
            bank.world.runFor(step * 1_200_000L);
            bank.kill(isMaker ? maker : participant);
            bank.world.runFor(2 * SECOND_NANOS);
            assertThat(bank.world.runUntil(bank::allServe, 10 * SECOND_NANOS))
                    .as("all serve, step " + step + " " + bank)
                    .isTrue();
            long version = bank.catalogPrimary().database.catalog().version();
            versions.add(version);
            boolean isCommitted = answer.isDone() && answer.join() instanceof Committed;
            assertThat(isCommitted && version == CREATION)
                    .as("lost, step " + step)
                    .isFalse();
            bank.change(version == CREATION ? REPLACE_STAMP : DROP_LATER);
            bank.world.runFor(SECOND_NANOS);
            bank.nodes.values().stream()
                    .filter(node -> node.process.isAlive())
                    .forEach(node ->
                            assertThat(node.database.catalog().version()).isEqualTo(version + 1));
            long before = bank.transactions();
            bank.world.runFor(SECOND_NANOS / 2);
            assertThat(bank.transactions())
                    .as("progress, step " + step + " " + bank)
                    .isGreaterThan(before + 50);
        }
        if (isMaker) {
            assertThat(versions).containsExactly((long) CREATION, CREATION + 1L);
        } else {
            assertThat(versions).as("tried again until others lead").containsExactly(CREATION + 1L);
        }
    }

    /**
     * The primary of the catalog ends after its change began to count and before it is in use. The next primary is
     * asked for another change at once, which must not stand before the version that it takes over.
     */
    @Test
    void aSuccessorIsAskedForAnotherChangeAtOnce() {
        for (long nanos = 2_900_000; nanos < 3_450_000; nanos += 120_000) {
            ReplicatedBank bank = new ReplicatedBank(50, 3, 3, 2, DurabilityMode.NONE).withClients();
            ClusterNode maker = bank.catalogPrimary();
            CompletableFuture<TransactionResponse> first = ReplicatedBank.change(maker, CREATE_LATER);
            bank.world.runFor(nanos);
            assertThat(first.isDone()).as("in use after %d ns", nanos).isFalse();
            bank.kill(maker.process.node());
            assertThat(bank.world.runUntil(
                            () -> bank.catalogPrimary().process.isAlive()
                                    && bank.catalogPrimary()
                                            .database
                                            .copies()
                                            .isHere(bank.catalog().number()),
                            10 * SECOND_NANOS))
                    .isTrue();
            CompletableFuture<TransactionResponse> answer = ReplicatedBank.change(bank.catalogPrimary(), REPLACE_STAMP);
            assertThat(bank.world.runUntil(answer::isDone, SECOND_NANOS))
                    .as("answered after %d ns: %s", nanos, bank)
                    .isTrue();
            assertThat(answer.join()).as("after %d ns", nanos).isInstanceOf(Committed.class);
        }
    }

    /**
     * The primary of the catalog ends when the others have its change in their logs. The next primary is asked for
     * another change before that one counts, for the third node's confirmation takes its time; it must not wait for
     * that node's word about a change that the third node cannot make any more.
     */
    @Test
    void aSuccessorIsAskedBeforeWhatItTakesOverCounts() {
        ReplicatedBank bank = new ReplicatedBank(50, 4, 3, 2, DurabilityMode.NONE).withClients();
        ClusterNode maker = bank.catalogPrimary();
        ClusterNode third = bank.primary(new PartitionId(0));
        List<ClusterNode> leaders = IntStream.range(0, 3)
                .mapToObj(partition -> bank.primary(new PartitionId(partition)))
                .toList();
        ClusterNode next = bank.nodes.values().stream()
                .filter(node -> node != maker && !leaders.contains(node))
                .findFirst()
                .orElseThrow(); // leads no partition, so it does not try the former primary's change itself
        long end = maker.database.copies().catalog().end();
        CompletableFuture<TransactionResponse> first = ReplicatedBank.change(maker, CREATE_LATER);
        assertThat(bank.world.runUntil(
                        () -> bank.nodes.values().stream()
                                .allMatch(
                                        node -> node.database.copies().catalog().end() > end),
                        SECOND_NANOS))
                .isTrue();
        assertThat(first.isDone()).isFalse();
        bank.kill(maker.process.node());
        leaders.forEach(node -> bank.store.cut(node.process.node()));
        assertThat(bank.world.runUntil(() -> bank.catalogPrimary() == next, SECOND_NANOS))
                .isTrue();
        bank.world.network().hold(third.process.node(), next.process.node());
        leaders.forEach(node -> bank.store.mend(node.process.node()));
        assertThat(bank.world.runUntil(
                        () -> next.database.copies().isHere(bank.catalog().number()), SECOND_NANOS))
                .isTrue();
        CompletableFuture<TransactionResponse> answer = ReplicatedBank.change(next, REPLACE_STAMP);
        bank.world.runFor(10_000_000);
        assertThat(next.database.catalog().version()).isEqualTo(CREATION);
        bank.world.network().letGo(third.process.node(), next.process.node());
        assertThat(bank.world.runUntil(answer::isDone, SECOND_NANOS))
                .as("answered: %s", bank)
                .isTrue();
        assertThat(answer.join()).isInstanceOf(Committed.class);
        assertThat(next.database.catalog().version()).isEqualTo(CREATION + 2);
    }

    /**
     * A node whose software is not that of the others. It tells once, tries again, and makes the change when it can.
     */
    @Test
    void aNodeThatCannotMakeAChangeThatCountsTells() {
        ReplicatedBank bank = new ReplicatedBank(19, 3, 1, 2, DurabilityMode.SYNC);
        ClusterNode other = bank.nodes.values().stream()
                .filter(node -> node != bank.catalogPrimary() && node != bank.primary(new PartitionId(0)))
                .findFirst()
                .orElseThrow();
        bank.missingClasses.put(other.process.node(), "dev/fulmar/coordinator/bank/Gift");
        bank.change(ReplicatedBank.GIFT);
        bank.world.runFor(2 * SECOND_NANOS);
        assertThat(other.database.catalog().version()).isEqualTo(CREATION);
        assertThat(bank.reached).containsEntry(Replication.CHANGE_HINDERED + ErrorCode.UNKNOWN_OBJECT, 1);
        bank.missingClasses.clear();
        await(bank, CREATION + 1);
    }
}
