package dev.fulmar.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.coordinator.durability.environment.DurabilityMode;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.id.PartitionId;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * VoltDB 6.3, ENG-10453: between the moment at which a dead peer was noticed and the verdict about the partition of the
 * network the minority went on to acknowledge work, and was ended then. Here acknowledging stops with the suspicion,
 * until the store has the next epoch.
 */
class VoltDbLostUpdateTest {
    private static final long SECOND_NANOS = ReplicatedBank.SECOND_NANOS;
    private static final PartitionId FIRST = new PartitionId(0);

    /**
     * Writes go to the cut off primary before, while, and after it suspects the others: of those that were acknowledged
     * none is lost.
     */
    @ParameterizedTest
    @EnumSource(DurabilityMode.class)
    void whatAMinorityAcknowledgedIsThereAfterwards(DurabilityMode mode) {
        ReplicatedBank bank = new ReplicatedBank(31, 3, 1, 3, mode).withClients();
        bank.world.runFor(SECOND_NANOS / 2);
        bank.calm();
        ClusterNode alone = bank.primary(FIRST);
        long key = bank.clients.getFirst().key(0);
        List<CompletableFuture<TransactionResponse>> answers = new ArrayList<>();
        for (int i = 0; i < 150; i++) {
            if (i == 20) {
                bank.isolate(alone.process.node());
            }
            answers.add(bank.ask(alone, ReplicatedBank.write(900, i, key, 5_000_000 + i)));
            bank.world.runFor(SECOND_NANOS / 50);
        }
        ClusterNode next = bank.primary(FIRST);
        assertThat(next).isNotSameAs(alone);
        bank.mend();
        bank.heal();
        int last = -1;
        for (int i = 0; i < answers.size(); i++) {
            if (answers.get(i).isDone() && answers.get(i).join() instanceof Committed) {
                last = i;
            }
        }
        assertThat(last).as("the last write that was acknowledged").isBetween(18, 21);
        CompletableFuture<TransactionResponse> read = bank.ask(next, ReplicatedBank.read(key));
        bank.world.runFor(SECOND_NANOS);
        assertThat(SteppedDatabase.cell((Committed) read.join()))
                .isBetween(5_000_000L + last, 5_000_000L + answers.size());
        bank.assertCopiesEqual();
    }

    /** The links are cut and nobody reaches the store: there is no verdict, and neither side acknowledges anything. */
    @Test
    void withoutAVerdictNeitherSideAcknowledges() {
        ReplicatedBank bank = new ReplicatedBank(32, 3, 1, 3, DurabilityMode.SYNC).withClients();
        bank.world.runFor(SECOND_NANOS / 2);
        NodeId leader = bank.primary(FIRST).process.node();
        bank.nodes.keySet().forEach(bank.store::cut);
        bank.nodes.keySet().stream()
                .filter(other -> !other.equals(leader))
                .forEach(other -> bank.world.network().partition(Set.of(leader), Set.of(other)));
        bank.world.runFor(SECOND_NANOS / 20);
        long acknowledged = bank.transactions();
        bank.world.runFor(5 * SECOND_NANOS);
        assertThat(bank.transactions()).isEqualTo(acknowledged);
        bank.mend();
        bank.heal();
        bank.assertCopiesEqual();
    }
}
