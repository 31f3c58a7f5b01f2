package dev.fulmar.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.coordinator.durability.environment.DurabilityMode;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.foundation.id.PartitionId;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * VoltDB 6.4, ENG-10612, ENG-11372 and the reverted "faster safe reads": with a command log the reads of the mended
 * version were put into another order at each copy, which then disagreed, and reads waited for a log that nobody wrote.
 * Here reads take the queue of writes, where the partition is led, and are in no log.
 */
class VoltDbReadOrderTest {
    private static final long SECOND_NANOS = ReplicatedBank.SECOND_NANOS;
    private static final PartitionId FIRST = new PartitionId(0);

    /**
     * Many reads and writes at once, in every order: the copies agree, and a read sees what was asked for before it on
     * the same connection.
     */
    @ParameterizedTest
    @EnumSource(DurabilityMode.class)
    void readsAmongWritesDoNotPartTheCopies(DurabilityMode mode) {
        ReplicatedBank bank = new ReplicatedBank(41, 3, 1, 3, mode).withClients();
        bank.world.runFor(SECOND_NANOS / 2);
        bank.calm();
        ClusterNode primary = bank.primary(FIRST);
        long key = bank.clients.getFirst().key(0);
        List<CompletableFuture<TransactionResponse>> writes = new ArrayList<>();
        List<CompletableFuture<TransactionResponse>> reads = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            writes.add(bank.ask(primary, ReplicatedBank.write(900, i, key, 5_000_000 + i)));
            reads.add(bank.ask(primary, ReplicatedBank.read(key)));
            if (i % 7 == 0) {
                bank.world.runFor(1_000_000);
            }
        }
        bank.world.runFor(SECOND_NANOS);
        assertThat(writes).allSatisfy(write -> assertThat(write.join()).isInstanceOf(Committed.class));
        for (int i = 0; i < reads.size(); i++) {
            assertThat(SteppedDatabase.cell((Committed) reads.get(i).join())).isEqualTo(5_000_000L + i);
        }
        assertThat(bank.reached).doesNotContainKey("replication: diverged");
        bank.assertCopiesEqual();
    }

    /**
     * Nothing is written, and a read is answered at once: it waits for the other copies' word, not for a log that has
     * nothing to write.
     */
    @ParameterizedTest
    @EnumSource(DurabilityMode.class)
    void aReadOfAnIdlePartitionIsAnsweredAndLeavesNothing(DurabilityMode mode) {
        ReplicatedBank bank = new ReplicatedBank(42, 3, 1, 3, mode).withClients();
        bank.world.runFor(SECOND_NANOS / 2);
        bank.calm();
        bank.world.runFor(SECOND_NANOS);
        ClusterNode primary = bank.primary(FIRST);
        long key = bank.clients.getFirst().key(0);
        long end = primary.database.copies().of(FIRST).end();
        for (int i = 0; i < 20; i++) {
            CompletableFuture<TransactionResponse> read = bank.ask(primary, ReplicatedBank.read(key));
            assertThat(bank.world.runUntil(read::isDone, SECOND_NANOS / 50))
                    .as("read " + i)
                    .isTrue();
            assertThat(read.join()).isInstanceOf(Committed.class);
        }
        assertThat(primary.database.copies().of(FIRST).end()).isEqualTo(end);
    }
}
