package dev.fulmar.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.foundation.error.ErrorCode;
import org.junit.jupiter.api.Test;

/** The level SNAPSHOT: queries are not run again at the COMMIT, and changes meet the rows that they met. */
class SnapshotIsolationTest extends SessionBank {
    private static final String SNAPSHOT = "BEGIN ISOLATION LEVEL SNAPSHOT";
    private static final String ADD_TO_TWO = "UPDATE account SET balance = balance + ? WHERE id IN (?, ?)";

    /** The first committer wins, though nobody has read the row; at SERIALIZABLE both would commit. */
    @Test
    void ofTwoThatAddToARowOneCommits() {
        Client one = new Client().begin(SNAPSHOT);
        Client two = new Client().begin(SNAPSHOT);
        one.changes(ADD, 3L, 1L);
        two.changes(ADD, 4L, 1L);
        one.commits();
        two.fails(ErrorCode.SERIALIZATION_FAILURE, "COMMIT");
        assertThat(bank.balance(1)).isEqualTo(103);
    }

    @Test
    void theNextStatementTellsThatAChangedRowHasChanged() {
        Client one = new Client().begin(SNAPSHOT);
        one.changes(ADD, 3L, 1L);
        bank.sql(ADD, 1L, 1L);
        one.fails(ErrorCode.SERIALIZATION_FAILURE, READ, 2L);
        one.run("ROLLBACK");
    }

    /** The rows are on two partitions, so all runs go over both. */
    @Test
    void rowsOnSeveralPartitionsAreComparedToo() {
        Client one = new Client().begin(SNAPSHOT);
        one.changes(ADD, 3L, 1L);
        one.changes(ADD, 3L, 2L);
        one.changes(ADD, 3L, 1L);
        one.commits();
        assertThat(bank.balance(1)).isEqualTo(106);
        one.begin(SNAPSHOT);
        one.changes(ADD, 3L, 1L);
        one.changes(ADD, 3L, 2L);
        assertThat(one.read(3)).isEqualTo(100);
        bank.sql(ADD, 1L, 2L);
        one.fails(ErrorCode.SERIALIZATION_FAILURE, "COMMIT");
    }

    @Test
    void aStatementOverSeveralPartitionsIsComparedToo() {
        Client one = new Client().begin(SNAPSHOT);
        assertThat(SteppedDatabase.value(one.run(ADD_TO_TWO, 3L, 1L, 2L))).isEqualTo(2);
        one.commits();
        one.begin(SNAPSHOT);
        assertThat(SteppedDatabase.value(one.run(ADD_TO_TWO, 3L, 1L, 2L))).isEqualTo(2);
        bank.sql(ADD, 1L, 2L);
        one.fails(ErrorCode.SERIALIZATION_FAILURE, "COMMIT");
        assertThat(bank.balance(1)).isEqualTo(103);
    }

    /** So a client can have the commit look at a row that it has only read. */
    @Test
    void aRowThatIsWrittenAsItWasCounts() {
        Client one = new Client().begin(SNAPSHOT);
        one.changes(ADD, 0L, 1L);
        one.changes(ADD, 1L, 2L);
        bank.sql(ADD, 1L, 1L);
        one.fails(ErrorCode.SERIALIZATION_FAILURE, "COMMIT");
        one.begin(SNAPSHOT);
        one.changes(SET, 101L, 1L);
        bank.sql(ADD, 1L, 1L);
        one.fails(ErrorCode.SERIALIZATION_FAILURE, "COMMIT");
    }

    @Test
    void aRowThatChangedIsNotDeleted() {
        Client one = new Client().begin(SNAPSHOT);
        one.changes(DELETE, 1L);
        bank.sql(ADD, 1L, 1L);
        one.fails(ErrorCode.SERIALIZATION_FAILURE, "COMMIT");
        assertThat(bank.balance(1)).isEqualTo(101);
    }

    @Test
    void aRowThatCameIsNotReplaced() {
        Client one = new Client().begin(SNAPSHOT);
        one.changes("UPSERT INTO account VALUES (?, ?)", 8L, 1L);
        bank.sql(INSERT, 8L, 5L);
        one.fails(ErrorCode.SERIALIZATION_FAILURE, "COMMIT");
        assertThat(bank.balance(8)).isEqualTo(5);
    }

    /** Images are compared by value: such a row is as the client saw it. */
    @Test
    void aRowThatChangedThereAndBackHasNotChanged() {
        Client one = new Client().begin(SNAPSHOT);
        one.changes(ADD, 3L, 1L);
        bank.sql(ADD, 1L, 1L);
        bank.sql(ADD, -1L, 1L);
        one.commits();
        assertThat(bank.balance(1)).isEqualTo(103);
    }

    @Test
    void aRowMayBeChangedAgainAndAgain() {
        Client one = new Client().begin(SNAPSHOT);
        one.changes(ADD, 1L, 1L);
        one.changes(SET, 7L, 1L);
        one.changes(DELETE, 1L);
        one.changes(INSERT, 1L, 8L);
        one.changes(ADD, 1L, 1L);
        assertThat(one.read(1)).isEqualTo(9);
        one.changes(INSERT, 9L, 1L);
        one.changes(DELETE, 9L);
        one.commits();
        assertThat(bank.balance(1)).isEqualTo(9);
        assertThat(bank.balance(9)).isEqualTo(-1);
    }

    /** Changes that wait together run together, and each is compared with itself. */
    @Test
    void changesThatWaitTogetherAreCompared() {
        for (long foreign = 0; foreign < 2; foreign++) {
            Client one = new Client().begin(SNAPSHOT);
            for (long account = 0; account < 6; account++) {
                one.send(ADD, 1L, account);
                one.send(ADD, 1L, account);
            }
            bank.settle();
            assertThat(one.read(4)).isEqualTo(102 + 2 * foreign);
            if (foreign == 0) {
                one.commits();
            } else {
                bank.sql(ADD, 1L, 5L);
                one.fails(ErrorCode.SERIALIZATION_FAILURE, "COMMIT");
            }
        }
        assertThat(SteppedDatabase.cell(bank.sql(TOTAL))).isEqualTo(613);
    }

    @Test
    void whatASavepointTookBackIsNotCompared() {
        Client one = new Client().begin(SNAPSHOT);
        one.run("SAVEPOINT before");
        one.changes(ADD, 1L, 1L);
        one.run("ROLLBACK TO before");
        one.changes(ADD, 1L, 2L);
        bank.sql(ADD, 5L, 1L);
        one.commits();
        assertThat(bank.balance(1)).isEqualTo(105);
        assertThat(bank.balance(2)).isEqualTo(101);
    }

    @Test
    void rowsThatAreReadForUpdateOrForShareMustBeTheSameAtTheCommit() {
        for (String clause : new String[] {" FOR UPDATE", " FOR SHARE"}) {
            Client one = new Client().begin(SNAPSHOT);
            one.run(READ + clause, 1L);
            one.changes(ADD, 1L, 2L);
            bank.sql(ADD, 1L, 1L);
            one.fails(ErrorCode.SERIALIZATION_FAILURE, "COMMIT");
        }
        assertThat(bank.balance(2)).isEqualTo(100);
    }

    /** A failure that was shown must come again. */
    @Test
    void aKeyThatWasThereAndGoesEndsTheTransaction() {
        Client one = new Client().begin(SNAPSHOT);
        one.fails(ErrorCode.UNIQUE_VIOLATION, INSERT, 2L, 0L);
        one.changes(ADD, 1L, 1L);
        bank.sql(DELETE, 2L);
        one.fails(ErrorCode.SERIALIZATION_FAILURE, "COMMIT");
    }

    /** Such a statement runs over several partitions each time, also where one would do. */
    @Test
    void aStatementInStepsIsCompared() {
        Client one = new Client().begin(SNAPSHOT);
        assertThat(one.run("INSERT INTO account SELECT ?, ?", 8L, 1L)).isInstanceOf(Committed.class);
        assertThat(one.read(8)).isEqualTo(1);
        one.commits();
        assertThat(bank.balance(8)).isEqualTo(1);
    }

    @Test
    void repeatableReadIsSnapshot() {
        Client one = new Client().begin("BEGIN ISOLATION LEVEL REPEATABLE READ");
        Client two = new Client().begin("BEGIN ISOLATION LEVEL REPEATABLE READ");
        assertThat(one.read(1)).isEqualTo(100);
        one.changes(ADD, 1L, 2L);
        two.changes(ADD, 1L, 2L);
        bank.sql(ADD, 1L, 1L);
        two.commits();
        one.fails(ErrorCode.SERIALIZATION_FAILURE, "COMMIT");
    }

    @Test
    void aTransactionThatOnlyReadsShowsOneStateAndEndsWithoutAWord() {
        Client one = new Client().begin("BEGIN ISOLATION LEVEL SNAPSHOT, READ ONLY");
        assertThat(one.read(1) + one.read(2)).isEqualTo(200);
        one.fails(ErrorCode.READ_ONLY_TRANSACTION, ADD, 1L, 1L);
        int asked = router.count;
        bank.sql(ADD, 1L, 1L);
        one.commits();
        assertThat(router.count).isEqualTo(asked);
        one.begin("BEGIN ISOLATION LEVEL SNAPSHOT, READ ONLY");
        assertThat(one.read(1)).isEqualTo(101);
        bank.sql(ADD, 1L, 1L);
        assertThat(one.read(1)).as("the state that it holds").isEqualTo(101);
        one.commits();
    }

    /** Else those that read a row, and write it, would fail again and again. */
    @Test
    void transactionsQueueForARowOnWhichOneHasFailed() {
        Client one = new Client().begin(SNAPSHOT);
        one.changes(SET, one.read(1) + 1, 1L);
        bank.sql(ADD, 1L, 1L);
        one.fails(ErrorCode.SERIALIZATION_FAILURE, "COMMIT");
        one.begin(SNAPSHOT);
        Client two = new Client().begin(SNAPSHOT);
        one.read(1);
        int before = two.answers.size();
        two.send(READ, 1L);
        bank.settle();
        assertThat(two.answers).hasSize(before);
        one.changes(SET, 7L, 1L);
        one.commits();
        assertThat(SteppedDatabase.cell(two.answers.getLast())).isEqualTo(7);
        two.commits();
    }
}
