package dev.fulmar.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.coordinator.durability.environment.DurabilityMode;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.coordinator.request.TransactionResponse.Failed;
import dev.fulmar.coordinator.routing.Spread;
import dev.fulmar.engine.partitioning.PartitionPlan;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.id.PartitionId;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A primary that has a successor, and does not know it yet, knows nothing of what the successor has executed. It
 * reaches other partitions all the same, and meets there what the requests changed that it is asked for again.
 */
class FormerPrimaryTest {
    private static final long SECOND_NANOS = ReplicatedBank.SECOND_NANOS;
    private static final PartitionId HOME = new PartitionId(0);
    private static final PartitionId ELSEWHERE = new PartitionId(1);

    private static ReplicatedBank bank(DurabilityMode mode) {
        ReplicatedBank bank = new ReplicatedBank(61, 4, 3, 2, mode);
        bank.change(ReplicatedBank.GIFT);
        assertThat(bank.world.runUntil(() -> bank.allKnow(6), 5 * SECOND_NANOS)).isTrue();
        return bank;
    }

    /** A request whose home is one partition, and which executes in another one only. */
    private static TransactionRequest gift(ReplicatedBank bank, long number) {
        PartitionPlan plan = bank.configuration().plan();
        long client = 1;
        while (Spread.partition(client, plan.partitionCount()) != HOME.number()) {
            client++;
        }
        long key = 0;
        while (plan.partitionOf(key) != ELSEWHERE.number()) {
            key++;
        }
        return new TransactionRequest.Call(client, number, 0, "Gift", SteppedDatabase.list(key, 5L));
    }

    private static TransactionResponse answer(ReplicatedBank bank, ClusterNode node, TransactionRequest request) {
        CompletableFuture<TransactionResponse> answer = bank.ask(node, request);
        assertThat(bank.world.runUntil(answer::isDone, 10 * SECOND_NANOS)).isTrue();
        return answer.join();
    }

    /** Neither the successor nor the store reaches the primary; everybody else does. */
    private static NodeId succeed(ReplicatedBank bank) {
        NodeId former = bank.primary(HOME).process.node();
        NodeId next = bank.nodesOf(HOME).stream()
                .filter(node -> !node.equals(former))
                .findFirst()
                .orElseThrow();
        assertThat(bank.primary(ELSEWHERE).process.node()).isNotIn(former, next);
        bank.store.cut(former);
        bank.world.network().partition(Set.of(former), Set.of(next));
        assertThat(bank.world.runUntil(
                        () -> bank.primary(HOME).process.node().equals(next) && bank.allServe(), 10 * SECOND_NANOS))
                .isTrue();
        assertThat(bank.node(former).database.copies().isHere(HOME.number())).isTrue();
        return former;
    }

    @ParameterizedTest
    @EnumSource(names = {"NONE", "SYNC"})
    void aRetryThatFailsForWhatTheFirstAttemptDidIsNotAnsweredForGood(DurabilityMode mode) {
        ReplicatedBank bank = bank(mode);
        NodeId former = succeed(bank);
        TransactionResponse first = answer(bank, bank.primary(HOME), gift(bank, 1));
        assertThat(first).isInstanceOf(Committed.class);
        List<CompletableFuture<TransactionResponse>> retries = Stream.generate(
                        () -> bank.ask(bank.node(former), gift(bank, 1)))
                .limit(3)
                .toList();
        bank.world.runFor(2 * SECOND_NANOS);
        // One that comes when the outcome is there.
        CompletableFuture<TransactionResponse> late = bank.ask(bank.node(former), gift(bank, 1));
        bank.world.runFor(2 * SECOND_NANOS);
        assertThat(bank.node(former).database.copies().isHere(HOME.number())).isTrue();
        bank.mend();
        assertThat(bank.world.runUntil(
                        () -> late.isDone() && retries.stream().allMatch(CompletableFuture::isDone), 10 * SECOND_NANOS))
                .isTrue();
        assertThat(Stream.concat(retries.stream(), Stream.of(late)).map(CompletableFuture::join))
                .allSatisfy(again -> assertThat(again)
                        .isInstanceOfSatisfying(
                                Failed.class,
                                failed -> assertThat(SpreadClient.TO_RETRY).contains(failed.code())));
        bank.heal();
        ClusterNode next = bank.primary(HOME);
        assertThat(SteppedDatabase.value(answer(bank, next, gift(bank, 1)))).isEqualTo(SteppedDatabase.value(first));
        // Nothing is left of what the former primary took the request for.
        bank.kill(next.process.node());
        assertThat(bank.world.runUntil(
                        () -> bank.primary(HOME).process.node().equals(former) && bank.allServe(), 10 * SECOND_NANOS))
                .isTrue();
        assertThat(SteppedDatabase.value(answer(bank, bank.node(former), gift(bank, 1))))
                .isEqualTo(SteppedDatabase.value(first));
        bank.nodes.keySet().forEach(bank::kill);
    }

    /** As long as the partition is led the answer is for good, and the same again. */
    @ParameterizedTest
    @EnumSource(names = {"NONE", "SYNC"})
    void whatFailsWhereThePartitionIsLedIsAnsweredForGood(DurabilityMode mode) {
        ReplicatedBank bank = bank(mode);
        assertThat(answer(bank, bank.primary(HOME), gift(bank, 1))).isInstanceOf(Committed.class);
        TransactionResponse refused = answer(bank, bank.primary(HOME), gift(bank, 2));
        assertThat(SteppedDatabase.code(refused)).isEqualTo(ErrorCode.UNIQUE_VIOLATION);
        assertThat(answer(bank, bank.primary(HOME), gift(bank, 2))).isEqualTo(refused);
        bank.nodes.keySet().forEach(bank::kill);
    }
}
