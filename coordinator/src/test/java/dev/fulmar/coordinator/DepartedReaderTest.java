package dev.fulmar.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.coordinator.request.ResponseSink;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.coordinator.transaction.CallLimits;
import dev.fulmar.coordinator.transaction.SliceLimits;
import dev.fulmar.engine.catalog.CatalogChange;
import dev.fulmar.engine.catalog.ProcedureDefinition;
import dev.fulmar.foundation.error.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * Transactions over several partitions that only read end when their clients are gone; a few rows are read at a time.
 */
class DepartedReaderTest {
    private static final int PARTITIONS = 2;
    private static final int ACCOUNTS = 100;
    private static final SliceLimits ONE_ROW = new SliceLimits(1_000_000_000, 1);
    private static final TransactionRequest SUM =
            new TransactionRequest.AdHoc(0, 0, 0, "SELECT SUM(balance) FROM account", SteppedDatabase.list());

    private final SteppedDatabase db = SteppedDatabase.withBank(
            DatabaseConfiguration.of(PARTITIONS, PARTITIONS).withCalls(CallLimits.DEFAULT.withSlices(ONE_ROW)));

    /** The connection of a client who goes when the test says so. */
    private static final class Connection implements ResponseSink {
        private final List<TransactionResponse> answers = new ArrayList<>();
        private boolean isGone;

        @Override
        public void respond(TransactionRequest request, TransactionResponse response) {
            answers.add(response);
        }

        @Override
        public boolean isGone() {
            return isGone;
        }

        void assertCancelled() {
            assertThat(answers)
                    .singleElement()
                    .extracting(SteppedDatabase::code)
                    .isEqualTo(ErrorCode.CANCELLED);
        }

        void assertDone() {
            assertThat(answers).singleElement().isInstanceOf(Committed.class);
        }
    }

    private final Connection connection = new Connection();

    private void fill() {
        db.open(1, LongStream.range(0, ACCOUNTS).toArray());
        assertThat(total()).as("the statement has its plan").isEqualTo(ACCOUNTS);
    }

    /** Rows are read when there is time for them. */
    private void settle() {
        for (int i = 0; i < 4 * ACCOUNTS; i++) {
            db.settle();
            db.time.advance(1_000_000);
        }
    }

    private long total() {
        return SteppedDatabase.cell(db.await(db.database.submit(SUM)));
    }

    private long slices() {
        long slices = 0;
        for (int partition = 0; partition < PARTITIONS; partition++) {
            slices += db.database.figures().partition(partition).snapshotSlices.get();
        }
        return slices;
    }

    private void depart() {
        connection.isGone = true;
        db.database.departed(connection);
    }

    private void assertEndsInItsMidst(TransactionRequest reading) {
        long before = slices();
        db.database.submit(reading, connection);
        for (int turn = 0; turn < 10; turn++) {
            db.settleFibers();
            db.turn(turn % PARTITIONS);
        }
        assertThat(slices()).as("it has begun").isGreaterThan(before);
        depart();
        settle();

        connection.assertCancelled();
        assertThat(slices() - before).isLessThan(ACCOUNTS / 2);
    }

    @Test
    void aReadingEndsInItsMidst() {
        fill();
        assertEndsInItsMidst(SUM);
        assertThat(total()).isEqualTo(ACCOUNTS);
    }

    /** The answer of a procedure goes through another sink to the client's. */
    @Test
    void aReadingOfAProcedureThatAStatementCallsEndsToo() {
        fill();
        ProcedureDefinition sum = new ProcedureDefinition(
                "Sum", Optional.empty(), new ProcedureDefinition.Sql(List.of("SELECT SUM(balance) FROM account")));
        assertThat(db.change(new CatalogChange.CreateProcedure(sum, false))).isInstanceOf(Committed.class);
        TransactionRequest call = new TransactionRequest.AdHoc(0, 0, 0, "CALL Sum()", SteppedDatabase.list());
        assertThat(SteppedDatabase.cell(db.await(db.database.submit(call)))).isEqualTo(ACCOUNTS);
        assertEndsInItsMidst(call);
    }

    @Test
    void aReadingThatHasNotBegunAsksNoPartition() {
        fill();
        long before = slices();
        connection.isGone = true; // the word that it went came before the request
        db.database.submit(SUM, connection);
        settle();

        connection.assertCancelled();
        assertThat(slices()).isEqualTo(before);
    }

    @Test
    void othersReadOn() {
        fill();
        Connection other = new Connection();
        db.database.submit(SUM, connection);
        db.database.submit(SUM, other);
        depart();
        settle();

        connection.assertCancelled();
        other.assertDone();
    }

    @Test
    void aChangeIsMadeAllTheSame() {
        fill();
        TransactionRequest opening =
                SteppedDatabase.request("OpenAccounts", new long[] {ACCOUNTS, ACCOUNTS + 1, ACCOUNTS + 2}, 1L);
        db.database.submit(opening, connection);
        depart();
        settle();

        connection.assertDone();
        assertThat(total()).isEqualTo(ACCOUNTS + 3);
    }

    /** The client sent it again over another connection before the first one's end was known, and waits there. */
    @Test
    void aReadingThatARetryWaitsForGoesOn() {
        assertThat(db.change(SteppedDatabase.procedure("LookAtTwo", true))).isInstanceOf(Committed.class);
        fill();
        long reruns = reruns();
        for (long other = 1; other < ACCOUNTS; other++) {
            TransactionRequest reading = SteppedDatabase.numbered(7, other, "LookAtTwo", 0L, other);
            Connection first = new Connection();
            Connection next = new Connection();
            db.database.submit(reading, first);
            db.turn(0);
            db.turn(1);
            db.database.submit(reading, next);
            first.isGone = true;
            db.database.departed(first);
            db.await(db.database.submit(SUM));
            next.assertDone();
        }
        assertThat(reruns()).as("readings of two partitions").isGreaterThan(reruns);
    }

    private long reruns() {
        long reruns = 0;
        for (int partition = 0; partition < PARTITIONS; partition++) {
            reruns += db.database.figures().partition(partition).mismatchReruns.get();
        }
        return reruns;
    }
}
