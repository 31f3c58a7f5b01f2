package dev.fulmar.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.coordinator.durability.environment.DurabilityMode;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.coordinator.request.TransactionResponse.Failed;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.id.PartitionId;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * VoltDB 6.3, ENG-10389: read-only transactions ran on any copy's local state, not ordered by who leads the partition.
 * An isolated node answered with writes that were not on all copies yet and then were lost, and with values that had
 * been overwritten elsewhere.
 */
class VoltDbDirtyReadTest {
    private static final long SECOND_NANOS = ReplicatedBank.SECOND_NANOS;
    private static final PartitionId FIRST = new PartitionId(0);

    /**
     * A write that no other copy has was executed here: nobody hears of it, of whatever kind the read is, and it is
     * gone afterwards.
     */
    @ParameterizedTest
    @EnumSource(DurabilityMode.class)
    void nobodySeesAWriteThatIsLost(DurabilityMode mode) {
        ReplicatedBank bank = new ReplicatedBank(21, 3, 1, 2, mode).withClients();
        bank.world.runFor(SECOND_NANOS / 2);
        bank.calm();
        long key = bank.clients.getFirst().key(0);
        ClusterNode alone = bank.primary(FIRST);
        long before = balance(bank, alone, key);
        NodeId isolated = alone.process.node();
        bank.isolate(isolated);
        CompletableFuture<TransactionResponse> lost = bank.ask(alone, ReplicatedBank.write(900, 1, key, 7_777_777));
        CompletableFuture<TransactionResponse> read = bank.ask(alone, ReplicatedBank.read(key));
        bank.world.runFor(SECOND_NANOS / 20);
        long executed = alone.database.copies().of(FIRST).end();
        assertThat(bank.ask(alone, ReplicatedBank.read(key)).isDone()).isFalse();
        bank.world.runFor(3 * SECOND_NANOS);
        ClusterNode next = bank.primary(FIRST);
        assertThat(next).isNotSameAs(alone);
        assertThat(executed)
                .as("the write was in the isolated log")
                .isGreaterThan(next.database.copies().of(FIRST).end() - 2);
        assertThat(read.isDone() && read.join() instanceof Committed).isFalse();
        assertThat(balance(bank, next, key)).isEqualTo(before);
        bank.mend();
        bank.heal();
        bank.world.runFor(SECOND_NANOS);
        assertThat(read.join()).isInstanceOf(Failed.class);
        assertThat(lost.join()).isInstanceOf(Failed.class);
        assertThat(balance(bank, next, key)).isEqualTo(before);
        bank.assertCopiesEqual();
    }

    /**
     * What was written elsewhere since is not overlooked: who leads no more answers no read, however long it does not
     * know.
     */
    @Test
    void anIsolatedPrimaryAnswersNoRead() {
        ReplicatedBank bank = new ReplicatedBank(22, 3, 1, 2, DurabilityMode.NONE).withClients();
        bank.world.runFor(SECOND_NANOS / 2);
        bank.calm();
        ClusterNode alone = bank.primary(FIRST);
        long key = bank.clients.getFirst().key(0);
        bank.isolate(alone.process.node());
        for (int i = 0; i < 100; i++) {
            CompletableFuture<TransactionResponse> read = bank.ask(alone, ReplicatedBank.read(key));
            bank.world.runFor(SECOND_NANOS / 20);
            assertThat(read.isDone() && read.join() instanceof Committed)
                    .as("read " + i)
                    .isFalse();
        }
        assertThat(bank.primary(FIRST)).isNotSameAs(alone);
    }

    /** A copy that follows says who leads, and reads nothing by itself. */
    @Test
    void aCopyThatFollowsAnswersNoRead() {
        ReplicatedBank bank = new ReplicatedBank(23, 2, 1, 2, DurabilityMode.NONE).withClients();
        bank.world.runFor(SECOND_NANOS / 2);
        ClusterNode primary = bank.primary(FIRST);
        ClusterNode backup = bank.nodes.values().stream()
                .filter(node -> node != primary)
                .findFirst()
                .orElseThrow();
        CompletableFuture<TransactionResponse> read =
                bank.ask(backup, ReplicatedBank.read(bank.clients.getFirst().key(0)));
        bank.world.runFor(SECOND_NANOS / 10);
        assertThat(read.join()).isInstanceOf(Failed.class);
    }

    private static long balance(ReplicatedBank bank, ClusterNode node, long key) {
        CompletableFuture<TransactionResponse> read = bank.ask(node, ReplicatedBank.read(key));
        assertThat(bank.world.runUntil(read::isDone, SECOND_NANOS)).isTrue();
        assertThat(read.join()).isInstanceOf(Committed.class);
        return SteppedDatabase.cell((Committed) read.join());
    }
}
