package dev.fulmar.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.coordinator.durability.environment.DurabilityMode;
import dev.fulmar.coordinator.request.ReadConsistency;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.id.PartitionId;
import dev.fulmar.foundation.time.HybridLogicalClock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A reader of a snapshot was told that all later commits of the partition are above its timestamp. Whoever leads the
 * partition next keeps the promise, though his clock is far behind that of the one who gave it: else another reader at
 * the same timestamp, or the same one at another partition, would see half of a transaction.
 */
class ClockCeilingTest {
    private static final long SECOND_NANOS = ReplicatedBank.SECOND_NANOS;
    private static final int NODES = 3;

    /** More than a successor has written when it gives its image. */
    private static final int UNCONFIRMED_WRITES = 50;

    private static final PartitionId FIRST = new PartitionId(0);
    private static final NodeId NOBODY = new NodeId(99);

    /** So far the node's clock is ahead that gives the promise. */
    private static final long AHEAD_MICROS = 20_000_000;

    /** So little that a new copy cannot be sent all records. */
    private static final long LITTLE_MEMORY_BYTES = 24 << 10;

    /** The next promise needs no new record where the last one can be read. */
    private static final long BELOW_THE_CEILING_MICROS = 40_000;

    private static long timestampOfRead(ReplicatedBank bank, ClusterNode node, ReadConsistency consistency) {
        TransactionRequest sum = new TransactionRequest.AdHoc(
                0, 0, 0, consistency, "SELECT SUM(balance) FROM account", SteppedDatabase.list());
        CompletableFuture<TransactionResponse> answer = bank.ask(node, sum);
        assertThat(bank.world.runUntil(answer::isDone, 2 * SECOND_NANOS)).isTrue();
        assertThat(answer.join()).isInstanceOf(Committed.class);
        return ((Committed) answer.join()).snapshot();
    }

    /** Timestamp of a commit of the partition, by whoever leads it. */
    private static long timestampOfWrite(ReplicatedBank bank, long request) {
        assertThat(bank.world.runUntil(bank::allServe, 20 * SECOND_NANOS)).isTrue();
        ClusterNode primary = bank.primary(FIRST);
        CompletableFuture<TransactionResponse> write =
                bank.ask(primary, ReplicatedBank.write(900, request, keyOfFirst(bank), 8_000_000));
        assertThat(bank.world.runUntil(write::isDone, 2 * SECOND_NANOS)).isTrue();
        assertThat(write.join()).isInstanceOf(Committed.class);
        return primary.database.runtime(FIRST).partition().timestamps().last();
    }

    private static long keyOfFirst(ReplicatedBank bank) {
        long key = 0;
        while (bank.configuration().plan().partitionOf(key) != FIRST.number()) {
            key++;
        }
        return key;
    }

    private static ReplicatedBank bank(long seed, DurabilityMode mode, long checkpointLogBytes) {
        ReplicatedBank bank =
                new ReplicatedBank(seed, NODES, NODES, NODES, mode, 4 << 20, checkpointLogBytes).withSpreadClients(1);
        assertThat(bank.world.runUntil(bank.spreadClients.getFirst()::hasOpened, 10 * SECOND_NANOS))
                .isTrue();
        bank.calm();
        return bank;
    }

    @ParameterizedTest
    @EnumSource(DurabilityMode.class)
    void aSuccessorBeginsAboveWhatReadersWerePromised(DurabilityMode mode) {
        for (ReadConsistency consistency : List.of(ReadConsistency.SNAPSHOT, ReadConsistency.STRICT)) {
            ReplicatedBank bank = bank(71, mode, 1L << 40);
            ClusterNode former = bank.primary(FIRST);
            former.process.clock().jump(AHEAD_MICROS);
            long promised = timestampOfRead(bank, former, consistency);
            bank.kill(former.process.node());
            assertThat(bank.world.runUntil(() -> bank.primary(FIRST) != former, 10 * SECOND_NANOS))
                    .isTrue();
            assertThat(timestampOfWrite(bank, 1)).isGreaterThan(promised);
        }
    }

    /**
     * A procedure that reads elsewhere has it pass the timestamp only; what was heard of then must be behind that
     * everywhere.
     */
    @Test
    void aSuccessorBeginsAboveWhatAStrictReaderOnlyPassed() {
        ReplicatedBank bank = bank(76, DurabilityMode.SYNC, 1L << 40);
        ClusterNode former = bank.primary(FIRST);
        bank.change(ReplicatedBank.LOOK);
        former.process.clock().jump(AHEAD_MICROS);
        long elsewhere = 0;
        while (bank.configuration().plan().partitionOf(elsewhere) == FIRST.number()) {
            elsewhere++;
        }
        CompletableFuture<TransactionResponse> look = bank.ask(
                former,
                new TransactionRequest.Call(0, 0, 0, ReadConsistency.STRICT, "Look", SteppedDatabase.list(elsewhere)));
        assertThat(bank.world.runUntil(look::isDone, 2 * SECOND_NANOS)).isTrue();
        long promised = ((Committed) look.join()).snapshot();
        bank.kill(former.process.node());
        assertThat(bank.world.runUntil(() -> bank.primary(FIRST) != former, 10 * SECOND_NANOS))
                .isTrue();
        assertThat(timestampOfWrite(bank, 1)).isGreaterThan(promised);
    }

    /**
     * What a copy read is promised as well, whoever follows: the node that read, whose clock has been so far, or the
     * other one.
     */
    @Test
    void aSuccessorBeginsAboveWhatReadersOfCopiesWerePromised() {
        for (int number = 0; number < NODES - 1; number++) {
            ReplicatedBank bank = bank(72, DurabilityMode.SYNC, 1L << 40);
            ClusterNode former = bank.primary(FIRST);
            ClusterNode reader = bank.nodes.values().stream()
                    .filter(node -> node != former)
                    .toList()
                    .get(number);
            reader.process.clock().jump(AHEAD_MICROS);
            long served = reader.database.copies().of(FIRST).reads().servedCount();
            long promised = timestampOfRead(bank, reader, ReadConsistency.SNAPSHOT);
            assertThat(reader.database.copies().of(FIRST).reads().servedCount()).isEqualTo(served + 1);
            bank.kill(former.process.node());
            assertThat(bank.world.runUntil(() -> bank.primary(FIRST) != former, 10 * SECOND_NANOS))
                    .isTrue();
            assertThat(timestampOfWrite(bank, 1)).isGreaterThan(promised);
        }
    }

    /** All processes end; checkpoints may have what was written down of the promise, and give up the record. */
    @Test
    void aRestartBeginsAboveWhatReadersWerePromised() {
        for (long checkpointLogBytes : new long[] {1L << 40, 2_000}) {
            ReplicatedBank bank = bank(73, DurabilityMode.SYNC, checkpointLogBytes);
            ClusterNode former = bank.primary(FIRST);
            former.process.clock().jump(AHEAD_MICROS);
            long promised = 0;
            for (int i = 0; i < 20; i++) {
                promised = timestampOfRead(bank, former, ReadConsistency.STRICT);
                timestampOfWrite(bank, 10 + i);
                promised = Math.max(promised, timestampOfRead(bank, former, ReadConsistency.STRICT));
                bank.world.runFor(10_000_000);
            }
            List<NodeId> all = new ArrayList<>(bank.nodes.keySet());
            all.forEach(bank::kill);
            all.forEach(bank::startAgain);
            bank.heal();
            assertThat(timestampOfWrite(bank, 100)).isGreaterThan(promised);
        }
    }

    /** A copy that is built behind the record of a promise leads at last. */
    @Test
    void aCopyThatWasBuiltSinceBeginsAboveWhatReadersWerePromised() {
        ReplicatedBank bank = new ReplicatedBank(
                        74, NODES, NODES, NODES, DurabilityMode.NONE, LITTLE_MEMORY_BYTES, 1L << 40)
                .withSpreadClients(4);
        bank.world.runFor(3 * SECOND_NANOS);
        bank.calm();
        ClusterNode former = bank.primary(FIRST);
        former.process.clock().jump(AHEAD_MICROS);
        long before = timestampOfRead(bank, former, ReadConsistency.STRICT);
        former.process.clock().jump(-AHEAD_MICROS);
        List<NodeId> others = bank.nodes.keySet().stream()
                .filter(node -> !node.equals(former.process.node()))
                .toList();
        for (NodeId other : others) {
            bank.replace(other);
            bank.heal();
        }
        assertThat(bank.reached).containsKey("copies: one is built");
        long nowMicros = former.process.clock().wallMicros();
        former.process.clock().jump(HybridLogicalClock.micros(before) + BELOW_THE_CEILING_MICROS - nowMicros);
        long promised = timestampOfRead(bank, former, ReadConsistency.STRICT);
        bank.kill(former.process.node());
        assertThat(bank.world.runUntil(() -> bank.primary(FIRST) != former, 10 * SECOND_NANOS))
                .isTrue();
        assertThat(timestampOfWrite(bank, 1)).isGreaterThan(promised);
    }

    /**
     * What a promise was written down in went with the copy that was there, and the next promise finds nothing that
     * stands for it.
     */
    @Test
    void aCopyThatWasBuiltAnewWritesDownWhatItPromises() {
        ReplicatedBank bank = bank(75, DurabilityMode.SYNC, 1L << 40);
        ClusterNode former = bank.primary(FIRST);
        for (NodeId other : List.copyOf(bank.nodes.keySet())) {
            if (!other.equals(former.process.node())) {
                passOver(bank, other);
            }
        }
        assertThat(bank.leaders(former.process.node()))
                .as("it reads all by itself")
                .isEmpty();
        former.process.clock().jump(AHEAD_MICROS);
        bank.isolate(former.process.node());
        List<CompletableFuture<TransactionResponse>> asked = new ArrayList<>();
        for (int i = 0; i < UNCONFIRMED_WRITES; i++) {
            asked.add(bank.ask(former, ReplicatedBank.write(901, i + 1, keyOfFirst(bank), i)));
        }
        bank.world.runFor(5_000_000);
        asked.add(bank.ask(
                former,
                new TransactionRequest.AdHoc(
                        0,
                        0,
                        0,
                        ReadConsistency.SNAPSHOT,
                        "SELECT SUM(balance) FROM account",
                        SteppedDatabase.list())));
        bank.world.runFor(5_000_000);
        assertThat(asked).as("all held").noneMatch(CompletableFuture::isDone);
        assertThat(bank.world.runUntil(() -> bank.primary(FIRST) != former, 10 * SECOND_NANOS))
                .isTrue();
        timestampOfWrite(bank, 1);
        former.process.clock().jump(-AHEAD_MICROS);
        bank.mend();
        bank.heal();
        assertThat(bank.reached).containsKey("copies: one is built");
        while (bank.primary(FIRST) != former) {
            passOver(bank, bank.primary(FIRST).process.node());
        }
        assertThat(bank.world.runUntil(bank::allServe, 20 * SECOND_NANOS)).isTrue();
        long promised = timestampOfRead(bank, former, ReadConsistency.STRICT);
        bank.kill(former.process.node());
        assertThat(bank.world.runUntil(() -> bank.primary(FIRST) != former, 10 * SECOND_NANOS))
                .isTrue();
        assertThat(timestampOfWrite(bank, 100)).isGreaterThan(promised);
    }

    /** Whatever the node leads others lead from now on, and it comes back to follow them. */
    private static void passOver(ReplicatedBank bank, NodeId node) {
        bank.kill(node);
        assertThat(bank.world.runUntil(() -> bank.leaders(NOBODY).stream().noneMatch(node::equals), 10 * SECOND_NANOS))
                .isTrue();
        bank.startAgain(node);
        bank.heal();
    }
}
