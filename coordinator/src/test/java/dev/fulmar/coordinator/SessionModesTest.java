package dev.fulmar.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.foundation.data.ResultBlock;
import dev.fulmar.foundation.error.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Modes of transactions, and rows that sessions read FOR UPDATE. */
class SessionModesTest extends SessionBank {
    private static final String COMMITTED = "BEGIN ISOLATION LEVEL READ COMMITTED";
    private static final String READ_FOR_UPDATE = READ + " FOR UPDATE";

    /** G1a, G1b and G1c at the weakest level: nobody sees what is not committed. */
    @Test
    void noLevelShowsWhatIsNotCommitted() {
        Client writer = new Client().begin(COMMITTED);
        Client reader = new Client().begin("BEGIN ISOLATION LEVEL READ UNCOMMITTED");
        writer.changes(SET, 5L, 1L);
        assertThat(reader.read(1)).isEqualTo(100);
        writer.changes(SET, 6L, 1L);
        assertThat(reader.read(1)).isEqualTo(100);
        writer.run("ROLLBACK");
        assertThat(reader.read(1)).isEqualTo(100);
        reader.commits();
    }

    @Test
    void forUpdateAndForShareKeepWhatWasReadAtAnyLevel() {
        for (String clause : new String[] {" FOR UPDATE", " FOR SHARE"}) {
            Client one = new Client().begin(COMMITTED);
            long seen = SteppedDatabase.cell(one.run(READ + clause, 1L));
            bank.sql(ADD, 5L, 1L);
            one.fails(ErrorCode.SERIALIZATION_FAILURE, SET, seen + 1, 1L);
            one.run("ROLLBACK");
        }
        assertThat(bank.balance(1)).isEqualTo(110);
    }

    /** Counts that a client was told must come again at any level. */
    @Test
    void readCommittedKeepsCountsOfChangedRows() {
        Client one = new Client().begin(COMMITTED);
        one.changes(ADD, 1L, 1L);
        bank.sql(DELETE, 1L);
        one.fails(ErrorCode.SERIALIZATION_FAILURE, "COMMIT");
    }

    @Test
    void readCommittedSeesItsOwnChanges() {
        Client one = new Client().begin(COMMITTED);
        one.changes(ADD, 5L, 1L);
        bank.sql(ADD, 10L, 1L);
        assertThat(one.read(1)).isEqualTo(115);
        one.commits();
        assertThat(bank.balance(1)).isEqualTo(115);
    }

    /** It was serializable at its last statement, so no partition is asked at its COMMIT. */
    @Test
    void aTransactionThatOnlyReadsEndsWithoutAWord() {
        Client one = new Client().begin();
        one.read(1);
        one.read(2);
        int asked = router.count;
        bank.sql(ADD, 1L, 1L);
        one.commits();
        assertThat(router.count).isEqualTo(asked);
    }

    @Test
    void aReadOnlyTransactionChangesNothing() {
        Client one = new Client().begin("START TRANSACTION READ ONLY");
        one.fails(ErrorCode.READ_ONLY_TRANSACTION, ADD, 1L, 1L);
        one.fails(ErrorCode.READ_ONLY_TRANSACTION, READ_FOR_UPDATE, 1L);
        assertThat(one.read(1)).isEqualTo(100);
        one.commits();
    }

    @Test
    void modesAreSetBeforeTheFirstStatement() {
        Client one = new Client().begin();
        one.run("SET TRANSACTION ISOLATION LEVEL READ COMMITTED, READ ONLY");
        one.fails(ErrorCode.READ_ONLY_TRANSACTION, ADD, 1L, 1L);
        one.fails(ErrorCode.ACTIVE_TRANSACTION, "SET TRANSACTION READ WRITE");
        one.commits();
        one.fails(ErrorCode.SYNTAX, "BEGIN ISOLATION LEVEL CHAOS");
        one.fails(ErrorCode.NO_ACTIVE_TRANSACTION, "SET TRANSACTION READ ONLY");
    }

    @Test
    void transactionsQueueForARowThatIsReadForUpdate() {
        Client one = new Client().begin();
        Client two = new Client().begin();
        long seen = SteppedDatabase.cell(one.run(READ_FOR_UPDATE, 1L));
        int before = two.answers.size();
        two.send(READ_FOR_UPDATE, 1L);
        bank.settle();
        assertThat(two.answers).hasSize(before);
        one.changes(SET, seen + 1, 1L);
        one.commits();
        assertThat(SteppedDatabase.cell(two.answers.getLast())).isEqualTo(101);
        two.changes(SET, 110L, 1L);
        two.commits();
        assertThat(bank.balance(1)).isEqualTo(110);
    }

    @Test
    void nowaitDoesNotWait() {
        Client one = new Client().begin();
        Client two = new Client().begin();
        one.run(READ_FOR_UPDATE, 1L);
        two.fails(ErrorCode.LOCK_NOT_AVAILABLE, READ_FOR_UPDATE + " NOWAIT", 1L);
        assertThat(SteppedDatabase.cell(two.run(READ_FOR_UPDATE + " NOWAIT", 2L)))
                .isEqualTo(100);
        one.run("ROLLBACK");
        assertThat(SteppedDatabase.cell(two.run(READ_FOR_UPDATE + " NOWAIT", 1L)))
                .isEqualTo(100);
        two.commits();
    }

    private static final String READ_OR_SKIP = READ_FOR_UPDATE + " SKIP LOCKED";

    private static int rows(TransactionResponse response) {
        Committed answer = (Committed) response;
        assertThat(answer.kind()).isEqualTo(TransactionResponse.Kind.TABLE);
        return new ResultBlock()
                .wrap(answer.results(), 0, answer.results().length)
                .validate()
                .rowCount();
    }

    /** It tells nothing of the row, so the transaction commits whatever becomes of that. */
    @Test
    void skipLockedLeavesOutARowThatAnotherTransactionHas() {
        Client one = new Client().begin();
        Client two = new Client().begin();
        one.run(READ_FOR_UPDATE, 1L);
        long bytes = sessions.takenBytes();
        assertThat(rows(two.run(READ_OR_SKIP, 1L))).isZero();
        assertThat(sessions.takenBytes()).as("nothing is kept of it").isEqualTo(bytes);
        two.changes(ADD, 1L, 2L);
        one.changes(SET, 7L, 1L);
        assertThat(rows(two.run(READ_OR_SKIP, 1L))).isZero();
        one.commits();
        two.commits();
        assertThat(bank.balance(2)).isEqualTo(101);
    }

    @Test
    void skipLockedHasTheRowThatItShows() {
        Client one = new Client().begin();
        Client two = new Client().begin("BEGIN ISOLATION LEVEL READ COMMITTED");
        assertThat(SteppedDatabase.cell(two.run(READ_OR_SKIP, 1L))).isEqualTo(100);
        assertThat(SteppedDatabase.cell(two.run(READ_OR_SKIP, 1L)))
                .as("a row of its own is not left out")
                .isEqualTo(100);
        assertThat(rows(one.run(READ_OR_SKIP, 1L))).isZero();
        assertThat(rows(one.run(READ_OR_SKIP, 99L))).as("there is no such row").isZero();
        bank.sql(ADD, 1L, 1L);
        two.fails(ErrorCode.SERIALIZATION_FAILURE, ADD, 1L, 2L);
        assertThat(SteppedDatabase.cell(one.run(READ_OR_SKIP, 1L)))
                .as("the lease ended with its transaction")
                .isEqualTo(101);
        two.run("ROLLBACK");
        one.commits();
    }

    /** An empty result of a row that is not there must come again, unlike that of a row that is left out. */
    @Test
    void skipLockedKeepsThatARowIsNotThere() {
        Client one = new Client().begin();
        assertThat(rows(one.run(READ_OR_SKIP, 8L))).isZero();
        one.changes(ADD, 1L, 1L);
        bank.sql(INSERT, 8L, 1L);
        one.fails(ErrorCode.SERIALIZATION_FAILURE, "COMMIT");
    }

    @Test
    void forShareSkipLockedLeavesOutARowThatAnotherTransactionHasAndHasNone() {
        Client one = new Client().begin();
        Client two = new Client().begin();
        Client three = new Client().begin();
        one.run(READ_FOR_UPDATE, 1L);
        String share = READ + " FOR SHARE SKIP LOCKED";
        assertThat(rows(two.run(share, 1L))).isZero();
        assertThat(SteppedDatabase.cell(one.run(share, 1L))).isEqualTo(100);
        assertThat(SteppedDatabase.cell(two.run(share, 2L))).isEqualTo(100);
        assertThat(SteppedDatabase.cell(three.run(READ_FOR_UPDATE + " NOWAIT", 2L)))
                .isEqualTo(100);
        three.changes(ADD, 1L, 2L);
        three.commits();
        two.fails(ErrorCode.SERIALIZATION_FAILURE, READ, 3L);
        two.run("ROLLBACK");
        one.commits();
    }

    /** Rows as a queue of work: each is taken once, and nobody waits or fails. */
    @Test
    void skipLockedSharesWorkOut() {
        List<Client> workers = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            workers.add(new Client());
        }
        int taken = 0;
        for (int round = 0; taken < 6 && round < 3; round++) {
            for (Client worker : workers) {
                worker.begin(COMMITTED);
                for (long job = 0; job < 6; job++) {
                    TransactionResponse answer = worker.run(READ_OR_SKIP, job);
                    if (rows(answer) == 1 && SteppedDatabase.cell(answer) == 100) {
                        worker.changes(ADD, -1L, job);
                        taken++;
                        break;
                    }
                }
            }
            workers.forEach(Client::commits);
        }
        assertThat(taken).isEqualTo(6);
        assertThat(SteppedDatabase.cell(bank.sql(TOTAL))).isEqualTo(594);
    }

    /** A client whose machine lost its power: no word comes from it, and its connection stays. */
    @Test
    void theLeasesOfAClientThatVanishedEndWithinTwoSeconds() {
        Client vanished = new Client().begin();
        vanished.run(READ_FOR_UPDATE, 1L);
        vanished.run(READ_FOR_UPDATE, 2L);
        vanished.changes(ADD, 1L, 1L);
        Client two = new Client().begin();
        two.send(READ_FOR_UPDATE, 1L);
        two.send(READ_FOR_UPDATE, 2L);
        bank.settle();
        int before = two.answers.size();
        bank.time.advance(2_000_000_000L);
        bank.settle();
        assertThat(two.answers).hasSize(before + 2);
        two.changes(ADD, 5L, 1L);
        two.commits();
        assertThat(sessions.openTransactions()).as("its transaction lasts").isEqualTo(1);
        bank.time.advance(LIMITS.idleNanos());
        bank.settle();
        assertThat(sessions.takenBytes()).as("until its idle limit").isZero();
        bank.time.advance(LIMITS.idleNanos());
        bank.settle();
        assertThat(bank.balance(1)).isEqualTo(105);
    }

    /** A client whose process died: the operating system ends its connection. */
    @Test
    void theLeasesOfAConnectionEndWithIt() {
        Client dead = new Client().begin();
        dead.run(READ_FOR_UPDATE, 1L);
        dead.run(READ_FOR_UPDATE, 2L);
        dead.leaves();
        Client two = new Client().begin();
        assertThat(rows(two.run(READ_OR_SKIP, 1L))).isEqualTo(1);
        assertThat(rows(two.run(READ_OR_SKIP, 2L))).isEqualTo(1);
        two.commits();
    }

    @Test
    void aStatementThatFailsKeepsNoLease() {
        Client one = new Client().begin();
        Client two = new Client().begin();
        one.run(READ_FOR_UPDATE, 1L);
        one.fails(ErrorCode.SYNTAX, "SELEKT 1 FOR UPDATE");
        two.fails(ErrorCode.LOCK_NOT_AVAILABLE, READ_FOR_UPDATE + " NOWAIT", 1L);
        one.commits();
        assertThat(SteppedDatabase.cell(two.run(READ_FOR_UPDATE + " NOWAIT", 1L)))
                .isEqualTo(100);
        two.commits();
    }

    /** Else its client would wait for ever. */
    @Test
    void aDefectEndsTheTransaction() {
        Client one = new Client().begin();
        one.read(1);
        router.isBroken = true;
        one.fails(ErrorCode.INTERNAL, READ, 1L);
        one.fails(ErrorCode.NO_ACTIVE_TRANSACTION, READ, 1L);
    }

    /** Else a client that thinks would hold up all others. */
    @Test
    void aLeaseThatIsNotUsedEnds() {
        Client one = new Client().begin();
        Client two = new Client().begin();
        one.run(READ_FOR_UPDATE, 1L);
        two.send(READ_FOR_UPDATE, 1L);
        bank.settle();
        int before = two.answers.size();
        bank.time.advance(1_000_000_001);
        bank.settle();
        assertThat(two.answers).hasSize(before + 1);
        two.changes(ADD, 1L, 1L);
        two.commits();
        one.fails(ErrorCode.SERIALIZATION_FAILURE, ADD, 1L, 1L);
        one.run("ROLLBACK");
    }

    @Test
    void aClientThatIsGoneHoldsNobodyUp() {
        Client one = new Client().begin();
        Client two = new Client().begin();
        Client three = new Client().begin();
        one.run(READ_FOR_UPDATE, 1L);
        two.send(READ_FOR_UPDATE, 1L);
        three.send(READ_FOR_UPDATE, 1L);
        bank.settle();
        two.leaves();
        one.leaves();
        assertThat(SteppedDatabase.cell(three.answers.getLast())).isEqualTo(100);
        three.commits();
    }

    /** The lease is no lock: a procedure changes the row, and the transaction that had it fails. */
    @Test
    void aLeaseHoldsUpNothingButSessions() {
        Client one = new Client().begin();
        one.run(READ_FOR_UPDATE, 1L);
        bank.sql(ADD, 1L, 1L);
        assertThat(bank.balance(1)).isEqualTo(101);
        one.fails(ErrorCode.SERIALIZATION_FAILURE, ADD, 1L, 1L);
        one.run("ROLLBACK");
    }

    /** Two rows that are read in different order: the transaction that began first goes on. */
    @Test
    void noTwoTransactionsWaitForEachOther() {
        Client one = new Client().begin();
        bank.time.advance(1_000_000);
        Client two = new Client().begin();
        one.run(READ_FOR_UPDATE, 1L);
        two.run(READ_FOR_UPDATE, 2L);
        two.send(READ_FOR_UPDATE, 1L);
        bank.settle();
        int before = one.answers.size();
        one.send(READ_FOR_UPDATE, 2L);
        bank.settle();
        assertThat(one.answers).hasSize(before + 1);
        one.commits();
        assertThat(SteppedDatabase.cell(two.answers.getLast())).isEqualTo(100);
        two.commits();
    }

    /** A row that was read without FOR UPDATE, and then changed in vain, is queued for by those that come. */
    @Test
    void transactionsQueueForARowOnWhichOneHasFailed() {
        Client one = new Client().begin();
        long seen = one.read(1);
        bank.sql(ADD, 1L, 1L);
        one.fails(ErrorCode.SERIALIZATION_FAILURE, SET, seen, 1L);
        one.run("ROLLBACK");
        one.begin();
        Client two = new Client().begin();
        one.read(1);
        int before = two.answers.size();
        two.send(READ, 1L);
        bank.settle();
        assertThat(two.answers).hasSize(before);
        one.changes(SET, 7L, 1L);
        one.commits();
        assertThat(SteppedDatabase.cell(two.answers.getLast())).isEqualTo(7);
        assertThat(two.run("COMMIT")).isInstanceOf(Committed.class);
    }

    /** ROLLBACK TO would not take the mode back. */
    @Test
    void modesComeBeforeSavepoints() {
        Client one = new Client().begin();
        one.run("SET TRANSACTION READ ONLY");
        one.run("SET TRANSACTION READ WRITE");
        one.run("SAVEPOINT a");
        one.fails(ErrorCode.ACTIVE_TRANSACTION, "SET TRANSACTION READ ONLY");
        assertThat(one.run("SET TRANSACTION READ WRITE")).isInstanceOf(Committed.class);
        one.changes(ADD, 1L, 1L);
        one.commits();
    }
}
