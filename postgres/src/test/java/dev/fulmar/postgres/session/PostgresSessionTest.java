package dev.fulmar.postgres.session;

import static dev.fulmar.postgres.session.TalkingClient.bind;
import static dev.fulmar.postgres.session.TalkingClient.describe;
import static dev.fulmar.postgres.session.TalkingClient.execute;
import static dev.fulmar.postgres.session.TalkingClient.parse;
import static dev.fulmar.postgres.session.TalkingClient.sync;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.wire.postgres.message.FrontendMessage;
import dev.fulmar.wire.postgres.message.Target;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The rules of a session, message by message. */
class PostgresSessionTest {
    private static final String BEGIN_IMPLICIT = "BEGIN ISOLATION LEVEL serializable";

    private final FakeDatabase database = new FakeDatabase();
    private final TalkingClient client = new TalkingClient(database);

    // Queries.

    @Test
    void aSingleStatementIsATransactionByItself() {
        database.yields("SELECT id FROM t", 2);

        assertThat(client.asks("SELECT id FROM t;"))
                .containsExactly("columns id:23", "row 1", "row 2", "SELECT 2", "ready I");
        assertThat(database.asked).containsExactly("0: SELECT id FROM t");
    }

    @Test
    void statementsOfOneQueryAreOneTransaction() {
        database.changes("INSERT INTO t VALUES (1)", 1);
        database.changes("DELETE FROM t", 3);

        assertThat(client.asks("INSERT INTO t VALUES (1); DELETE FROM t"))
                .containsExactly("INSERT 0 1", "DELETE 3", "ready I");
        assertThat(database.asked)
                .containsExactly(
                        "1: " + BEGIN_IMPLICIT, "1: INSERT INTO t VALUES (1)", "1: DELETE FROM t", "1: COMMIT");
    }

    @Test
    void anErrorEndsTheQueryAndItsTransaction() {
        database.fails("bad", ErrorCode.SYNTAX);

        assertThat(client.asks("INSERT INTO t VALUES (1); bad; DELETE FROM t"))
                .containsExactly("INSERT", "ERROR 42601", "ready I");
        assertThat(database.asked).endsWith("1: bad", "1: ROLLBACK").doesNotContain("1: DELETE FROM t");
    }

    /** Objects of one DROP may depend on each other, in whatever order they are named. */
    @Test
    void objectsThatAreDroppedTogetherWaitForEachOther() {
        database.failsOnce("DROP TABLE a\n", ErrorCode.DEPENDENT_OBJECTS);

        assertThat(client.asks("DROP TABLE a, b, c")).containsExactly("DROP TABLE", "ready I");
        assertThat(database.asked)
                .containsExactly(
                        "1: " + BEGIN_IMPLICIT,
                        "1: DROP TABLE a\n",
                        "1: DROP TABLE b\n",
                        "1: DROP TABLE c\n",
                        "1: DROP TABLE a\n",
                        "1: COMMIT");
    }

    @Test
    void anObjectThatOthersDependOnIsNotDropped() {
        database.fails("DROP TABLE a\n", ErrorCode.DEPENDENT_OBJECTS);

        assertThat(client.asks("DROP TABLE a, b; SELECT 1")).containsExactly("ERROR 2BP01", "ready I");
        assertThat(database.asked)
                .containsExactly(
                        "1: " + BEGIN_IMPLICIT,
                        "1: DROP TABLE a\n",
                        "1: DROP TABLE b\n",
                        "1: DROP TABLE a\n",
                        "1: ROLLBACK");
    }

    /** Drivers ask for the columns of a cursor as for those of a portal, and fetch from it by the extended protocol. */
    @Test
    void aDeclaredCursorIsDescribed() {
        database.yields("SELECT id FROM t", 1);
        database.yields("FETCH 1 FROM \"C\"", 1);
        client.asks("BEGIN");
        client.asks("DECLARE \"c\" CURSOR FOR SELECT id FROM t");

        assertThat(client.says(describe(Target.PORTAL, "c"), sync())).containsExactly("columns id:23", "ready T");
        assertThat(client.says(
                        parse("", "FETCH 1 FROM \"c\""),
                        bind("", ""),
                        describe(Target.PORTAL, ""),
                        execute("", 0),
                        sync()))
                .containsExactly("ParseComplete", "BindComplete", "columns id:23", "row 1", "FETCH 1", "ready T");
        client.asks("COMMIT");
        assertThat(client.says(describe(Target.PORTAL, "c"), sync())).containsExactly("ERROR 34000", "ready I");
    }

    @Test
    void aStatementByItselfOnlyReadsIfTheSessionDoes() {
        client.asks("SET default_transaction_read_only = on");
        client.asks("INSERT INTO t VALUES (1)");
        client.asks("SET default_transaction_read_only = off");
        client.asks("INSERT INTO t VALUES (2)");

        assertThat(database.asked)
                .containsExactly(
                        "1: " + BEGIN_IMPLICIT + " READ ONLY",
                        "1: INSERT INTO t VALUES (1)",
                        "1: COMMIT",
                        "0: INSERT INTO t VALUES (2)");
    }

    @Test
    void anEmptyQueryIsAnswered() {
        assertThat(client.asks(" ; -- nothing")).containsExactly("EmptyQueryResponse", "ready I");
    }

    @Test
    void aTextThatDoesNotEndIsAnErrorAtItsPlace() {
        assertThat(client.asks("SELECT 1; SELECT 'x")).containsExactly("ERROR 42601 at 18", "ready I");
        assertThat(database.asked).isEmpty();
    }

    // Transactions.

    @Test
    void aTransactionLastsFromBeginToCommit() {
        assertThat(client.asks("BEGIN")).containsExactly("BEGIN", "ready T");
        assertThat(client.asks("DELETE FROM t")).containsExactly("DELETE", "ready T");
        assertThat(client.asks("COMMIT")).containsExactly("COMMIT", "ready I");
        assertThat(database.asked)
                .containsExactly("1: BEGIN ISOLATION LEVEL serializable", "1: DELETE FROM t", "1: COMMIT");
    }

    @Test
    void aFailedTransactionOnlyEnds() {
        database.fails("bad", ErrorCode.UNIQUE_VIOLATION);
        client.asks("BEGIN");

        assertThat(client.asks("bad")).containsExactly("ERROR 23505", "ready E");
        assertThat(client.asks("SELECT 1")).containsExactly("ERROR 25P02", "ready E");
        assertThat(client.asks("COMMIT")).containsExactly("ROLLBACK", "ready I");
        assertThat(database.asked).endsWith("1: bad", "1: ROLLBACK");
    }

    @Test
    void rollbackToASavepointRecovers() {
        database.fails("bad", ErrorCode.UNIQUE_VIOLATION);
        client.asks("BEGIN; SAVEPOINT a");
        client.asks("bad");

        assertThat(client.asks("ROLLBACK TO SAVEPOINT a")).containsExactly("ROLLBACK", "ready T");
        assertThat(client.asks("COMMIT")).containsExactly("COMMIT", "ready I");
    }

    @Test
    void aCommitThatFailsEndsTheTransaction() {
        database.fails("COMMIT", ErrorCode.SERIALIZATION_FAILURE);
        client.asks("BEGIN");

        assertThat(client.asks("COMMIT")).containsExactly("ERROR 40001", "ready I");
        assertThat(database.asked).endsWith("1: COMMIT", "1: ROLLBACK");
        assertThat(client.asks("SELECT 1")).containsExactly("SELECT", "ready I");
    }

    /** A client that is told 08006 takes its connection for lost. */
    @Test
    void aCommitThatWasNotExecutedIsToRunAgain() {
        database.fails("COMMIT", ErrorCode.NOT_CONNECTED);
        client.asks("BEGIN");

        assertThat(client.asks("COMMIT")).containsExactly("ERROR 40001", "ready I");
        assertThat(database.asked).endsWith("1: COMMIT", "1: ROLLBACK");
    }

    @Test
    void beginAndCommitOutOfPlaceAreWarnedOf() {
        assertThat(client.asks("COMMIT")).containsExactly("WARNING 25P01", "COMMIT", "ready I");
        client.asks("BEGIN");
        assertThat(client.asks("BEGIN")).containsExactly("WARNING 25001", "BEGIN", "ready T");
    }

    @Test
    void anotherTransactionOfTheSameModesFollows() {
        client.asks("BEGIN ISOLATION LEVEL REPEATABLE READ, READ WRITE, DEFERRABLE");
        assertThat(client.asks("COMMIT AND CHAIN")).containsExactly("COMMIT", "ready T");
        assertThat(database.asked).endsWith("1: COMMIT", "2: BEGIN ISOLATION LEVEL SNAPSHOT READ WRITE DEFERRABLE");
        assertThat(client.asks("SHOW transaction_deferrable")).contains("row on");
        assertThat(client.asks("ROLLBACK WORK AND CHAIN")).containsExactly("ROLLBACK", "ready T");
        assertThat(client.asks("COMMIT AND NO CHAIN")).containsExactly("COMMIT", "ready I");
    }

    @Test
    void aFailedTransactionIsRolledBackBeforeTheNextOne() {
        database.fails("bad", ErrorCode.SYNTAX);
        client.asks("BEGIN READ ONLY");
        client.asks("bad");
        assertThat(client.asks("COMMIT AND CHAIN")).containsExactly("ROLLBACK", "ready T");
        assertThat(client.asks("SHOW transaction_read_only")).contains("row on");
        assertThat(database.asked).contains("1: ROLLBACK").doesNotContain("1: COMMIT");
    }

    @Test
    void chainsAreForTransactionsOfTheClient() {
        assertThat(client.asks("COMMIT AND CHAIN")).containsExactly("ERROR 25P01", "ready I");
        assertThat(client.asks("DELETE FROM t; ROLLBACK AND CHAIN")).endsWith("ERROR 25P01", "ready I");
    }

    @Test
    void beginInAQueryMakesItsTransactionTheClients() {
        assertThat(client.asks("DELETE FROM t; BEGIN; DELETE FROM s"))
                .containsExactly("DELETE", "BEGIN", "DELETE", "ready T");
        assertThat(database.asked).doesNotContain("1: COMMIT");
    }

    @Test
    void aTransactionThatHasBegunTakesNoMode() {
        assertThat(client.asks("DELETE FROM t; BEGIN READ ONLY; DELETE FROM s"))
                .containsExactly("DELETE", "ERROR 25001", "ready I");
    }

    // Extended queries.

    @Test
    void aStatementIsPreparedDescribedAndExecuted() {
        database.changes("UPDATE t SET a = ? WHERE id = ?", 1, ColumnType.varchar(10), ColumnType.of(TypeKind.INTEGER));

        assertThat(client.says(
                        parse("s", "UPDATE t SET a = $2 WHERE id = $1"), describe(Target.STATEMENT, "s"), sync()))
                .containsExactly("ParseComplete", "parameters [23, 1043]", "NoData", "ready I");
        assertThat(client.says(bind("", "s", "7", "x"), execute("", 0), sync()))
                .containsExactly("BindComplete", "UPDATE 1", "ready I");
        assertThat(database.asked).containsExactly("0: UPDATE t SET a = ? WHERE id = ?");
    }

    @Test
    void statementsBeforeASyncAreOneTransaction() {
        database.changes("DELETE FROM t", 2);

        assertThat(client.says(
                        parse("", "DELETE FROM t"), bind("", ""), execute("", 0), bind("", ""), execute("", 0), sync()))
                .containsExactly("ParseComplete", "BindComplete", "DELETE 2", "BindComplete", "DELETE 2", "ready I");
        assertThat(database.asked)
                .containsExactly("1: " + BEGIN_IMPLICIT, "1: DELETE FROM t", "1: DELETE FROM t", "1: COMMIT");
    }

    @Test
    void anErrorSkipsEverythingToTheSync() {
        database.changes("DELETE FROM t", 2);
        database.fails("DELETE FROM t", ErrorCode.FOREIGN_KEY_VIOLATION);

        assertThat(client.says(
                        parse("", "DELETE FROM t"),
                        bind("", ""),
                        execute("", 0),
                        bind("", ""),
                        execute("", 0),
                        parse("x", "bad"),
                        sync(),
                        parse("", ""),
                        sync()))
                .containsExactly("ParseComplete", "BindComplete", "ERROR 23503", "ready I", "ParseComplete", "ready I");
        assertThat(database.asked).endsWith("1: ROLLBACK");
    }

    @Test
    void aCommitThatFailsAtTheSyncIsTold() {
        database.changes("DELETE FROM t", 2);
        database.fails("COMMIT", ErrorCode.SERIALIZATION_FAILURE);

        assertThat(client.says(
                        parse("", "DELETE FROM t"), bind("", ""), execute("", 0), bind("", ""), execute("", 0), sync()))
                .endsWith("DELETE 2", "ERROR 40001", "ready I");
    }

    @Test
    void rowsComeInPartsOfTheClientsSize() {
        database.yields("SELECT id FROM t", 3);
        client.asks("BEGIN");
        client.says(parse("", "SELECT id FROM t"), bind("p", ""), sync());

        assertThat(client.says(execute("p", 2), sync()))
                .containsExactly("row 1", "row 2", "PortalSuspended", "ready T");
        assertThat(client.says(execute("p", 2), sync())).containsExactly("row 3", "SELECT 1", "ready T");
        assertThat(client.asks("COMMIT")).containsExactly("COMMIT", "ready I");
        assertThat(client.says(execute("p", 2), sync())).containsExactly("ERROR 34000", "ready I");
    }

    @Test
    void aResultHoldsItsMemoryUntilItIsSentOrClosed() {
        database.yields("SELECT id FROM t", 3);
        database.yields("SELECT id FROM s", 3);
        client.asks("BEGIN");
        client.says(
                parse("", "SELECT id FROM t"), bind("p", ""), execute("p", 2), bind("q", ""), execute("q", 1), sync());
        long two = database.budget.underWayBytes();
        client.asks("SELECT id FROM s");

        assertThat(database.budget.underWayBytes()).isEqualTo(two).isPositive();
        client.says(execute("p", 2), sync());
        assertThat(database.budget.underWayBytes()).isEqualTo(two / 2);
        client.asks("COMMIT");
        assertThat(database.budget.underWayBytes()).isZero();
    }

    @Test
    void memoryForRowsThatAreNoPartOfTheAnswerIsGivenBack() {
        String sql = "INSERT INTO t SELECT id FROM s";
        database.changes(sql, 3);
        database.whenAsked.put(sql, sink -> sink.reserve(new TransactionRequest.Call(0, 0, 0, "", new byte[0]), 9_000));

        assertThat(client.asks(sql)).containsExactly("INSERT 0 3", "ready I");
        assertThat(database.budget.underWayBytes()).isZero();
    }

    @Test
    void longTextsAndParametersHoldMemoryWhileTheyAreKept() {
        String sql = "UPDATE t SET a = ?" + " ".repeat(10_000) + "WHERE b = 1";
        database.changes("UPDATE t SET a = ? WHERE b = 1", 1, ColumnType.varchar(100_000));
        client.asks("BEGIN");
        client.says(parse("s", sql.replace("?", "$1")), bind("p", "s", "x".repeat(50_000)), sync());

        assertThat(database.budget.underWayBytes()).isGreaterThan(90_000);
        client.asks("COMMIT");
        client.asks("DEALLOCATE s");
        assertThat(database.budget.underWayBytes()).isZero();
    }

    @Test
    void aClientThatIsGoneHoldsNothing() {
        database.yields("SELECT id FROM t", 3);
        client.asks("BEGIN");
        client.says(parse("", "SELECT id FROM t"), bind("p", ""), execute("p", 2), sync());
        database.holdsAnswers = true;
        client.says(bind("q", ""), execute("q", 1), sync());

        client.session().leave();
        database.answer();
        client.answers();
        assertThat(database.budget.underWayBytes()).isZero();
    }

    @Test
    void anErrorInAPreparedTextIsAtItsPlace() {
        assertThat(client.says(parse("", "SELECT  nothing"), sync())).containsExactly("ERROR 42P01 at 1", "ready I");
    }

    @Test
    void namesOfStatementsAreTakenOnce() {
        database.yields("SELECT id FROM t", 1);
        client.says(parse("s", "SELECT id FROM t"), sync());

        assertThat(client.says(parse("s", "SELECT id FROM t"), sync())).containsExactly("ERROR 42P05", "ready I");
        assertThat(client.says(bind("", "none"), sync())).containsExactly("ERROR 26000", "ready I");
        assertThat(client.asks("DEALLOCATE s")).containsExactly("DEALLOCATE", "ready I");
        assertThat(client.says(bind("", "s"), sync())).containsExactly("ERROR 26000", "ready I");
    }

    @Test
    void aPlanWhoseColumnsHaveChangedIsRefused() {
        database.yields("SELECT * FROM t", 1);
        client.says(parse("s", "SELECT * FROM t"), sync());
        database.catalogVersion = 2;
        database.changes("SELECT * FROM t", 1);

        assertThat(client.says(bind("", "s"), execute("", 0), sync())).containsExactly("ERROR 0A000", "ready I");
        assertThat(database.asked).isEmpty();
    }

    @Test
    void aStatementIsDescribedBehindTheTransactionsChangesOfTables() {
        database.yields("SELECT id FROM t", 1);
        client.asks("BEGIN");
        client.asks("CREATE TABLE t (id INT)");
        client.asks("SAVEPOINT s");
        client.asks("DROP TABLE u");
        client.asks("ROLLBACK TO s");
        client.says(parse("p", "SELECT id FROM t"), bind("", "p"), sync());
        client.asks("COMMIT");
        client.says(bind("", "p"), sync());

        List<String> changes = List.of("CREATE TABLE t (id INT)");
        assertThat(database.describedBehind).containsExactly(changes, changes);
    }

    @Test
    void severalStatementsCannotBePreparedAtOnce() {
        assertThat(client.says(parse("", "SELECT 1; SELECT 2"), sync())).containsExactly("ERROR 42601", "ready I");
    }

    // Settings.

    @Test
    void settingsAreSetShownAndTakenBack() {
        assertThat(client.asks("SET application_name TO 'x y'"))
                .containsExactly("application_name=x y", "SET", "ready I");
        assertThat(client.asks("SHOW application_name"))
                .containsExactly("columns application_name:25", "row x y", "SHOW", "ready I");
        client.asks("BEGIN; SET application_name = z");
        assertThat(client.asks("ROLLBACK")).containsExactly("application_name=x y", "ROLLBACK", "ready I");
        assertThat(client.asks("SET client_encoding = 'LATIN1'")).containsExactly("ERROR 0A000", "ready I");
        assertThat(client.asks("SET nothing = 1")).containsExactly("ERROR 42704", "ready I");
        assertThat(client.asks("RESET ALL")).containsExactly("application_name=", "RESET", "ready I");
    }

    @Test
    void aModeMayHaveAnyBlanks() {
        client.asks("SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY");
        client.asks("BEGIN ISOLATION\nLEVEL SERIALIZABLE, READ\nWRITE");

        assertThat(database.asked).containsExactly("1: BEGIN ISOLATION\nLEVEL SERIALIZABLE, READ\nWRITE");
    }

    /** It would not be one of a transaction that only reads. */
    @Test
    void aLargeResultWhoseRowsAreLockedIsRefused() {
        String query = "SELECT id FROM t FOR\nUPDATE";
        database.fails(query, ErrorCode.RESULT_TOO_LARGE);
        client.asks("BEGIN");

        assertThat(client.asks(query)).containsExactly("ERROR 54000", "ready E");
        assertThat(database.asked).noneMatch(sql -> sql.contains("READ ONLY"));
    }

    @Test
    void aLargeResultIsRefusedWhereChangesAreMeant() {
        database.fails("SELECT id FROM t", ErrorCode.RESULT_TOO_LARGE);
        client.asks("BEGIN READ\nWRITE");

        assertThat(client.asks("SELECT id FROM t")).containsExactly("ERROR 54000", "ready E");
        assertThat(database.asked).noneMatch(sql -> sql.contains("READ ONLY"));
    }

    @Test
    void theLevelOfTransactionsCanBeChosen() {
        client.asks("SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL READ COMMITTED, READ ONLY");
        client.asks("BEGIN");
        client.asks("COMMIT; BEGIN ISOLATION LEVEL REPEATABLE READ READ WRITE");

        assertThat(database.asked)
                .contains(
                        "1: BEGIN ISOLATION LEVEL read committed READ ONLY",
                        "2: BEGIN ISOLATION LEVEL REPEATABLE READ READ WRITE");
    }

    // Ends and delays.

    @Test
    void messagesWaitForTheirTurn() {
        database.holdsAnswers = true;

        assertThat(client.says(new FrontendMessage.Query("DELETE FROM t"), new FrontendMessage.Query("DELETE FROM s")))
                .isEmpty();
        assertThat(database.asked).hasSize(1);
        client.session().cancel();
        assertThat(database.cancelled).hasSize(1);
        database.answer();
        assertThat(client.answers()).containsExactly("DELETE", "ready I");
        assertThat(database.asked).hasSize(2);
    }

    @Test
    void rowsWaitUntilTheClientTakesThem() {
        database.yields("SELECT id FROM t", 1_000);
        database.holdsAnswers = true;
        client.asks("SELECT id FROM t");
        client.isFull = true;
        database.answer();

        assertThat(client.answers()).containsExactly("columns id:23");
        client.isFull = false;
        client.session().writable();
        assertThat(client.answers()).hasSize(1_002).endsWith("row 1000", "SELECT 1000", "ready I");
    }

    @Test
    void aSessionThatIsStoppedEndsBetweenTwoStatements() {
        database.holdsAnswers = true;
        client.asks("DELETE FROM t");
        client.session().stop(new FulmarException(ErrorCode.NODE_STOPPING, "it stops"));
        assertThat(client.isClosed).isFalse();

        database.answer();
        assertThat(client.answers()).containsExactly("DELETE", "ready I", "FATAL 57P01");
        assertThat(client.isClosed).isTrue();
    }

    @Test
    void anAnswerThatComesTooLateIsDropped() {
        database.yields("SELECT id FROM t", 3);
        database.holdsAnswers = true;
        client.asks("SELECT id FROM t");
        client.session().leave();

        database.answer();
        assertThat(client.answers()).isEmpty();
    }

    @Test
    void manyErrorsDoNotNest() {
        database.holdsAnswers = true;
        client.asks("DELETE FROM t");
        for (int i = 0; i < 20_000; i++) {
            client.session().take(new FrontendMessage.Query("'"));
        }
        database.answer();

        assertThat(client.answers()).hasSize(2 + 2 * 20_000).endsWith("ERROR 42601 at 1", "ready I");
    }

    @Test
    void messagesWaitWhileTheClientTakesNothing() {
        client.isFull = true;
        assertThat(client.asks("SHOW ALL")).isEmpty();

        client.isFull = false;
        client.session().writable();
        assertThat(client.answers()).endsWith("SHOW", "ready I");
    }

    @Test
    void argumentsDoNotMultiplyATextWithoutEnd() {
        client.says(new FrontendMessage.Parse("p", "DISCARD " + "$1 ".repeat(40_000), List.of(25)), sync());

        assertThat(client.asks("EXECUTE p('" + "x".repeat(25_000) + "')")).containsExactly("ERROR 54001", "ready I");
    }

    @Test
    void aClientThatSaysGoodbyeIsLetGo() {
        assertThat(client.says(new FrontendMessage.Terminate())).isEmpty();
        assertThat(client.isClosed).isTrue();
    }
}
