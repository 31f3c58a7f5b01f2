package dev.fulmar.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.coordinator.durability.environment.DurabilityMode;
import dev.fulmar.coordinator.membership.leadership.LeadershipEvent;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.id.PartitionId;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/**
 * A primary takes nothing on while what is not safe fills its memory. When another node leads, which it does not reach,
 * nothing of that becomes safe any more.
 */
class CrowdedFormerPrimaryTest {
    private static final long SECOND_NANOS = ReplicatedBank.SECOND_NANOS;
    private static final PartitionId PARTITION = new PartitionId(0);
    private static final long MEMORY_BYTES = 64 << 10;
    private static final int REQUESTS = 3000;

    private static TransactionRequest insert(long id) {
        return new TransactionRequest.AdHoc(0, 0, 0, "INSERT INTO account VALUES (?, ?)", SteppedDatabase.list(id, 5L));
    }

    @Test
    void whatWaitsThereIsAnswered() {
        ReplicatedBank bank = new ReplicatedBank(41, 4, 1, 2, DurabilityMode.SYNC, MEMORY_BYTES, 1L << 40);
        assertThat(bank.world.runUntil(() -> bank.allKnow(5), 5 * SECOND_NANOS)).isTrue();
        ClusterNode former = bank.primary(PARTITION);
        NodeId next = bank.nodesOf(PARTITION).stream()
                .filter(node -> !node.equals(former.process.node()))
                .findFirst()
                .orElseThrow();
        bank.world.network().partition(Set.of(former.process.node()), Set.of(next));
        List<CompletableFuture<TransactionResponse>> answers = new ArrayList<>();
        for (int request = 1; request <= REQUESTS; request++) {
            answers.add(bank.ask(former, insert(request)));
            bank.world.runFor(SECOND_NANOS / 50000);
        }
        bank.world.runFor(SECOND_NANOS / 20);
        assertThat(former.database.runtime(PARTITION).partition().inbox().depth())
                .as("requests that wait")
                .isPositive();
        bank.node(next).database.copies().of(PARTITION).tell(new LeadershipEvent.Suspected(former.process.node()));
        assertThat(bank.world.runUntil(
                        () -> bank.primary(PARTITION).process.node().equals(next)
                                && !former.database.copies().isHere(PARTITION.number()),
                        5 * SECOND_NANOS))
                .isTrue();
        bank.world.runFor(SECOND_NANOS);
        assertThat(answers.stream().filter(answer -> !answer.isDone()).count())
                .as("requests without an answer " + bank)
                .isZero();
        bank.mend();
        bank.heal();
        bank.nodes.keySet().forEach(bank::kill);
    }
}
