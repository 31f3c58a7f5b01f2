package dev.fulmar.postgres.session;

import static dev.fulmar.postgres.session.TalkingClient.bind;
import static dev.fulmar.postgres.session.TalkingClient.data;
import static dev.fulmar.postgres.session.TalkingClient.execute;
import static dev.fulmar.postgres.session.TalkingClient.parse;
import static dev.fulmar.postgres.session.TalkingClient.sync;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.coordinator.portal.PortalRouter;
import dev.fulmar.coordinator.request.ResponseSink;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.coordinator.request.TransactionResponse.Failed;
import dev.fulmar.coordinator.request.TransactionResponse.Kind;
import dev.fulmar.coordinator.session.SessionLimits;
import dev.fulmar.coordinator.statement.StatementDescription;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.ResultColumn;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.wire.postgres.message.Diagnostic;
import dev.fulmar.wire.postgres.message.FrontendMessage;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** COPY in a session, message by message. */
class CopySessionTest {
    private static final String INSERT = "INSERT INTO t (\"A\",\"B\") OVERRIDING SYSTEM VALUE VALUES (?,?)";
    private static final String TWO = INSERT + ",(?,?)";

    private final FakeDatabase database = new FakeDatabase();
    private TalkingClient client = new TalkingClient(database);

    @BeforeEach
    void table() {
        ColumnType number = ColumnType.of(TypeKind.INTEGER);
        ColumnType text = ColumnType.varchar(10);
        List<ResultColumn> columns = List.of(new ResultColumn("A", number, false), new ResultColumn("B", text, true));
        database.descriptions.put("SELECT \"#WRITTEN\" FROM t", new StatementDescription(columns, List.of(), true, 1));
        database.descriptions.put(INSERT, new StatementDescription(List.of(), List.of(number, text), false, 1));
    }

    @AfterEach
    void givesMemoryBack() {
        client.session().leave();
        assertThat(database.budget.underWayBytes()).isZero();
    }

    private static FrontendMessage done() {
        return new FrontendMessage.CopyDone();
    }

    private Diagnostic error() {
        return Objects.requireNonNull(client.error);
    }

    /** The answers of the session while the database answers so often. */
    private List<String> answers(int times) {
        List<String> all = new ArrayList<>();
        for (int i = 0; i < times; i++) {
            database.answer();
            all.addAll(client.answers());
        }
        return all;
    }

    // Into a table.

    @Test
    void rowsAreStoredWhenAllAreThere() {
        assertThat(client.asks("COPY t FROM STDIN")).containsExactly("copy in TEXT 2");
        assertThat(client.says(data("1\tx\n2"), data("\t\\N\n"))).isEmpty();
        assertThat(database.asked).isEmpty();
        assertThat(client.says(done())).containsExactly("COPY 2", "ready I");
        assertThat(database.asked).containsExactly("together: " + TWO);
    }

    @Test
    void rowsOfSeveralStatementsAreOneTransaction() {
        client.asks("COPY t (a, b) FROM STDIN (FORMAT csv)");

        assertThat(client.says(data("1,x\n2,y\n3,z\n"), done())).containsExactly("COPY 3", "ready I");
        assertThat(database.asked).containsExactly("together: " + TWO, "together: " + INSERT);
    }

    @Test
    void noRowsAskForNothing() {
        client.asks("COPY t FROM STDIN");

        assertThat(client.says(done())).containsExactly("COPY 0", "ready I");
        assertThat(database.asked).isEmpty();
    }

    @Test
    void aStatementThatFailsTakesAllRowsWithIt() {
        database.fails(INSERT, ErrorCode.UNIQUE_VIOLATION);
        client.asks("COPY t FROM STDIN");

        assertThat(client.says(data("1\tx\n2\ty\n3\tz\n"), done())).containsExactly("ERROR 23505", "ready I");
        assertThat(database.asked)
                .as("run once, and again to know which row it is")
                .containsExactly(
                        "together: " + TWO,
                        "together: " + INSERT,
                        "1: BEGIN",
                        "1: " + TWO,
                        "1: " + INSERT,
                        "1: ROLLBACK");
        assertThat(error().where()).isEqualTo("COPY t, line 3");
    }

    @Test
    void theRowOfAStatementIsToldAsALine() {
        database.answers.put(TWO, new Failed(ErrorCode.UNIQUE_VIOLATION, "row 2: the key is there; choose another"));
        client.asks("COPY t FROM STDIN");

        assertThat(client.says(data("1\tx\n2\ty\n"), done())).containsExactly("ERROR 23505", "ready I");
        assertThat(error().message()).isEqualTo("the key is there");
        assertThat(error().where()).isEqualTo("COPY t, line 2");
    }

    /** A second run has other limits: what it says of them is no answer to the client's data. */
    @Test
    void aLimitOfTheSecondRunIsNotTold() {
        database.fails(INSERT, ErrorCode.UNIQUE_VIOLATION);
        database.holdsAnswers = true;
        client.asks("COPY t FROM STDIN");
        client.says(data("1\tx\n2\ty\n3\tz\n"), done());
        database.fails(INSERT, ErrorCode.TRANSACTION_TOO_LARGE);
        assertThat(answers(4)) // of the first run, of BEGIN, of the statements and of ROLLBACK
                .containsExactly("ERROR 23505", "ready I");
    }

    @Test
    void aCopyThatIsCancelledDoesNotRunAgain() {
        for (ErrorCode code : List.of(
                ErrorCode.CANCELLED,
                ErrorCode.PROCEDURE_TIME_BUDGET,
                ErrorCode.MEMORY_LIMIT,
                ErrorCode.UNDO_LIMIT,
                ErrorCode.DISK_FULL)) {
            database.asked.clear();
            database.fails(TWO, code);
            client.asks("COPY t FROM STDIN");

            assertThat(client.says(data("1\tx\n2\ty\n3\tz\n"), done()))
                    .endsWith("ready I")
                    .hasSize(2);
            assertThat(database.asked).as(code.name()).containsExactly("together: " + TWO, "together: " + INSERT);
        }
    }

    /** The cancel comes when the statements have failed for something else, or while they run again. */
    @Test
    void aCancelEndsTheSecondRun() {
        for (int answers = 0; answers < 3; answers++) {
            database.asked.clear();
            database.cancelled.clear();
            database.answers.clear();
            database.fails(INSERT, ErrorCode.UNIQUE_VIOLATION);
            database.holdsAnswers = true;
            client.asks("COPY t FROM STDIN");
            client.says(data("1\tx\n2\ty\n3\tz\n"), done());
            database.answers.clear(); // the second run would succeed
            answers(answers);
            client.session().cancel();
            assertThat(database.cancelled).isNotEmpty();
            assertThat(answers(3)).hasSize(2).endsWith("ready I");
            assertThat(database.asked)
                    .as("answers before the cancel: " + answers)
                    .noneMatch(sql -> sql.endsWith("COMMIT"));
        }
    }

    @Test
    void aCancelIsOfOneCopy() {
        database.fails(INSERT, ErrorCode.UNIQUE_VIOLATION);
        database.holdsAnswers = true;
        client.asks("COPY t FROM STDIN");
        client.says(data("1\tx\n2\ty\n3\tz\n"), done());
        client.session().cancel();
        assertThat(answers(1)).hasSize(2).endsWith("ready I");
        database.holdsAnswers = false;
        client.asks("COPY t FROM STDIN");
        client.says(data("1\tx\n2\ty\n3\tz\n"), done());
        assertThat(database.asked).as("run again").endsWith("1: " + INSERT, "1: ROLLBACK");
    }

    /** It may have committed, so it does not run again. */
    @Test
    void anOutcomeThatIsNotKnownIsTold() {
        database.fails(TWO, ErrorCode.TIMEOUT);
        client.asks("COPY t FROM STDIN");

        assertThat(client.says(data("1\tx\n2\ty\n3\tz\n"), done())).containsExactly("ERROR 57014", "ready I");
        assertThat(database.asked).containsExactly("together: " + TWO, "together: " + INSERT);
    }

    @Test
    void aBadValueIsToldWithItsPlaceAndTheRestIsIgnored() {
        client.asks("COPY t FROM STDIN");

        assertThat(client.says(data("1\tx\nz\ty\n"), data("3\tz\n"), done())).containsExactly("ERROR 22P02", "ready I");
        assertThat(error().where()).isEqualTo("COPY t, line 2, column a: \"z\"");
        assertThat(error().message()).isEqualTo("invalid input syntax for type integer: \"z\"");
        assertThat(client.asks("SELECT 1")).containsExactly("SELECT", "ready I");
        assertThat(database.asked).containsExactly("0: SELECT 1");
    }

    @Test
    void aClientGivesUp() {
        client.asks("COPY t FROM STDIN");

        assertThat(client.says(data("1\tx\n"), new FrontendMessage.CopyFail("no more")))
                .containsExactly("ERROR 57014", "ready I");
        assertThat(error().message()).isEqualTo("COPY from stdin failed: no more");
        assertThat(database.asked).isEmpty();
    }

    @Test
    void aCancelEndsTheWaitForData() {
        client.asks("COPY t FROM STDIN");
        client.says(data("1\tx\n"));
        client.session().cancel();

        assertThat(client.answers()).containsExactly("ERROR 57014", "ready I");
    }

    @Test
    void aClientThatLeavesWhileRowsAreStoredKeepsNoMemory() {
        database.holdsAnswers = true;
        client.asks("COPY t FROM STDIN");
        client.says(data("1\tx\n"), done());
        assertThat(database.budget.underWayBytes()).isPositive();
        client.session().leave();
        assertThat(database.budget.underWayBytes()).isZero();

        database.answer();
        assertThat(client.answers()).isEmpty();
    }

    @Test
    void anotherMessageEndsTheCopy() {
        client.asks("COPY t FROM STDIN");

        assertThat(client.asks("SELECT 1")).containsExactly("ERROR 08P01", "ready I");
        assertThat(database.asked).isEmpty();
    }

    @Test
    void aSessionThatIsStoppedDoesNotWaitForData() {
        client.asks("COPY t FROM STDIN");
        client.session().stop(new FulmarException(ErrorCode.NODE_STOPPING, "it stops"));

        assertThat(client.answers()).containsExactly("FATAL 57P01");
        assertThat(client.isClosed).isTrue();
    }

    @Test
    void rowsBelongToTheClientsTransaction() {
        client.asks("BEGIN");
        client.asks("SET fulmar.copy_batch = 1");
        client.asks("COPY t FROM STDIN");

        assertThat(client.says(data("1\tx\n2\ty\n3\tz\n"), done())).containsExactly("COPY 3", "ready T");
        assertThat(database.asked).endsWith("1: " + TWO, "1: " + INSERT);
        client.asks("COPY t FROM STDIN");
        assertThat(client.says(data("x\ty\n"), done())).containsExactly("ERROR 22P02", "ready E");
    }

    @Test
    void statementsBehindACopyWaitForItsData() {
        assertThat(client.asks("COPY t FROM STDIN; DELETE FROM t")).containsExactly("copy in TEXT 2");
        assertThat(client.says(data("1\tx\n"), done())).containsExactly("COPY 1", "DELETE", "ready I");
        assertThat(database.asked).endsWith("1: " + INSERT, "1: DELETE FROM t", "1: COMMIT");
    }

    @Test
    void statementsBehindACopyThatFailsAreNotExecuted() {
        client.asks("COPY t FROM STDIN; DELETE FROM t");

        assertThat(client.says(data("x\tx\n"), done())).containsExactly("ERROR 22P02", "ready I");
        assertThat(database.asked).endsWith("1: ROLLBACK");
    }

    @Test
    void aCopyCanBePrepared() {
        assertThat(client.says(parse("", "COPY t FROM STDIN"), bind("", ""), execute("", 0), sync()))
                .containsExactly("ParseComplete", "BindComplete", "copy in TEXT 2");
        assertThat(client.says(data("1\tx\n"), done(), sync())).containsExactly("COPY 1", "ready I");
        assertThat(database.asked).containsExactly("together: " + INSERT);
    }

    @Test
    void aPreparedCopyThatFailsIsOverAtTheNextSync() {
        client.says(parse("", "COPY t FROM STDIN"), bind("", ""), execute("", 0), sync());

        assertThat(client.says(data("x\tx\n"))).containsExactly("ERROR 22P02");
        assertThat(client.says(data("1\tx\n"), done(), sync())).containsExactly("ready I");
    }

    @Test
    void aTableThatIsNotThereIsToldAtOnce() {
        assertThat(client.asks("COPY s FROM STDIN")).containsExactly("ERROR 42P01", "ready I");
        assertThat(client.says(data("1\tx\n"), done())).isEmpty();
    }

    @Test
    void filesOfTheServerAreOutOfReach() {
        assertThat(client.asks("COPY t FROM '/etc/passwd'")).containsExactly("ERROR 42501 at 13", "ready I");
        assertThat(client.asks("COPY t TO PROGRAM 'rm'")).containsExactly("ERROR 42501 at 11", "ready I");
    }

    @Test
    void moreThanATransactionTakesIsRefusedWithoutATrace() {
        database.limits = new SessionLimits(10, 10_000, 1, 1, 0);
        client = new TalkingClient(database);
        client.asks("COPY t FROM STDIN");

        String rows = String.join("", Collections.nCopies(1_000, "1\tabc\n"));
        assertThat(client.says(data(rows), done())).containsExactly("ERROR 54F07", "ready I");
        assertThat(error().hint()).contains("fulmar.copy_batch");
        assertThat(database.asked).isEmpty();
    }

    // In batches.

    @Test
    void batchesAreCommittedWhileDataCome() {
        client.asks("SET fulmar.copy_batch = 2");
        client.asks("COPY t FROM STDIN");

        client.says(data("1\tx\n2\ty\n3\tz\n"));
        assertThat(database.asked).containsExactly("together: " + TWO);
        assertThat(client.says(done())).containsExactly("COPY 3", "ready I");
        assertThat(database.asked).containsExactly("together: " + TWO, "together: " + INSERT);
    }

    @Test
    void anErrorNamesTheLastRowThatIsCommitted() {
        client.asks("SET fulmar.copy_batch = 2");
        client.asks("COPY t FROM STDIN (HEADER)");

        assertThat(client.says(data("a\tb\n1\tx\n2\ty\n3\tz\nx\tx\n"))).containsExactly("ERROR 22P02", "ready I");
        assertThat(error().hint()).endsWith("the first 2 rows are committed, the last of them is of line 3.");
        assertThat(error().where()).isEqualTo("COPY t, line 5, column a: \"x\"");
    }

    @Test
    void batchesBehindOneThatFailsAreNotStored() {
        client.asks("SET fulmar.copy_batch = 2");
        database.holdsAnswers = true;
        client.asks("COPY t FROM STDIN");
        client.says(data("1\tx\n2\ty\n3\tz\n4\tz\n5\tz\n6\tz\n"), data("7\tz\n8\tz\n"));
        assertThat(database.asked).hasSize(1);
        database.fails(TWO, ErrorCode.UNIQUE_VIOLATION);

        database.answer(); // of the first batch, asked before
        assertThat(client.answers()).isEmpty();
        assertThat(database.asked).hasSize(2);
        database.answer();
        assertThat(client.answers()).containsExactly("ERROR 23505", "ready I");
        assertThat(database.asked).hasSize(2);
        assertThat(error().where()).isEqualTo("COPY t, lines 3 to 4");
        assertThat(error().hint()).endsWith("the first 2 rows are committed, the last of them is of line 2.");
    }

    // Batches behind others that are not durable yet.

    private void copyInBatchesOfThree() {
        database.holdsAnswers = true;
        database.tellsOfChanges = true;
        client.asks("SET fulmar.copy_batch = 3");
        client.asks("COPY t FROM STDIN");
    }

    private static FrontendMessage rows(int from, int to) {
        return data(
                IntStream.rangeClosed(from, to).mapToObj(row -> row + "\tx\n").collect(Collectors.joining()));
    }

    @Test
    void batchesDoNotWaitUntilTheOneBeforeIsDurable() {
        copyInBatchesOfThree();
        client.says(rows(1, 9));
        assertThat(database.asked).as("a third one is too many").hasSize(4);

        database.answerFirst(null);
        assertThat(client.says(done())).isEmpty();
        assertThat(database.asked).hasSize(6);
        database.answerFirst(null);
        assertThat(client.answers()).as("the last one is not durable").isEmpty();
        database.answerFirst(null);
        assertThat(client.answers()).containsExactly("COPY 9", "ready I");
    }

    @Test
    void aBatchThatFailsLetsThoseBeforeItBecomeDurable() {
        copyInBatchesOfThree();
        client.says(rows(1, 3));
        database.fails(TWO, ErrorCode.CHECK_VIOLATION);
        client.says(rows(4, 6));
        database.answer(); // and the second batch runs again
        assertThat(client.answers()).isEmpty();
        assertThat(answers(3)).containsExactly("ERROR 23514", "ready I");
        assertThat(error().hint()).endsWith("the first 3 rows are committed, the last of them is of line 3.");
    }

    /** The node loses its log: rows behind what is lost are lost too, whatever is said of them. */
    @Test
    void noRowsAreToldBehindABatchThatIsLost() {
        copyInBatchesOfThree();
        client.says(rows(1, 9));
        database.answerFirst(null);
        database.answerFirst(new Failed(ErrorCode.DISK_FULL, "the log is lost"));
        assertThat(client.answers()).as("the third one is under way").isEmpty();
        database.answerFirst(null);
        assertThat(client.answers()).containsExactly("ERROR 53100", "ready I");
        assertThat(error().hint()).endsWith("The first 3 rows are committed, the last of them is of line 3.");
    }

    /** A refusal passes by the gate: it comes before the answer of what is durable a moment later. */
    @Test
    void rowsBeforeABatchThatIsRefusedAreTold() {
        copyInBatchesOfThree();
        client.says(rows(1, 3));
        database.fails(TWO, ErrorCode.DISK_FULL);
        client.says(rows(4, 6));
        database.answerLast(null);
        assertThat(client.answers()).as("the first one is under way").isEmpty();
        database.answerFirst(null);
        assertThat(client.answers()).containsExactly("ERROR 53100", "ready I");
        assertThat(error().hint()).endsWith("the first 3 rows are committed, the last of them is of line 3.");
    }

    @Test
    void theFailureOfTheFirstBatchIsToldThoughItComesLater() {
        copyInBatchesOfThree();
        client.says(rows(1, 3));
        database.fails(TWO, ErrorCode.NODE_STOPPING);
        client.says(rows(4, 6));
        database.answerLast(null);
        database.answerFirst(new Failed(ErrorCode.OUTCOME_UNKNOWN, "the log is lost"));
        assertThat(client.answers()).containsExactly("ERROR 08007", "ready I");
    }

    @Test
    void aCancelKeepsBatchesThatHaveNotBegunFromBeingStored() {
        copyInBatchesOfThree();
        client.says(rows(1, 12));
        assertThat(database.asked).hasSize(4);
        client.session().cancel();
        database.answerFirst(null);
        assertThat(client.answers()).as("the second batch is under way").isEmpty();
        assertThat(database.asked).as("nothing more is stored").hasSize(4);
        database.answerFirst(null);
        assertThat(client.answers()).containsExactly("ERROR 57014", "ready I");
    }

    @Test
    void aCancelBehindTheDataIsNotLost() {
        copyInBatchesOfThree();
        client.says(rows(1, 60), done());
        assertThat(database.asked).hasSize(4);
        client.session().cancel();
        assertThat(client.answers()).as("two batches are under way").isEmpty();
        database.answer();
        assertThat(client.answers()).containsExactly("ERROR 57014", "ready I");
        assertThat(database.asked).as("nothing more is stored").hasSize(4);
        assertThat(error().hint()).endsWith("The first 6 rows are committed, the last of them is of line 6.");
    }

    /** All rows are being stored: the request hears of the cancel, and says what came of it. */
    @Test
    void aCancelOfTheLastBatchMayBeTooLate() {
        copyInBatchesOfThree();
        client.says(rows(1, 6), done());
        client.session().cancel();
        database.answer();
        assertThat(client.answers()).containsExactly("COPY 6", "ready I");
    }

    @Test
    void batchesOfOneInsertAreStoredBehindEachOtherToo() {
        database.holdsAnswers = true;
        database.tellsOfChanges = true;
        client.asks("SET fulmar.copy_batch = 2");
        client.asks("COPY t FROM STDIN");
        client.says(rows(1, 4));
        assertThat(database.asked).hasSize(2);
        database.answer();
    }

    @Test
    void theFirstFailureIsTold() {
        copyInBatchesOfThree();
        client.says(rows(1, 9));
        database.answerFirst(new Failed(ErrorCode.DISK_FULL, "the log is lost"));
        database.answerFirst(new Failed(ErrorCode.NODE_STOPPING, "the node stops"));
        assertThat(client.answers()).containsExactly("ERROR 53100", "ready I");
        assertThat(error().hint()).endsWith("No row is committed.");
    }

    @Test
    void aClientThatLeavesBeforeItsBatchesAreDurableKeepsNoMemory() {
        copyInBatchesOfThree();
        client.says(rows(1, 12));
        client.session().leave();
        assertThat(database.budget.underWayBytes()).isZero();

        database.answer();
        assertThat(database.asked).as("nothing more is stored").hasSize(4);
    }

    // Out of a table.

    @Test
    void aTableComesPartByPart() {
        List<String> asked = new ArrayList<>();
        database.yields("part", 2);
        byte[] rows = ((Committed) Objects.requireNonNull(database.answers.get("part"))).results();
        database.portals = portals(asked, rows);
        client = new TalkingClient(database);

        assertThat(client.asks("COPY t TO STDOUT (HEADER)"))
                .containsExactly(
                        "copy out TEXT 1",
                        "data id",
                        "data 1",
                        "data 2",
                        "data 1",
                        "data 2",
                        "CopyDone",
                        "COPY 4",
                        "ready I");
        assertThat(asked).containsExactly("open SELECT \"#WRITTEN\" FROM t", "fetch");
        assertThat(client.asks("COPY (SELECT 1) TO STDOUT CSV")).endsWith("CopyDone", "COPY 4", "ready I");
        assertThat(asked).contains("open SELECT 1");
    }

    private static PortalRouter portals(List<String> asked, byte[] rows) {
        return new PortalRouter() {
            @Override
            public void open(long number, int most, TransactionRequest.AdHoc query, ResponseSink sink) {
                asked.add("open " + query.sql());
                sink.respond(query, new Committed(Kind.TABLE, 1, rows));
            }

            @Override
            public void fetch(long number, int most, TransactionRequest request, ResponseSink sink) {
                asked.add("fetch");
                sink.respond(request, new Committed(Kind.TABLE, 0, rows));
            }

            @Override
            public void close(long number, TransactionRequest request, ResponseSink sink) {
                asked.add("close");
            }
        };
    }

    @Test
    void aQueryOfTheTransactionIsOfItsState() {
        database.yields("SELECT \"ID\" FROM t", 2);
        client.asks("BEGIN");

        assertThat(client.asks("COPY t (id) TO STDOUT"))
                .containsExactly("copy out TEXT 1", "data 1", "data 2", "CopyDone", "COPY 2", "ready T");
        assertThat(database.asked).endsWith("1: SELECT \"ID\" FROM t");
    }

    @Test
    void rowsWaitUntilTheClientTakesThem() {
        database.yields("SELECT \"#WRITTEN\" FROM t", 1_000);
        client.asks("BEGIN");
        database.holdsAnswers = true;
        client.asks("COPY t TO STDOUT");
        client.isFull = true;
        database.answer();
        assertThat(client.answers()).containsExactly("copy out TEXT 1");
        client.isFull = false;
        client.session().writable();

        assertThat(client.answers()).hasSize(1_003).endsWith("data 1000", "CopyDone", "COPY 1000", "ready T");
    }
}
