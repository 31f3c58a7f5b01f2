package dev.fulmar.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.coordinator.request.ReadConsistency;
import dev.fulmar.coordinator.request.ResponseSink;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.session.SessionLimits;
import dev.fulmar.coordinator.session.Sessions;
import dev.fulmar.coordinator.transaction.ConfirmedRelease;
import dev.fulmar.coordinator.transaction.PartitionRuntime;
import dev.fulmar.coordinator.transaction.PartitionSnapshotRead;
import dev.fulmar.coordinator.transaction.PartitionTransport;
import dev.fulmar.coordinator.transaction.SnapshotConfirmation;
import dev.fulmar.coordinator.transaction.SnapshotReadTask;
import dev.fulmar.engine.partition.PartitionMessage;
import dev.fulmar.engine.partition.PartitionTask;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.id.PartitionId;
import dev.fulmar.foundation.id.TransactionId;
import dev.fulmar.foundation.memory.ByteBudget;
import dev.fulmar.foundation.random.SeededRandom;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * What a strict reader has read may be told only when every partition that may be led by another node meanwhile has
 * said that it held replies back until all had passed the reader's timestamp: a partition that lost sight of the
 * reader, or its lead, lets later commits be heard of.
 */
class StrictReaderConfirmationTest {
    private static final int PARTITIONS = 2;

    private final List<SnapshotConfirmation> wanted = new ArrayList<>();
    private final SteppedDatabase database = new SteppedDatabase(PARTITIONS, Distrustful::new);

    /** Confirmations of partitions come when the test says so. */
    private final class Distrustful implements PartitionTransport {
        private final PartitionTransport way;

        Distrustful(PartitionTransport way) {
            this.way = way;
        }

        @Override
        public void send(PartitionId partition, PartitionMessage message) {
            if (message instanceof SnapshotReadTask.Release(var _, SnapshotConfirmation confirmation)) {
                wanted.add(confirmation);
            }
            way.send(partition, message);
        }

        @Override
        public boolean mustConfirm(PartitionId partition) {
            return true;
        }
    }

    private List<TransactionResponse> readAll(ReadConsistency consistency) {
        SteppedDatabase.createBank(database.database, database::settle);
        database.open(4, 1, 2, 3, 4);
        wanted.clear();
        List<TransactionResponse> responses = new ArrayList<>();
        database.database.submit(
                new TransactionRequest.AdHoc(
                        0, 0, 0, consistency, "SELECT SUM(balance) FROM account", SteppedDatabase.list()),
                SteppedDatabase.sink(responses));
        database.settle();
        return responses;
    }

    @Test
    void aStrictReaderAnswersWhenAllPartitionsHaveConfirmed() {
        List<TransactionResponse> responses = readAll(ReadConsistency.STRICT);
        assertThat(wanted).hasSize(PARTITIONS);
        assertThat(responses).isEmpty();
        wanted.getFirst().confirmed();
        database.settle();
        assertThat(responses).isEmpty();
        wanted.getLast().confirmed();
        database.settle();
        assertThat(responses).hasSize(1).allMatch(TransactionResponse.Committed.class::isInstance);
    }

    /** Its first query answers when nothing that was acknowledged can be missing; later ones wait for nothing. */
    @Test
    void aTransactionThatOnlyReadsIsAStrictReader() {
        SteppedDatabase.createBank(database.database, database::settle);
        database.open(4, 1, 2, 3, 4);
        wanted.clear();
        Sessions sessions = new Sessions(
                database.database,
                database.database.portals(),
                database.time,
                database.time,
                new SeededRandom(1),
                SessionLimits.DEFAULT,
                new ByteBudget(1 << 20),
                10);
        List<TransactionResponse> responses = new ArrayList<>();
        ResponseSink client = SteppedDatabase.sink(responses);
        for (String sql : List.of("BEGIN READ ONLY", "SELECT balance FROM account WHERE id = 1")) {
            sessions.execute(1, new TransactionRequest.AdHoc(5, 1, 0, sql, SteppedDatabase.list()), client);
            database.settle();
        }
        assertThat(responses).hasSize(1);
        assertThat(wanted).as("it is at all partitions, whatever it reads").hasSize(PARTITIONS);
        wanted.getFirst().confirmed();
        database.settle();
        assertThat(responses).hasSize(1);
        wanted.getLast().confirmed();
        database.settle();
        assertThat(responses).hasSize(2);
        assertThat(SteppedDatabase.cell(responses.getLast())).isEqualTo(4);
        for (String sql : List.of("SELECT SUM(balance) FROM account", "COMMIT")) {
            sessions.execute(1, new TransactionRequest.AdHoc(5, 1, 0, sql, SteppedDatabase.list()), client);
            database.settle();
        }
        assertThat(responses).hasSize(4).allMatch(TransactionResponse.Committed.class::isInstance);
        assertThat(wanted).hasSize(PARTITIONS);
    }

    @Test
    void aStrictReaderFailsWhenAPartitionCannotConfirm() {
        List<TransactionResponse> responses = readAll(ReadConsistency.STRICT);
        wanted.getFirst().confirmed();
        wanted.getLast().broken();
        database.settle();
        assertThat(responses).hasSize(1);
        assertThat(SteppedDatabase.code(responses.getFirst())).isEqualTo(ErrorCode.NOT_CONNECTED);
    }

    /** Its reason tells of what it has read. */
    @Test
    void aStrictReaderFailsWithItsReasonWhenAllPartitionsHaveConfirmed() {
        SteppedDatabase.createBank(database.database, database::settle);
        assertThat(database.change(SteppedDatabase.procedure("Complaint", false)))
                .isInstanceOf(TransactionResponse.Committed.class);
        database.open(4, 1, 2, 3, 4);
        wanted.clear();
        List<TransactionResponse> responses = new ArrayList<>();
        database.database.submit(
                new TransactionRequest.Call(0, 0, 0, ReadConsistency.STRICT, "Complaint", SteppedDatabase.list()),
                SteppedDatabase.sink(responses));
        database.settle();
        assertThat(wanted).hasSize(PARTITIONS);
        assertThat(responses).isEmpty();
        wanted.getFirst().confirmed();
        wanted.getLast().confirmed();
        database.settle();
        assertThat(responses).singleElement().satisfies(response -> {
            assertThat(SteppedDatabase.code(response)).isEqualTo(ErrorCode.USER_ABORT);
            assertThat(((TransactionResponse.Failed) response).message()).contains("there is only 16");
        });
    }

    @Test
    void otherReadersHeldNothingBack() {
        List<TransactionResponse> responses = readAll(ReadConsistency.SNAPSHOT);
        assertThat(wanted).isEmpty();
        assertThat(responses).hasSize(1).allMatch(TransactionResponse.Committed.class::isInstance);
    }

    /** Otherwise the reader would wait for its word until its time is over. */
    @Test
    void aPartitionThatHaltsConfirmsNothing() {
        PartitionRuntime runtime = database.database.runtime(new PartitionId(1));
        runtime.partition().inbox().put((PartitionTask) halting -> {
            throw new IllegalStateException("broken");
        });
        database.settle();
        List<String> told = new ArrayList<>();
        runtime.partition()
                .inbox()
                .put(new ConfirmedRelease(
                        new PartitionSnapshotRead(runtime, new TransactionId(1, 0), 0, true),
                        () -> told.add("confirmed"),
                        () -> told.add("broken")));
        assertThat(told).containsExactly("broken");
    }
}
