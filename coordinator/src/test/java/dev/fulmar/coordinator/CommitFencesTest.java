package dev.fulmar.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.coordinator.durability.environment.DurabilityMode;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.simulated.SimulatedWorld;
import dev.fulmar.pmemlog.log.LogCounters;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** How many synchronous writes commits take. Time stands still, so there are no seals. */
class CommitFencesTest {
    private final SteppedDatabase db = new SteppedDatabase(
            DatabaseConfiguration.of(2, 1),
            new BankSql(),
            new SimulatedWorld(1).startProcess(new NodeId(0)).storage(),
            DurabilityMode.SYNC);

    private LogCounters log() {
        return Objects.requireNonNull(db.database.durability()).counters();
    }

    private void open() {
        for (int change = 0; change < 4; change++) {
            assertThat(db.sql("CHANGE " + change)).isInstanceOf(Committed.class);
        }
        db.open(1000, 0, 1, 2, 3, 4, 5, 6, 7);
    }

    private long fencesOf(Runnable work) {
        long before = log().fences();
        work.run();
        return log().fences() - before;
    }

    private void commit(String procedure, Object... parameters) {
        assertThat(db.call(procedure, parameters)).isInstanceOf(Committed.class);
    }

    @Test
    void aCommitOfOnePartitionTakesOneFence() {
        open();
        for (long account = 0; account < 8; account++) {
            long own = account;
            assertThat(fencesOf(() -> commit("Transfer", own, own, 5L))).isEqualTo(1);
        }
    }

    @Test
    void commitsOfOneTurnOfASiteShareAFence() {
        open();
        long records = log().records();
        List<CompletableFuture<TransactionResponse>> answers = new ArrayList<>();
        assertThat(fencesOf(() -> {
                    for (long account = 0; account < 8; account++) {
                        answers.add(db.database.submit(
                                SteppedDatabase.request("Transfer", account, account, 1L + account)));
                    }
                    db.settle();
                }))
                .isEqualTo(1);
        assertThat(log().records() - records).isEqualTo(8);
        assertThat(answers).allMatch(answer -> answer.join() instanceof Committed);
    }

    /**
     * One for the parts, which votes wait for, and one for the decision, which the reply waits for; other partitions
     * write it down later.
     */
    @Test
    void theReplyOfACommitOfSeveralPartitionsWaitsForTwoFences() {
        open();
        long records = log().records();
        long fences = log().fences();
        AtomicLong atReply = new AtomicLong();
        db.database.submit(
                SteppedDatabase.request("OpenAccounts", new long[] {8, 9, 10, 11, 12, 13, 14, 15}, 1L),
                (request, response) -> atReply.set(log().fences()));
        db.settle();
        assertThat(atReply.get() - fences).isEqualTo(2);
        assertThat(log().records() - records)
                .as("two parts and their decisions")
                .isEqualTo(4);
        assertThat(log().fences() - fences).isLessThanOrEqualTo(3);
    }

    @Test
    void aTransactionThatChangesNothingTakesNone() {
        open();
        assertThat(fencesOf(() -> assertThat(db.total()).isEqualTo(8000))).isZero();
    }
}
