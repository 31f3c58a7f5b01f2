package dev.fulmar.postgres.session;

import static dev.fulmar.postgres.session.TalkingClient.bind;
import static dev.fulmar.postgres.session.TalkingClient.describe;
import static dev.fulmar.postgres.session.TalkingClient.execute;
import static dev.fulmar.postgres.session.TalkingClient.parse;
import static dev.fulmar.postgres.session.TalkingClient.sync;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.coordinator.request.LastNumbers;
import dev.fulmar.coordinator.request.ResponseSink;
import dev.fulmar.coordinator.session.SessionLimits;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.wire.postgres.message.FrontendMessage;
import dev.fulmar.wire.postgres.message.Target;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Transactions that fail because of another one, and run again while none of their replies has left. */
class RunAgainTest {
    private static final String BEGIN = "BEGIN ISOLATION LEVEL serializable";
    private static final String READ = "SELECT id FROM t";
    private static final String WRITE = "DELETE FROM t";
    private static final int ATTEMPTS = 1 + SessionLimits.DEFAULT.reruns();

    private final FakeDatabase database = new FakeDatabase();
    private final TalkingClient client = new TalkingClient(database);

    /** The client sees no reply of the first run. */
    @Test
    void theRepliesOfAnotherRunTakeThePlaceOfThose() {
        database.yields(READ, 1);
        database.changes(WRITE, 3);
        database.failsOnce("COMMIT", ErrorCode.SERIALIZATION_FAILURE);
        database.whenAsked.put("COMMIT", ignored -> database.yields(READ, 2));

        assertThat(client.asks("BEGIN; " + READ + "; " + WRITE + "; COMMIT"))
                .containsExactly(
                        "BEGIN", "columns id:23", "row 1", "row 2", "SELECT 2", "DELETE 3", "COMMIT", "ready I");
        assertThat(database.asked)
                .containsExactly(
                        "1: " + BEGIN,
                        "1: " + READ,
                        "1: " + WRITE,
                        "1: COMMIT",
                        "1: ROLLBACK",
                        "2: " + BEGIN,
                        "2: " + READ,
                        "2: " + WRITE,
                        "2: COMMIT");
    }

    @Test
    void aStatementThatFailsForAnotherTransactionIsNoEnd() {
        database.yields(READ, 1);
        database.failsOnce(WRITE, ErrorCode.SERIALIZATION_FAILURE);

        assertThat(client.asks("BEGIN; " + READ + "; " + WRITE + "; COMMIT"))
                .containsExactly("BEGIN", "columns id:23", "row 1", "SELECT 1", "DELETE", "COMMIT", "ready I");
        assertThat(database.asked)
                .containsExactly(
                        "1: " + BEGIN,
                        "1: " + READ,
                        "1: " + WRITE,
                        "1: ROLLBACK",
                        "2: " + BEGIN,
                        "2: " + READ,
                        "2: " + WRITE,
                        "2: COMMIT");
    }

    @Test
    void theStatementsOfAQueryWithoutBeginRunAgainTogether() {
        database.failsOnce("COMMIT", ErrorCode.SERIALIZATION_FAILURE);

        assertThat(client.asks(READ + "; " + WRITE)).containsExactly("SELECT", "DELETE", "ready I");
        assertThat(database.asked).endsWith("2: " + BEGIN, "2: " + READ, "2: " + WRITE, "2: COMMIT");
    }

    /** The report of a setting that is taken back would fill the buffer that has the replies of the first run. */
    @Test
    void noReplyLeavesWhileARunIsTakenBack() {
        database.yields(READ, 1);
        database.failsOnce(WRITE, ErrorCode.SERIALIZATION_FAILURE);
        database.whenAsked.put(WRITE, ignored -> client.fullBytes = client.heldBytes() + 1);

        assertThat(client.asks("BEGIN; SET application_name = a; " + READ + "; " + WRITE + "; COMMIT"))
                .containsExactly(
                        "BEGIN",
                        "application_name=a",
                        "SET",
                        "columns id:23",
                        "row 1",
                        "SELECT 1",
                        "DELETE",
                        "COMMIT",
                        "ready I");
    }

    /** Names that the first run has given are free again. */
    @Test
    void messagesBeforeASyncRunAgain() {
        database.changes(WRITE, 2);
        database.failsOnce("COMMIT", ErrorCode.SERIALIZATION_FAILURE);

        assertThat(client.says(
                        parse("b", "BEGIN"),
                        bind("", "b"),
                        execute("", 0),
                        parse("w", WRITE),
                        bind("p", "w"),
                        describe(Target.PORTAL, "p"),
                        execute("p", 0),
                        parse("c", "COMMIT"),
                        bind("", "c"),
                        execute("", 0),
                        sync()))
                .containsExactly(
                        "ParseComplete",
                        "BindComplete",
                        "BEGIN",
                        "ParseComplete",
                        "BindComplete",
                        "NoData",
                        "DELETE 2",
                        "ParseComplete",
                        "BindComplete",
                        "COMMIT",
                        "ready I");
        assertThat(database.asked).endsWith("1: COMMIT", "1: ROLLBACK", "2: " + BEGIN, "2: " + WRITE, "2: COMMIT");
        assertThat(client.says(parse("w", WRITE), sync())).containsExactly("ERROR 42P05", "ready I");
    }

    @Test
    void aCommitThatFailsAtTheSyncIsNoEnd() {
        database.changes(WRITE, 2);
        database.failsOnce("COMMIT", ErrorCode.SERIALIZATION_FAILURE);

        assertThat(client.says(parse("", WRITE), bind("", ""), execute("", 0), bind("", ""), execute("", 0), sync()))
                .containsExactly("ParseComplete", "BindComplete", "DELETE 2", "BindComplete", "DELETE 2", "ready I");
        assertThat(database.asked).endsWith("2: " + BEGIN, "2: " + WRITE, "2: " + WRITE, "2: COMMIT");
    }

    /** The statement of the first run has another text under the same name. */
    @Test
    void whatWasPreparedBeforeIsThereAgain() {
        database.changes(WRITE, 2);
        database.yields(READ, 1);
        client.says(parse("", READ), parse("n", READ), sync());
        database.failsOnce("COMMIT", ErrorCode.SERIALIZATION_FAILURE);

        assertThat(client.says(
                        bind("", ""),
                        execute("", 0),
                        new FrontendMessage.Close(Target.STATEMENT, "n"),
                        parse("", WRITE),
                        bind("", ""),
                        execute("", 0),
                        parse("n", WRITE),
                        sync()))
                .containsExactly(
                        "BindComplete",
                        "row 1",
                        "SELECT 1",
                        "CloseComplete",
                        "ParseComplete",
                        "BindComplete",
                        "DELETE 2",
                        "ParseComplete",
                        "ready I");
        assertThat(client.says(bind("", "n"), execute("", 0), sync())).contains("DELETE 2");
    }

    @Test
    void runsAreBounded() {
        database.fails("COMMIT", ErrorCode.SERIALIZATION_FAILURE);

        assertThat(client.asks("BEGIN; " + WRITE + "; COMMIT; " + READ))
                .containsExactly("BEGIN", "DELETE", "ERROR 40001", "ready I");
        assertThat(database.asked.stream().filter(sql -> sql.endsWith(": COMMIT")))
                .hasSize(ATTEMPTS);
        assertThat(database.asked).noneMatch(sql -> sql.endsWith(READ));
        database.asked.clear();
        assertThat(client.asks("BEGIN; " + WRITE + "; COMMIT")).endsWith("ERROR 40001", "ready I");
        assertThat(database.asked.stream().filter(sql -> sql.endsWith(": COMMIT")))
                .as("the next transaction has as many")
                .hasSize(ATTEMPTS);
    }

    @Test
    void aNodeMayBeToldToRunNothingAgain() {
        database.limits = new SessionLimits(10, 10_000, 1, 1, 0);
        TalkingClient other = new TalkingClient(database);
        database.failsOnce("COMMIT", ErrorCode.SERIALIZATION_FAILURE);

        assertThat(other.asks("BEGIN; " + WRITE + "; COMMIT"))
                .containsExactly("BEGIN", "DELETE", "ERROR 40001", "ready I");
    }

    // Replies that have left.

    @Test
    void aTransactionWhoseRepliesHaveLeftIsTold() {
        client.asks("BEGIN");
        client.asks(READ);
        database.failsOnce(WRITE, ErrorCode.SERIALIZATION_FAILURE);

        assertThat(client.asks(WRITE)).containsExactly("ERROR 40001", "ready E");
        assertThat(client.asks("COMMIT")).containsExactly("ROLLBACK", "ready I");
    }

    @Test
    void aReplyThatWasFlushedHasLeft() {
        database.changes(WRITE, 2);
        database.failsOnce("COMMIT", ErrorCode.SERIALIZATION_FAILURE);

        assertThat(client.says(
                        parse("", WRITE),
                        bind("", ""),
                        execute("", 0),
                        new FrontendMessage.Flush(),
                        bind("", ""),
                        execute("", 0),
                        sync()))
                .endsWith("DELETE 2", "ERROR 40001", "ready I");
    }

    /** It was committed, though its replies have not left. */
    @Test
    void aTransactionThatWasCommittedDoesNotRunAgain() {
        database.whenAsked.put("SELECT 2", ignored -> database.failsOnce("COMMIT", ErrorCode.SERIALIZATION_FAILURE));

        assertThat(client.asks("BEGIN; " + WRITE + "; COMMIT; BEGIN; SELECT 2; COMMIT"))
                .containsExactly("BEGIN", "DELETE", "COMMIT", "BEGIN", "SELECT", "ERROR 40001", "ready I");
        database.whenAsked.clear();
        database.asked.clear();
        database.whenAsked.put("SELECT 2", sink -> {
            database.failsOnce("COMMIT", ErrorCode.SERIALIZATION_FAILURE);
            database.whenAsked.clear();
        });
        assertThat(client.asks("BEGIN; " + WRITE + "; COMMIT; BEGIN; SELECT 2; COMMIT"))
                .containsExactly("BEGIN", "DELETE", "COMMIT", "BEGIN", "SELECT", "COMMIT", "ready I");
        assertThat(database.asked.stream().filter(sql -> sql.endsWith(WRITE))).hasSize(1);
        assertThat(database.asked.stream().filter(sql -> sql.endsWith("SELECT 2")))
                .hasSize(2);
    }

    @Test
    void amongMessagesBeforeASyncNothingCommittedRunsAgain() {
        database.changes(WRITE, 2);
        database.yields(READ, 1);
        database.whenAsked.put(READ, ignored -> database.failsOnce("COMMIT", ErrorCode.SERIALIZATION_FAILURE));
        List<FrontendMessage> messages = new ArrayList<>();
        for (String sql : List.of("BEGIN", WRITE, "COMMIT", "BEGIN", READ, "COMMIT")) {
            messages.addAll(List.of(parse("", sql), bind("", ""), execute("", 0)));
        }
        messages.add(sync());

        assertThat(client.says(messages.toArray(FrontendMessage[]::new))).endsWith("ERROR 40001", "ready I");
        assertThat(database.asked.stream().filter(sql -> sql.endsWith(WRITE))).hasSize(1);
    }

    /** No transaction takes it back. */
    @Test
    void amongMessagesBeforeASyncASettingIsSetOnce() {
        database.failsOnce("COMMIT", ErrorCode.SERIALIZATION_FAILURE);
        List<FrontendMessage> messages = new ArrayList<>();
        for (String sql : List.of("SHOW application_name", "SET application_name = b", "BEGIN", WRITE, "COMMIT")) {
            messages.addAll(List.of(parse("", sql), bind("", ""), execute("", 0)));
        }
        database.changes(WRITE, 2);
        messages.add(sync());

        assertThat(client.says(messages.toArray(FrontendMessage[]::new))).endsWith("ERROR 40001", "ready I");
    }

    /** The session does not know whether it was committed. */
    @Test
    void aCommitWithoutAKnownOutcomeNeverRunsAgain() {
        for (ErrorCode code :
                List.of(ErrorCode.OUTCOME_UNKNOWN, ErrorCode.TIMEOUT, ErrorCode.NODE_LOST, ErrorCode.INTERNAL)) {
            database.asked.clear();
            database.fails("COMMIT", code);

            assertThat(client.asks("BEGIN; " + WRITE + "; COMMIT")).hasSize(4).doesNotContain("COMMIT");
            assertThat(database.asked.stream().filter(sql -> sql.endsWith(": COMMIT")))
                    .hasSize(1);
        }
    }

    @Test
    void aTransactionWithACopyIsTold() {
        database.yields("SELECT * FROM T", 1);
        database.failsOnce("COMMIT", ErrorCode.SERIALIZATION_FAILURE);

        assertThat(client.asks("BEGIN; COPY (SELECT * FROM T) TO STDOUT; COMMIT"))
                .endsWith("ERROR 40001", "ready I");
    }

    // Traces of a run.

    @Test
    void settingsAreThoseOfBeforeTheFirstRun() {
        database.failsOnce("COMMIT", ErrorCode.SERIALIZATION_FAILURE);

        assertThat(client.asks(
                        "SET application_name = a; BEGIN; SHOW application_name; SET application_name = b; COMMIT"))
                .containsExactly(
                        "application_name=a",
                        "SET",
                        "BEGIN",
                        "columns application_name:25",
                        "row a",
                        "SHOW",
                        "application_name=b",
                        "SET",
                        "COMMIT",
                        "ready I");
        assertThat(database.asked).endsWith("2: COMMIT");
        assertThat(client.asks("SHOW application_name")).contains("row b");
        database.failsOnce(WRITE, ErrorCode.SERIALIZATION_FAILURE);
        assertThat(client.asks("BEGIN; SHOW application_name; SET application_name = c; " + WRITE + "; COMMIT"))
                .containsSubsequence("row b", "SHOW", "application_name=c", "SET", "DELETE", "COMMIT");
    }

    /** currval before the first draw is that of an earlier transaction, in each run. */
    @Test
    void numbersOfSequencesAreThoseOfBeforeTheFirstRun() {
        List<Long> current = new ArrayList<>();
        database.whenAsked.put(
                "SELECT currval('s')", sink -> current.add(numbers(sink).current(1)));
        database.whenAsked.put("SELECT nextval('s')", sink -> numbers(sink).note(1, "", 10 + database.asked.size()));
        client.asks("SELECT nextval('s')");
        database.failsOnce("COMMIT", ErrorCode.SERIALIZATION_FAILURE);

        client.asks("BEGIN; SELECT currval('s'); SELECT nextval('s'); SELECT currval('s'); COMMIT");
        assertThat(current).containsExactly(11L, 14L, 11L, 20L);
        current.clear();
        client.asks("BEGIN; SELECT nextval('s')");
        client.asks("ROLLBACK");
        client.asks("SELECT currval('s')");
        assertThat(current).as("what was drawn stays known").containsExactly(24L);
    }

    private static LastNumbers numbers(ResponseSink sink) {
        return Objects.requireNonNull(sink.lastNumbers());
    }

    /** Cursors and portals of the first run are gone. */
    @Test
    void cursorsAreDeclaredAgain() {
        database.yields(READ, 1);
        database.failsOnce("COMMIT", ErrorCode.SERIALIZATION_FAILURE);

        assertThat(client.says(
                        parse("", "BEGIN"),
                        bind("", ""),
                        execute("", 0),
                        parse("", "DECLARE \"c\" CURSOR FOR " + READ),
                        bind("", ""),
                        execute("", 0),
                        parse("", READ),
                        bind("p", ""),
                        execute("p", 1),
                        parse("", "COMMIT"),
                        bind("", ""),
                        execute("", 0),
                        sync()))
                .endsWith(
                        "BindComplete",
                        "row 1",
                        "PortalSuspended",
                        "ParseComplete",
                        "BindComplete",
                        "COMMIT",
                        "ready I");
        assertThat(database.budget.underWayBytes()).isZero();
    }

    // Cancellation and memory.

    @Test
    void aTransactionThatIsCancelledDoesNotRunAgain() {
        database.failsOnce("COMMIT", ErrorCode.SERIALIZATION_FAILURE);
        database.whenAsked.put("COMMIT", ignored -> client.session().cancel());

        assertThat(client.asks("BEGIN; " + WRITE + "; COMMIT"))
                .containsExactly("BEGIN", "DELETE", "ERROR 40001", "ready I");
        database.whenAsked.clear();
        database.failsOnce("COMMIT", ErrorCode.SERIALIZATION_FAILURE);
        assertThat(client.asks("BEGIN; " + WRITE + "; COMMIT"))
                .as("the next one does")
                .containsExactly("BEGIN", "DELETE", "COMMIT", "ready I");
    }

    /** The cancel comes when the statement has failed, and before it runs again: the transaction stays failed. */
    @Test
    void aTransactionThatIsCancelledBetweenTwoRunsHasFailed() {
        database.fails(WRITE, ErrorCode.SERIALIZATION_FAILURE);
        database.whenAsked.put("ROLLBACK", ignored -> client.session().cancel());

        assertThat(client.asks("BEGIN; " + WRITE + "; COMMIT")).containsExactly("BEGIN", "ERROR 40001", "ready E");
        assertThat(client.asks(READ)).containsExactly("ERROR 25P02", "ready E");
        assertThat(client.asks("ROLLBACK")).containsExactly("ROLLBACK", "ready I");
    }

    @Test
    void aClientThatLeavesBetweenTwoRunsLeavesNothing() {
        database.yields(READ, 10);
        database.fails(WRITE, ErrorCode.SERIALIZATION_FAILURE);
        database.whenAsked.put("ROLLBACK", ignored -> client.session().leave());

        client.asks("BEGIN; " + READ + "; " + WRITE + "; COMMIT");
        assertThat(database.asked).noneMatch(sql -> sql.startsWith("2:"));
        assertThat(database.budget.underWayBytes()).isZero();
    }

    /** A session that stops waits for no further runs. */
    @Test
    void aSessionThatStopsRunsNothingAgain() {
        database.fails("COMMIT", ErrorCode.SERIALIZATION_FAILURE);
        database.whenAsked.put(
                "COMMIT", ignored -> client.session().stop(new FulmarException(ErrorCode.NODE_STOPPING, "it stops")));

        assertThat(client.asks("BEGIN; " + WRITE + "; COMMIT")).contains("ERROR 40001");
        assertThat(database.asked).noneMatch(sql -> sql.startsWith("2:"));
    }

    @Test
    void muchWorkIsAccountedAndGivenBack() {
        String sql = "UPDATE t SET a = 1" + " ".repeat(50_000) + "WHERE b = 1";
        database.changes("UPDATE t SET a = 1 WHERE b = 1", 1);
        assertThat(client.says(parse("s", sql))).containsExactly("ParseComplete");
        assertThat(database.budget.underWayBytes())
                .as("a statement and a message")
                .isGreaterThan(290_000);

        client.says(sync());
        assertThat(database.budget.underWayBytes()).as("a statement").isBetween(200_000L, 210_000L);
        client.says(parse("t", sql));
        client.session().leave();
        assertThat(database.budget.underWayBytes()).isZero();
    }

    /** One that is too large to be kept is told, and its node keeps nothing of it. */
    @Test
    void workOfMoreThanAMebibyteIsTold() {
        String large = "DELETE FROM t WHERE a = '" + "x".repeat(600_000) + "'";
        database.failsOnce("COMMIT", ErrorCode.SERIALIZATION_FAILURE);

        assertThat(client.asks("BEGIN; " + large + "; COMMIT")).endsWith("ERROR 40001", "ready I");
        assertThat(database.budget.underWayBytes()).isZero();
    }
}
