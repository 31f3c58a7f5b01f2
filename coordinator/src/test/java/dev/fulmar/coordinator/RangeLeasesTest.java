package dev.fulmar.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.coordinator.session.OpenSession;
import dev.fulmar.foundation.error.ErrorCode;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Sessions that read ranges FOR UPDATE, and those that change rows of them. */
class RangeLeasesTest extends SessionBank {
    private static final String RANGE = "SELECT SUM(balance) FROM account WHERE id BETWEEN ? AND ?";
    private static final String RANGE_FOR_UPDATE = RANGE + " FOR UPDATE";
    private static final String READ_FOR_UPDATE = READ + " FOR UPDATE";
    private static final String COMMITTED = "BEGIN ISOLATION LEVEL READ COMMITTED";
    private static final long LEASE_NANOS = 1_000_000_000L;

    /** Sends a statement that is to wait. */
    private void waits(Client client, String sql, Object... parameters) {
        int before = client.answers.size();
        client.send(sql, parameters);
        bank.settle();
        assertThat(client.answers).as(sql).hasSize(before);
    }

    @Test
    void changesOfARangeWaitUntilItsTransactionEnds() {
        Client one = new Client().begin();
        Client two = new Client().begin();
        Client three = new Client().begin(COMMITTED);
        one.run(RANGE_FOR_UPDATE, 10L, 20L);
        waits(two, INSERT, 15L, 1L);
        int before = three.answers.size();
        three.send(INSERT, 25L, 1L);
        bank.settle();
        assertThat(three.answers).as("it is of no row of the range").hasSize(before + 1);
        one.changes(INSERT, 12L, 1L);
        one.commits();
        assertThat(SteppedDatabase.value(two.answers.getLast())).isEqualTo(1);
        two.commits();
        three.commits();
        assertThat(SteppedDatabase.cell(bank.sql(RANGE, 10L, 30L))).isEqualTo(3);
    }

    /** All of them read the range and add to it: with leases one after the other, else all but one in vain. */
    @Test
    void transactionsThatAddToARangeGoOnWithoutARetry() {
        assertThat(attempts(RANGE_FOR_UPDATE, 100)).isEqualTo(8);
        assertThat(attempts(RANGE, 200)).isEqualTo(8 + 7 + 6 + 5 + 4 + 3 + 2 + 1);
    }

    /** Transactions that eight clients need until each has added a row to the range. All begin together. */
    private int attempts(String query, long first) {
        Deque<Client> todo = new ArrayDeque<>();
        for (int i = 0; i < 8; i++) {
            todo.add(new Client());
        }
        int attempts = 0;
        long next = first;
        while (!todo.isEmpty()) {
            List<Client> round = new ArrayList<>(todo);
            todo.clear();
            for (Client client : round) {
                attempts++;
                client.begin();
                bank.time.advance(1_000);
                client.send(query, first, first + 50);
                bank.settle();
            }
            for (Client client : round) {
                int before = client.answers.size();
                client.send(INSERT, next++, 1L);
                client.send("COMMIT");
                bank.settle();
                assertThat(client.answers).hasSize(before + 2);
                if (!(client.answers.getLast() instanceof Committed)) {
                    assertThat(SteppedDatabase.code(client.answers.getLast()))
                            .isEqualTo(ErrorCode.SERIALIZATION_FAILURE);
                    client.run("ROLLBACK");
                    todo.add(client);
                }
            }
        }
        assertThat(SteppedDatabase.cell(bank.sql(RANGE, first, first + 50))).isEqualTo(8);
        return attempts;
    }

    @Test
    void aRowThatIsNotThereIsKeptToo() {
        Client one = new Client().begin();
        Client two = new Client().begin();
        one.run(READ_FOR_UPDATE, 99L);
        waits(two, INSERT, 99L, 7L);
        one.changes(INSERT, 99L, 1L);
        one.commits();
        assertThat(SteppedDatabase.code(two.answers.getLast())).isEqualTo(ErrorCode.UNIQUE_VIOLATION);
        two.run("ROLLBACK");
        assertThat(bank.balance(99)).isEqualTo(1);
    }

    @Test
    void changesOfARowWaitToo() {
        Client one = new Client().begin();
        Client two = new Client().begin();
        one.run(READ_FOR_UPDATE, 1L);
        two.changes(ADD, 1L, 2L);
        waits(two, DELETE, 1L);
        one.run("ROLLBACK");
        assertThat(SteppedDatabase.value(two.answers.getLast())).isEqualTo(1);
        two.commits();
    }

    @Test
    void aCancelEndsAWaitAndNothingElse() {
        Client one = new Client().begin();
        Client two = new Client().begin();
        Client three = new Client().begin();
        one.run(READ_FOR_UPDATE, 1L);
        two.run(READ_FOR_UPDATE, 2L);
        waits(two, READ_FOR_UPDATE, 1L);
        waits(three, READ_FOR_UPDATE, 1L);
        two.cancels();
        assertThat(SteppedDatabase.code(two.answers.getLast())).isEqualTo(ErrorCode.CANCELLED);
        assertThat(three.answers).as("it waits as before").hasSize(1);
        three.cancels();
        one.run("ROLLBACK");
        assertThat(SteppedDatabase.code(three.answers.getLast())).isEqualTo(ErrorCode.CANCELLED);
        assertThat(two.read(1)).isEqualTo(100);
        two.commits();
        three.run("ROLLBACK");
    }

    @Test
    void aCancelEndsTheWaitOfAChange() {
        Client one = new Client().begin();
        Client two = new Client().begin();
        one.run(READ_FOR_UPDATE, 1L);
        waits(two, ADD, 1L, 1L);
        two.cancels();
        assertThat(SteppedDatabase.code(two.answers.getLast())).isEqualTo(ErrorCode.CANCELLED);
        two.commits();
        one.run("ROLLBACK");
        assertThat(bank.balance(1)).isEqualTo(100);
    }

    /** The cancel may come before the statement is where it would wait. */
    @Test
    void aStatementThatIsCancelledDoesNotBeginToWait() {
        Client one = new Client().begin();
        Client two = new Client().begin();
        one.run(READ_FOR_UPDATE, 1L);
        sessions.cancel(two.request(two.requests + 1, READ_FOR_UPDATE, 1L).clientId(), two.requests + 1);
        two.fails(ErrorCode.CANCELLED, READ_FOR_UPDATE, 1L);
        two.run("ROLLBACK");
        one.run("ROLLBACK");
    }

    /** A transaction that queues without having asked for it keeps no writer waiting. */
    @Test
    void changesDoNotWaitForQueuesOfHotRows() {
        Client one = new Client().begin();
        one.read(1);
        bank.sql(ADD, 1L, 1L);
        one.fails(ErrorCode.SERIALIZATION_FAILURE, ADD, 1L, 1L);
        one.run("ROLLBACK");
        one.begin().read(1);
        assertThat(sessions.oldest(1).getFirst().leases()).as("it queued").isEqualTo(1);
        Client two = new Client().begin();
        int before = two.answers.size();
        two.send(ADD, 1L, 1L);
        bank.settle();
        assertThat(two.answers).hasSize(before + 1);
        two.commits();
        one.run("ROLLBACK");
    }

    @Test
    void nowaitAndSkipLockedMeetRanges() {
        Client one = new Client().begin();
        Client two = new Client().begin();
        one.run(RANGE_FOR_UPDATE, 2L, 4L);
        two.fails(ErrorCode.LOCK_NOT_AVAILABLE, RANGE_FOR_UPDATE + " NOWAIT", 4L, 9L);
        two.fails(ErrorCode.LOCK_NOT_AVAILABLE, RANGE_FOR_UPDATE + " NOWAIT", 4L, 9L);
        two.fails(ErrorCode.LOCK_NOT_AVAILABLE, READ_FOR_UPDATE + " NOWAIT", 3L);
        assertThat(((Committed) two.run(READ_FOR_UPDATE + " SKIP LOCKED", 3L)).results())
                .as("the row is left out")
                .hasSizeLessThan(((Committed) two.run(READ_FOR_UPDATE + " SKIP LOCKED", 5L)).results().length);
        assertThat(SteppedDatabase.cell(two.run(RANGE_FOR_UPDATE + " NOWAIT", 5L, 9L)))
                .isEqualTo(100);
        one.run("ROLLBACK");
        assertThat(SteppedDatabase.cell(two.run(RANGE_FOR_UPDATE + " NOWAIT", 4L, 9L)))
                .isEqualTo(200);
        two.commits();
    }

    /** Once it has waited as long as a lease lasts, a change waits for nothing more. */
    @Test
    void aClientThatThinksKeepsWritersForTheTimeOfALease() {
        Client one = new Client().begin();
        Client two = new Client().begin();
        one.run(RANGE_FOR_UPDATE, 10L, 20L);
        waits(two, INSERT, 15L, 1L);
        assertThat(sessions.oldest(2))
                .extracting(OpenSession::state)
                .containsExactly(OpenSession.State.IDLE, OpenSession.State.WAITING);
        int before = two.answers.size();
        bank.time.advance(LEASE_NANOS + 1);
        bank.settle();
        assertThat(two.answers).hasSize(before + 1);
        two.commits();
        one.fails(ErrorCode.SERIALIZATION_FAILURE, INSERT, 16L, 1L);
        one.run("ROLLBACK");
    }

    @Test
    void aConnectionThatEndsKeepsNoWriters() {
        Client one = new Client().begin();
        Client two = new Client().begin();
        Client three = new Client().begin();
        one.run(RANGE_FOR_UPDATE, 10L, 20L);
        waits(two, INSERT, 15L, 1L);
        waits(three, RANGE_FOR_UPDATE, 0L, 15L);
        two.leaves();
        one.leaves();
        assertThat(SteppedDatabase.cell(three.answers.getLast())).isEqualTo(600);
        three.commits();
    }

    /** Neither procedures nor statements of their own ask for a lease, and a transaction fails for what they change. */
    @Test
    void aLeaseOfARangeHoldsUpNothingButSessions() {
        Client one = new Client().begin(COMMITTED);
        one.run(RANGE_FOR_UPDATE, 10L, 20L);
        bank.sql(INSERT, 15L, 1L);
        one.fails(ErrorCode.SERIALIZATION_FAILURE, INSERT, 16L, 1L);
        one.run("ROLLBACK");
    }

    /** A row and a range, each wanted by the other one: the transaction that began first goes on. */
    @Test
    void noTwoTransactionsWaitForEachOther() {
        Client one = new Client().begin();
        bank.time.advance(1_000_000);
        Client two = new Client().begin();
        one.run(READ_FOR_UPDATE, 1L);
        two.run(RANGE_FOR_UPDATE, 10L, 20L);
        waits(two, READ_FOR_UPDATE, 1L);
        one.changes(INSERT, 15L, 1L);
        one.commits();
        assertThat(SteppedDatabase.code(two.answers.getLast())).isEqualTo(ErrorCode.SERIALIZATION_FAILURE);
        two.run("ROLLBACK");
    }

    /** Statements that are sent without waiting keep their order, and wait together. */
    @Test
    void changesThatWaitTogetherRunInTheirOrder() {
        Client one = new Client().begin();
        Client two = new Client().begin();
        one.run(RANGE_FOR_UPDATE, 10L, 20L);
        int before = two.answers.size();
        two.send(INSERT, 30L, 1L);
        two.send(INSERT, 15L, 1L);
        two.send(INSERT, 16L, 1L);
        two.send(INSERT, 15L, 1L);
        two.send(TOTAL);
        bank.settle();
        assertThat(two.answers).hasSize(before + 1);
        one.run("ROLLBACK");
        assertThat(two.answers).hasSize(before + 5);
        assertThat(SteppedDatabase.code(two.answers.get(before + 3))).isEqualTo(ErrorCode.UNIQUE_VIOLATION);
        assertThat(SteppedDatabase.cell(two.answers.getLast())).isEqualTo(603);
        two.commits();
    }

    @Test
    void leasesAreCountedAndTheirMemoryComesBack() {
        Client one = new Client().begin();
        assertThat(sessions.oldest(1).getFirst().leases()).isZero();
        one.run(RANGE_FOR_UPDATE, 10L, 20L);
        one.run(READ_FOR_UPDATE, 1L);
        Client two = new Client().begin();
        two.fails(ErrorCode.LOCK_NOT_AVAILABLE, RANGE_FOR_UPDATE + " NOWAIT", 15L, 20L);
        long bytes = sessions.takenBytes();
        for (int i = 0; i < 10; i++) {
            two.fails(ErrorCode.LOCK_NOT_AVAILABLE, RANGE_FOR_UPDATE + " NOWAIT", 15L, 20L);
        }
        assertThat(sessions.takenBytes()).as("asked for again and again").isEqualTo(bytes);
        assertThat(sessions.oldest(2)).extracting(OpenSession::leases).containsExactly(2, 1);
        waits(two, INSERT, 17L, 1L);
        assertThat(sessions.oldest(2)).extracting(OpenSession::leases).containsExactly(2, 2);
        one.commits();
        two.commits();
        assertThat(sessions.takenBytes()).isZero();
        Client three = new Client().begin();
        assertThat(SteppedDatabase.cell(three.run("SELECT SUM(balance) FROM account FOR UPDATE NOWAIT")))
                .isEqualTo(601);
        three.commits();
    }

    /** Its client leaves while a statement is told to wait for its turn: nobody would end the wait. */
    @Test
    void aChangeWhoseClientHasLeftWaitsForNoTurn() {
        Client one = new Client().begin();
        Client two = new Client().begin();
        one.run(RANGE_FOR_UPDATE, 10L, 20L);
        router.before = script -> {
            router.before = later -> {};
            two.isGone = true;
            sessions.departed(two);
        };
        two.send(INSERT, 15L, 1L);
        bank.settle();
        assertThat(sessions.openTransactions()).as("the one that has the range").isEqualTo(1);
        one.commits();
    }

    /** It has the range as long as it has not changed it, so that those who read FOR UPDATE wait for it. */
    @Test
    void aChangeThatHasWaitedIsWaitedFor() {
        Client one = new Client().begin();
        Client two = new Client().begin();
        Client three = new Client().begin();
        one.run(RANGE_FOR_UPDATE, 10L, 20L);
        waits(two, INSERT, 15L, 1L);
        one.run("ROLLBACK");
        waits(three, RANGE_FOR_UPDATE, 10L, 20L);
        two.commits();
        assertThat(SteppedDatabase.cell(three.answers.getLast())).isEqualTo(1);
        three.commits();
    }
}
