package dev.fulmar.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.coordinator.request.TransactionResponse.Failed;
import dev.fulmar.coordinator.transaction.CallLimits;
import dev.fulmar.engine.procedure.budget.BudgetLimits;
import dev.fulmar.foundation.data.ResultBlock;
import dev.fulmar.foundation.error.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Cursors of transactions: read part by part where nothing is changed, and held elsewhere. */
class CursorTest extends SessionBank {
    private static final String READ_ONLY = "BEGIN READ ONLY";
    private static final String ALL = "SELECT id, balance FROM account";
    private static final int ACCOUNTS = 60;
    private static final int MAX_RESULT_BYTES = 4_000;

    @Override
    DatabaseConfiguration configuration() {
        return super.configuration()
                .withCalls(new CallLimits(30_000_000_000L, BudgetLimits.DEFAULT, MAX_RESULT_BYTES, 1 << 20, false));
    }

    @BeforeEach
    void openMoreAccounts() {
        for (long id = 6; id < ACCOUNTS; id++) {
            bank.sql(INSERT, id, 100L);
        }
    }

    private static List<Long> ids(TransactionResponse answer) {
        assertThat(answer).isInstanceOf(Committed.class);
        byte[] rows = ((Committed) answer).results();
        ResultBlock block = new ResultBlock().wrap(rows, 0, rows.length);
        List<Long> ids = new ArrayList<>();
        while (block.next()) {
            ids.add(block.getLong(0));
            assertThat(block.getLong(1)).isEqualTo(100);
        }
        return ids;
    }

    private static List<Long> everybody() {
        return LongStream.range(0, ACCOUNTS).boxed().toList();
    }

    private static void succeeds(TransactionResponse response) {
        assertThat(response).isInstanceOf(Committed.class);
    }

    private void changeEverything() {
        for (long id = 0; id < ACCOUNTS; id++) {
            bank.sql(SET, 5L, id);
            if (id % 3 == 0) {
                bank.sql(DELETE, id);
            }
            bank.sql(INSERT, 1000 + id, 100L);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ORDER BY 1"})
    void aCursorOfAReadOnlyTransactionReadsItsSnapshot(String order) {
        Client one = new Client().begin(READ_ONLY);
        assertThat(one.read(1)).isEqualTo(100);
        changeEverything();
        succeeds(one.run("DECLARE c CURSOR FOR " + ALL + order));
        List<Long> found = new ArrayList<>(ids(one.run("FETCH c")));
        assertThat(found).hasSize(1);
        found.addAll(ids(one.run("FETCH 20 FROM c")));
        found.addAll(ids(one.run("fetch forward 10 in C")));
        assertThat(found).hasSize(31);
        assertThat(one.read(3)).as("queries come between").isEqualTo(100);
        found.addAll(ids(one.run("FETCH ALL c;")));
        assertThat(ids(one.run("FETCH NEXT FROM c"))).as("nothing is left").isEmpty();
        assertThat(SteppedDatabase.value(one.run("MOVE ALL c"))).isZero();
        assertThat(found).containsExactlyInAnyOrderElementsOf(everybody());
        if (!order.isEmpty()) {
            assertThat(found).isEqualTo(everybody());
        }
        one.commits();
        assertThat(router.count).isZero();
    }

    @Test
    void aCursorTakesParameters() {
        Client one = new Client().begin(READ_ONLY);
        succeeds(one.run("DECLARE c NO SCROLL CURSOR WITHOUT HOLD FOR " + ALL + " WHERE id = ?", 10L));
        assertThat(ids(one.run("FETCH FORWARD ALL FROM c"))).containsExactly(10L);
        one.commits();
        one.begin();
        succeeds(one.run("DECLARE c INSENSITIVE CURSOR FOR " + ALL + " WHERE id = ?", 10L));
        assertThat(ids(one.run("FETCH 5 c"))).containsExactly(10L);
        one.commits();
    }

    /** Else a client could fill the heap with cursors that it never fetches from. */
    @Test
    void theQueryOfACursorCounts() {
        String query = ALL + " WHERE id = ?";
        Client one = new Client().begin(READ_ONLY);
        succeeds(one.run("DECLARE first CURSOR FOR " + ALL));
        long bytes = sessions.takenBytes();
        for (int i = 0; i < 30; i++) {
            succeeds(one.run("DECLARE c" + i + " CURSOR FOR " + query, 1L));
        }
        assertThat(sessions.takenBytes()).isGreaterThanOrEqualTo(bytes + 30 * (2L * query.length() + Long.BYTES));
        long full = sessions.takenBytes();
        assertThat(one.run("DECLARE wrong CURSOR FOR SELECT nothing")).isInstanceOf(Failed.class);
        assertThat(sessions.takenBytes()).as("after one that failed").isEqualTo(full);
        for (int i = 0; i < 30; i++) {
            succeeds(one.run("CLOSE c" + i));
        }
        assertThat(sessions.takenBytes()).isEqualTo(bytes);
        one.commits();
    }

    @Test
    void nothingIsReadAheadOfAFetch() {
        Client one = new Client().begin(READ_ONLY);
        one.run("DECLARE c CURSOR FOR " + ALL);
        long bytes = sessions.takenBytes();
        one.run("FETCH 1 c");
        long slices = slices();
        bank.time.advance(LIMITS.idleNanos() / 2);
        assertThat(slices()).isEqualTo(slices);
        assertThat(sessions.takenBytes()).as("and nothing is held").isEqualTo(bytes);
        one.commits();
    }

    private long slices() {
        bank.settle();
        long slices = 0;
        for (int partition = 0; partition < PARTITIONS; partition++) {
            slices +=
                    bank.database.figures().partition(partition).snapshotSlices.get();
        }
        return slices;
    }

    @Test
    void manyCursorsOfOneSnapshotGoOnBesideEachOther() {
        Client one = new Client().begin(READ_ONLY);
        List<List<Long>> found = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            succeeds(one.run("DECLARE c" + i + " CURSOR FOR " + ALL));
            found.add(new ArrayList<>());
        }
        changeEverything();
        for (int round = 0; round < 10; round++) {
            for (int i = 0; i < 5; i++) {
                found.get(i).addAll(ids(one.run("FETCH " + (i + 3) + " FROM c" + i)));
                assertThat(SteppedDatabase.cell(one.run(TOTAL))).isEqualTo(100L * ACCOUNTS);
            }
        }
        one.run("CLOSE c0");
        for (int i = 1; i < 5; i++) {
            found.get(i).addAll(ids(one.run("FETCH ALL c" + i)));
            assertThat(found.get(i)).containsExactlyInAnyOrderElementsOf(everybody());
        }
        one.commits();
    }

    @Test
    void moveSkipsRows() {
        for (String begin : new String[] {READ_ONLY, "BEGIN"}) {
            Client one = new Client().begin(begin);
            one.run("DECLARE c CURSOR FOR " + ALL);
            assertThat(SteppedDatabase.value(one.run("MOVE c"))).isEqualTo(1);
            assertThat(SteppedDatabase.value(one.run("MOVE FORWARD 40 FROM c"))).isEqualTo(40);
            assertThat(ids(one.run("FETCH 10 c"))).hasSize(10);
            assertThat(SteppedDatabase.value(one.run("MOVE ALL IN c"))).isEqualTo(ACCOUNTS - 51);
            assertThat(ids(one.run("FETCH c"))).isEmpty();
            one.commits();
        }
    }

    @Test
    void eachCursorOfReadCommittedReadsTheStateOfItsDeclaration() {
        Client one = new Client().begin("BEGIN ISOLATION LEVEL READ COMMITTED, READ ONLY");
        one.run("DECLARE c CURSOR FOR " + ALL);
        List<Long> found = new ArrayList<>(ids(one.run("FETCH 10 c")));
        bank.sql(ADD, 5L, 3L);
        assertThat(one.read(3)).isEqualTo(105);
        assertThat(readers()).as("the cursor's").isEqualTo(PARTITIONS);
        found.addAll(ids(one.run("FETCH ALL c")));
        assertThat(found).hasSize(ACCOUNTS);
        one.run("CLOSE c");
        assertThat(readers()).isZero();
        one.commits();
    }

    /** Its rows are a result that the client was shown. */
    @Test
    void theResultOfACursorIsKeptInOtherTransactions() {
        Client one = new Client().begin();
        one.changes(SET, 100L, 1L);
        one.run("DECLARE c CURSOR FOR " + ALL);
        assertThat(ids(one.run("FETCH 3 c"))).hasSize(3);
        bank.sql(SET, 7L, 9L);
        assertThat(ids(one.run("FETCH ALL c"))).as("the rows are held").hasSize(ACCOUNTS - 3);
        one.fails(ErrorCode.SERIALIZATION_FAILURE, "COMMIT");
        one.begin();
        one.run("DECLARE c CURSOR FOR " + ALL);
        bank.sql(SET, 7L, 8L);
        one.fails(ErrorCode.SERIALIZATION_FAILURE, READ, 1L);
        one.run("ROLLBACK");
    }

    @Test
    void aCursorShowsTheChangesOfItsTransaction() {
        Client one = new Client().begin();
        one.changes(INSERT, 500L, 100L);
        one.run("DECLARE c CURSOR FOR " + ALL + " ORDER BY 1");
        one.changes(INSERT, 501L, 100L);
        one.run("MOVE 58 c");
        assertThat(ids(one.run("FETCH ALL c"))).containsExactly(58L, 59L, 500L);
        one.commits();
        assertThat(bank.balance(501)).isEqualTo(100);
    }

    private void failsAndSays(Client one, ErrorCode code, String text) {
        assertThat(one.run("DECLARE c CURSOR FOR " + ALL)).isInstanceOfSatisfying(Failed.class, failed -> {
            assertThat(failed.code()).as(failed.message()).isEqualTo(code);
            assertThat(failed.message()).contains(text);
        });
    }

    /** There is memory for the query, and none for the snapshot. */
    @Test
    void aCursorWithoutASnapshotKeepsNoMemory() {
        Client one = new Client().begin(READ_ONLY);
        long free = memory.limitBytes() - memory.underWayBytes() - 5_000;
        memory.takeAlways(free);
        long before = sessions.takenBytes();
        for (int i = 0; i < 3; i++) {
            one.fails(ErrorCode.MEMORY_LIMIT, "DECLARE c CURSOR FOR " + ALL);
            assertThat(sessions.takenBytes()).isEqualTo(before);
        }
        memory.giveBack(free);
        one.run("DECLARE c CURSOR FOR " + ALL);
        one.commits();
    }

    @Test
    void rowsThatAreHeldHaveLimits() {
        Client one = new Client().begin();
        long free =
                memory.limitBytes() - memory.underWayBytes() - 900; // enough for the statement, and not for its rows
        memory.takeAlways(free);
        failsAndSays(one, ErrorCode.MEMORY_LIMIT, "BEGIN READ ONLY");
        one.fails(ErrorCode.UNKNOWN_CURSOR, "FETCH c");
        memory.giveBack(free);
        for (long id = ACCOUNTS; id < 5L * ACCOUNTS; id++) {
            bank.sql(INSERT, id, 100L);
        }
        one.run("ROLLBACK");
        one.begin();
        failsAndSays(one, ErrorCode.RESULT_TOO_LARGE, "BEGIN READ ONLY");
        one.run("ROLLBACK");
        one.begin(READ_ONLY);
        one.run("DECLARE c CURSOR FOR " + ALL);
        int found = 0;
        for (List<Long> part = ids(one.run("FETCH 50 c")); !part.isEmpty(); part = ids(one.run("FETCH 50 c"))) {
            found += part.size();
        }
        assertThat(found).isEqualTo(5 * ACCOUNTS);
        one.fails(ErrorCode.RESULT_TOO_LARGE, "DECLARE d CURSOR FOR " + ALL + " ORDER BY 1");
        one.run("DECLARE e CURSOR FOR " + ALL);
        one.fails(ErrorCode.RESULT_TOO_LARGE, "FETCH ALL e");
        one.fails(ErrorCode.UNKNOWN_CURSOR, "FETCH e");
        one.run("DECLARE e CURSOR FOR " + ALL);
        assertThat(SteppedDatabase.value(one.run("MOVE ALL e")))
                .as("of rows that are skipped there is no limit")
                .isEqualTo(5 * ACCOUNTS);
        one.commits();
    }

    /** The bytes of statements have a limit of their own, which rows of cursors do not take. */
    @Test
    void rowsOfCursorsAreNoStatements() {
        for (long id = ACCOUNTS; id < 2L * ACCOUNTS; id++) {
            bank.sql(INSERT, id, 100L);
        }
        Client one = new Client().begin("BEGIN ISOLATION LEVEL READ COMMITTED");
        long bytes = 0;
        for (int cursor = 0; bytes <= LIMITS.bytes(); cursor++) {
            one.run("DECLARE c" + cursor + " CURSOR FOR " + ALL);
            bytes += ids(one.run("FETCH ALL c" + cursor)).size() * 2L * Long.BYTES;
            assertThat(bytes).isPositive();
        }
        one.run("CLOSE ALL");
        one.commits();
    }

    @Test
    void rowsForWhichThereIsNoMemoryAreFetchedAgain() {
        Client one = new Client().begin();
        one.run("DECLARE c CURSOR FOR " + ALL + " ORDER BY 1");
        one.run("MOVE 2 c");
        for (long id = ACCOUNTS; id < 150; id++) {
            bank.sql(INSERT, id, 100L);
        }
        one.run("ROLLBACK");
        one.begin();
        one.run("DECLARE c CURSOR FOR " + ALL + " ORDER BY 1");
        one.run("MOVE 2 c");
        one.hasMemory = false;
        one.fails(ErrorCode.SERVER_BUSY, "FETCH 140 c");
        one.hasMemory = true;
        assertThat(ids(one.run("FETCH 140 c")))
                .isEqualTo(LongStream.range(2, 142).boxed().toList());
        one.run("ROLLBACK");
    }

    @Test
    void cursorsEndWithTheirTransactionAndWithTheSavepointBefore() {
        for (String begin : new String[] {READ_ONLY, "BEGIN"}) {
            Client one = new Client().begin(begin);
            one.run("DECLARE a CURSOR FOR " + ALL);
            one.run("SAVEPOINT s");
            one.run("DECLARE b CURSOR FOR " + ALL + " ORDER BY 1");
            one.run("DECLARE c CURSOR FOR " + ALL);
            assertThat(ids(one.run("FETCH 3 b"))).containsExactly(0L, 1L, 2L);
            one.run("FETCH 3 a");
            one.run("ROLLBACK TO s");
            one.fails(ErrorCode.UNKNOWN_CURSOR, "FETCH b");
            one.fails(ErrorCode.UNKNOWN_CURSOR, "MOVE c");
            assertThat(ids(one.run("FETCH ALL a"))).hasSize(ACCOUNTS - 3);
            one.run("DECLARE b CURSOR FOR " + ALL);
            assertThat(ids(one.run("FETCH 3 b"))).hasSize(3);
            one.commits();
            one.begin(begin);
            one.fails(ErrorCode.UNKNOWN_CURSOR, "FETCH a");
            one.run("DECLARE a CURSOR FOR " + ALL);
            one.run("ROLLBACK");
            one.fails(ErrorCode.NO_ACTIVE_TRANSACTION, "FETCH a");
            one.begin(begin);
            one.run("DECLARE a CURSOR FOR " + ALL);
            one.leaves();
            assertThat(sessions.takenBytes()).isZero();
        }
    }

    @Test
    void cursorsAreClosed() {
        for (String begin : new String[] {READ_ONLY, "BEGIN"}) {
            Client one = new Client().begin(begin);
            one.run("DECLARE a CURSOR FOR " + ALL);
            long bytes = sessions.takenBytes();
            one.run("DECLARE b CURSOR FOR " + ALL + " ORDER BY 1");
            assertThat(sessions.takenBytes()).isGreaterThan(bytes);
            one.fails(ErrorCode.DUPLICATE_CURSOR, "DECLARE b CURSOR FOR " + ALL);
            succeeds(one.run("CLOSE b"));
            bank.settle();
            if (begin.equals(READ_ONLY)) {
                assertThat(sessions.takenBytes()).isEqualTo(bytes);
            }
            one.fails(ErrorCode.UNKNOWN_CURSOR, "CLOSE b");
            one.fails(ErrorCode.UNKNOWN_CURSOR, "FETCH b");
            one.run("DECLARE b CURSOR FOR " + ALL);
            succeeds(one.run("CLOSE ALL"));
            one.fails(ErrorCode.UNKNOWN_CURSOR, "FETCH a");
            one.fails(ErrorCode.UNKNOWN_CURSOR, "FETCH b");
            succeeds(one.run("CLOSE ALL"));
            one.commits();
        }
    }

    @Test
    void aCursorWhoseSnapshotIsLostFailsForGood() {
        Client one = new Client().begin(READ_ONLY);
        one.run("DECLARE c CURSOR FOR " + ALL);
        one.run("FETCH 5 c");
        bank.change(SteppedDatabase.table("OTHER"));
        one.fails(ErrorCode.SERIALIZATION_FAILURE, "FETCH 5 c");
        one.fails(ErrorCode.FAILED_TRANSACTION, "FETCH 5 c");
        one.run("ROLLBACK");
    }

    @Test
    void thereAreSoManyCursorsOnly() {
        Client one = new Client().begin(READ_ONLY);
        for (int i = 0; i < 100; i++) {
            succeeds(one.run("DECLARE c" + i + " CURSOR FOR " + ALL));
        }
        one.fails(ErrorCode.TOO_MANY_PORTALS, "DECLARE d CURSOR FOR " + ALL);
        one.run("CLOSE c7");
        succeeds(one.run("DECLARE d CURSOR FOR " + ALL));
        one.commits();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "DECLARE c BINARY CURSOR FOR SELECT 1 FROM account",
                "DECLARE c CURSOR WITH HOLD FOR SELECT 1 FROM account",
            })
    void someDeclarationsAreRefused(String sql) {
        Client one = new Client().begin(READ_ONLY);
        one.fails(ErrorCode.NOT_SUPPORTED, sql);
        one.commits();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "FETCH BACKWARD 1 FROM c",
                "FETCH PRIOR c",
                "FETCH FIRST FROM c",
                "FETCH LAST FROM c",
                "FETCH ABSOLUTE 3 FROM c",
                "FETCH RELATIVE 2 FROM c",
                "FETCH -1 FROM c",
                "FETCH FORWARD -1 FROM c",
                "FETCH 0 FROM c",
                "MOVE BACKWARD ALL IN c",
            })
    void aCursorOfASnapshotOnlyGoesForward(String sql) {
        Client one = new Client().begin(READ_ONLY);
        succeeds(one.run("DECLARE c CURSOR FOR " + ALL));
        one.fails(ErrorCode.CURSOR_GOES_FORWARD, sql);
        one.commits();
    }

    @ParameterizedTest
    @ValueSource(strings = {"BEGIN", READ_ONLY})
    void aCursorThatScrollsGoesEverywhere(String begin) {
        Client one = new Client().begin(begin);
        succeeds(one.run("DECLARE c SCROLL CURSOR FOR " + ALL + " ORDER BY 1"));
        assertThat(ids(one.run("FETCH LAST FROM c"))).containsExactly(ACCOUNTS - 1L);
        assertThat(ids(one.run("FETCH BACKWARD 2 FROM c"))).containsExactly(ACCOUNTS - 2L, ACCOUNTS - 3L);
        assertThat(ids(one.run("FETCH ABSOLUTE 11 FROM c"))).containsExactly(10L);
        assertThat(ids(one.run("FETCH RELATIVE -3 FROM c"))).containsExactly(7L);
        assertThat(((Committed) one.run("MOVE BACKWARD ALL IN c")).value()).isEqualTo(7);
        assertThat(ids(one.run("FETCH PRIOR c"))).isEmpty();
        assertThat(ids(one.run("FETCH ALL FROM c"))).isEqualTo(everybody());
        succeeds(one.run("CLOSE c"));
        one.commits();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "DECLARE",
                "DECLARE c",
                "DECLARE CURSOR FOR SELECT 1 FROM account",
                "DECLARE c CURSOR",
                "DECLARE c CURSOR FOR",
                "DECLARE c CURSOR FOR UPDATE account SET balance = 1",
                "DECLARE c LOUD CURSOR FOR SELECT 1 FROM account",
                "DECLARE c CURSOR AT LARGE FOR SELECT 1 FROM account",
                "FETCH",
                "FETCH SOME FROM c",
                "FETCH 1 2 FROM c",
                "MOVE",
                "CLOSE",
                "CLOSE a b",
            })
    void whatIsNotUnderstoodIsRefused(String sql) {
        for (String begin : new String[] {READ_ONLY, "BEGIN"}) {
            Client one = new Client().begin(begin);
            one.fails(ErrorCode.SYNTAX, sql);
            assertThat(one.read(1)).isEqualTo(100);
            one.commits();
        }
    }

    @Test
    void aQueryThatIsRefusedDeclaresNothing() {
        for (String begin : new String[] {READ_ONLY, "BEGIN"}) {
            Client one = new Client().begin(begin);
            one.fails(ErrorCode.SYNTAX, "DECLARE c CURSOR FOR SELECT nothing");
            one.fails(ErrorCode.WRONG_PARAMETERS, "DECLARE c CURSOR FOR " + READ);
            one.fails(ErrorCode.UNKNOWN_CURSOR, "FETCH c");
            succeeds(one.run("DECLARE \"next\" CURSOR FOR " + ALL));
            assertThat(ids(one.run("FETCH 2 \"next\""))).hasSize(2);
            one.commits();
        }
        Client one = new Client().begin(READ_ONLY);
        one.fails(ErrorCode.READ_ONLY_TRANSACTION, "DECLARE c CURSOR FOR " + READ + " FOR UPDATE", 1L);
        one.commits();
    }
}
