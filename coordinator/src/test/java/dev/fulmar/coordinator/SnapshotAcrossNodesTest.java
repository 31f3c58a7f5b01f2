package dev.fulmar.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.coordinator.durability.environment.DurabilityMode;
import dev.fulmar.coordinator.request.ResponseSink;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.coordinator.session.Sessions;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.memory.ByteBudget;
import dev.fulmar.foundation.random.RandomSource;
import dev.fulmar.foundation.random.SeededRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Transactions of level SNAPSHOT over partitions that several nodes lead: images of rows travel. */
class SnapshotAcrossNodesTest {
    private static final int NODES = 3;
    private static final int ACCOUNTS = 12;
    private static final long NO_CHECKPOINTS = 1L << 40;

    private final RandomSource random = new SeededRandom(5);
    private final NodesOfOneBank bank = new NodesOfOneBank(5, NODES, 6, DurabilityMode.NONE, NO_CHECKPOINTS);
    private final Sessions sessions = new Sessions(
            bank.node(0).database,
            bank.node(0).database.portals(),
            bank.node(0).time,
            bank.node(0).time,
            new SeededRandom(1),
            SessionBank.LIMITS,
            new ByteBudget(1 << 20),
            10);
    private final List<TransactionResponse> answers = new ArrayList<>();
    private final ResponseSink client = SteppedDatabase.sink(answers);
    private long requests;

    private TransactionResponse run(String sql, Object... parameters) {
        sessions.execute(
                1, new TransactionRequest.AdHoc(0, ++requests, 0, sql, SteppedDatabase.list(parameters)), client);
        for (int i = 0; i < 100 && answers.isEmpty(); i++) {
            bank.settle(random);
            bank.pass(1_000_000);
        }
        assertThat(answers).hasSize(1);
        return answers.removeFirst();
    }

    /** Each account gets one more; returns the answer to the COMMIT. */
    private TransactionResponse addToAll(long changedMeanwhile) {
        assertThat(run("BEGIN ISOLATION LEVEL SNAPSHOT")).isInstanceOf(Committed.class);
        assertThat(run(SessionBank.TOTAL)).isInstanceOf(Committed.class); // from now on over all partitions
        for (long id = 0; id < ACCOUNTS; id++) {
            TransactionResponse added = run(SessionBank.ADD, 1L, id);
            assertThat(SteppedDatabase.value(added)).as(added.toString()).isEqualTo(1);
        }
        if (changedMeanwhile >= 0) {
            TransactionRequest change =
                    new TransactionRequest.AdHoc(0, 0, 0, SessionBank.ADD, SteppedDatabase.list(1L, changedMeanwhile));
            assertThat(SteppedDatabase.value(bank.run(0, change, random))).isEqualTo(1);
        }
        return run("COMMIT");
    }

    private long total() {
        return SteppedDatabase.cell(
                bank.run(0, new TransactionRequest.AdHoc(0, 0, 0, SessionBank.TOTAL, SteppedDatabase.list()), random));
    }

    @Test
    void rowsOnOtherNodesAreCompared() {
        bank.open(random, 100, LongStream.range(0, ACCOUNTS).toArray());
        assertThat(addToAll(-1)).isInstanceOf(Committed.class);
        assertThat(total()).isEqualTo(101L * ACCOUNTS);
        for (long id = 0; id < ACCOUNTS; id++) {
            assertThat(SteppedDatabase.code(addToAll(id))).isEqualTo(ErrorCode.SERIALIZATION_FAILURE);
        }
        assertThat(total()).isEqualTo(102L * ACCOUNTS);
        assertThat(bank.refusals).isEmpty();
        assertThat(sessions.openTransactions()).isZero();
    }
}
