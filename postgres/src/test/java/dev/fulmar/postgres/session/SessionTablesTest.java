package dev.fulmar.postgres.session;

import static dev.fulmar.postgres.session.TalkingClient.bind;
import static dev.fulmar.postgres.session.TalkingClient.data;
import static dev.fulmar.postgres.session.TalkingClient.execute;
import static dev.fulmar.postgres.session.TalkingClient.parse;
import static dev.fulmar.postgres.session.TalkingClient.sync;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.coordinator.statement.StatementDescription;
import dev.fulmar.engine.catalog.SchemaName;
import dev.fulmar.engine.spi.NamesMark;
import dev.fulmar.engine.spi.TemporaryMark;
import dev.fulmar.engine.spi.ZoneMark;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.ResultColumn;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.wire.postgres.message.FrontendMessage;
import java.time.ZoneId;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Statements that a session with temporary tables sends to the database. */
class SessionTablesTest {
    private static final String SCHEMA = SchemaName.temporary(1, 1);
    private static final String DELETE = marked("DELETE FROM \"" + SCHEMA + "\".\"T\"");
    private static final String DROP = marked("DROP TABLE IF EXISTS \"" + SCHEMA + "\".\"T\" CASCADE");

    private final FakeDatabase database = new FakeDatabase();
    private final TalkingClient client = new TalkingClient(database);

    private static String marked(String sql) {
        return TemporaryMark.added(sql, SCHEMA);
    }

    @Test
    void statementsAreMarkedFromTheFirstTableToTheLast() {
        assertThat(client.requests("INSERT INTO t VALUES (1)", "CREATE TABLE u (a INTEGER)"))
                .containsExactly("INSERT INTO t VALUES (1)", "CREATE TABLE u (a INTEGER)");
        assertThat(database.schemas).isEmpty();
        assertThat(client.requests(
                        "CREATE TEMP TABLE t (a INTEGER)", "INSERT INTO t VALUES (1)", "DROP TABLE t", "BEGIN"))
                .containsExactly(
                        marked("CREATE TABLE PG_TEMP. t (a INTEGER)"),
                        marked("INSERT INTO t VALUES (1)"),
                        marked("DROP TABLE t"),
                        "BEGIN ISOLATION LEVEL serializable");
        assertThat(database.schemas).containsExactly(SCHEMA);
        client.asks("ROLLBACK");
        assertThat(client.requests("DISCARD ALL", "DELETE FROM t"))
                .containsExactly(marked("DROP SCHEMA IF EXISTS \"" + SCHEMA + "\" CASCADE"), "DELETE FROM t");
        assertThat(client.requests("DISCARD ALL")).isEmpty();
        assertThat(client.requests("CREATE TEMP SEQUENCE s"))
                .containsExactly(marked("CREATE SEQUENCE PG_TEMP. s CACHE 32 BOUNDED "));
        client.session().leave();
        client.session().leave();
        assertThat(database.schemas).isEmpty();
    }

    /** The names of constraints are asked for where there may be some, before the marks of tables and of the zone. */
    @Test
    void changesOfTablesAskForTheNamesOfPostgres() {
        String made = "CREATE TABLE u (a INTEGER unique)";
        String altered = "ALTER TABLE u ADD FOREIGN KEY (a) REFERENCES v";
        assertThat(client.requests(made, altered, "ALTER TABLE u DROP CONSTRAINT b", "DROP TABLE u"))
                .containsExactly(
                        NamesMark.added(made),
                        NamesMark.added(altered),
                        "ALTER TABLE u DROP CONSTRAINT b",
                        "DROP TABLE u");
        client.asks("SET timezone = 'Europe/Oslo'");
        assertThat(client.requests("CREATE TEMP TABLE t (a INTEGER CHECK (a > 0))"))
                .containsExactly(ZoneMark.added(
                        marked(NamesMark.added("CREATE TABLE PG_TEMP. t (a INTEGER CHECK (a > 0))")),
                        ZoneId.of("Europe/Oslo")));
    }

    @Test
    void aDiscardThatFailsLeavesTheTables() {
        client.asks("CREATE TEMP TABLE t (a INTEGER)");
        String removal = marked("DROP SCHEMA IF EXISTS \"" + SCHEMA + "\" CASCADE");
        database.fails(removal, ErrorCode.SERVER_BUSY);
        assertThat(client.asks("DISCARD TEMP").getFirst()).startsWith("ERROR");
        assertThat(client.requests("DELETE FROM t")).containsExactly(marked("DELETE FROM t"));
    }

    @Test
    void preparedStatementsAndCopyAreMarked() {
        client.asks("CREATE TEMP TABLE t (a INTEGER)");
        ColumnType number = ColumnType.of(TypeKind.INTEGER);
        database.descriptions.put(
                marked("SELECT \"#WRITTEN\" FROM t"),
                new StatementDescription(List.of(new ResultColumn("A", number, false)), List.of(), true, 1));
        String insert = "INSERT INTO t (\"A\") OVERRIDING SYSTEM VALUE VALUES (?)";
        database.changes(marked(insert), 1, number);
        database.asked.clear();
        client.says(new FrontendMessage.Query("COPY t FROM STDIN"), data("1\n"), new FrontendMessage.CopyDone());
        assertThat(database.asked).containsExactly("together: " + marked(insert));
        database.yields(marked("SELECT a FROM t"), 1);
        database.asked.clear();
        client.says(parse("s", "SELECT a FROM t"), bind("", "s"), execute("", 0), sync());
        assertThat(database.asked).containsExactly("0: " + marked("SELECT a FROM t"));
    }

    @Test
    void rowsGoBehindTheTransaction() {
        client.asks("CREATE TEMP TABLE t (a INTEGER) ON COMMIT DELETE ROWS");
        assertThat(client.requests("INSERT INTO t VALUES (1)"))
                .containsExactly(
                        "BEGIN ISOLATION LEVEL serializable", marked("INSERT INTO t VALUES (1)"), "COMMIT", DELETE);
        assertThat(client.requests("SELECT a FROM t")).containsExactly(marked("SELECT a FROM t"));
        assertThat(client.requests("BEGIN", "UPDATE t SET a = 2", "COMMIT")).endsWith("COMMIT", DELETE);
        assertThat(client.requests("BEGIN", "UPDATE t SET a = 2", "ROLLBACK")).endsWith("ROLLBACK");
        assertThat(client.requests("BEGIN", "SELECT a FROM t", "COMMIT")).endsWith("COMMIT");
    }

    @Test
    void aTableGoesBehindTheTransaction() {
        assertThat(client.requests("CREATE TEMP TABLE t ON COMMIT DROP AS SELECT 1 AS a"))
                .containsExactly(marked("CREATE TABLE PG_TEMP. t AS SELECT 1 AS a"), DROP);
        assertThat(client.requests("DELETE FROM u")).containsExactly(marked("DELETE FROM u"));
        assertThat(client.requests("BEGIN", "CREATE TEMP TABLE t (a INTEGER) ON COMMIT DROP", "COMMIT"))
                .endsWith("COMMIT", DROP);
        assertThat(client.requests("DELETE FROM u")).containsExactly(marked("DELETE FROM u"));
    }

    /** The requests of the statements, each with the number of its transaction. */
    private List<String> asked(String... statements) {
        database.asked.clear();
        client.requests(statements);
        return database.asked;
    }

    /** The statements about its rows are those of a transaction that changes no table. */
    @Test
    void aTransactionMakesItsTablesAtOnceAndDropsThemIfItIsTakenBack() {
        assertThat(asked("BEGIN", "CREATE TEMP TABLE t (a INTEGER)", "INSERT INTO t VALUES (1)", "ROLLBACK"))
                .containsExactly(
                        "1: BEGIN ISOLATION LEVEL serializable",
                        "0: " + marked("CREATE TABLE PG_TEMP. t (a INTEGER)"),
                        "1: " + marked("INSERT INTO t VALUES (1)"),
                        "1: ROLLBACK",
                        "0: " + DROP);
        assertThat(asked("BEGIN", "CREATE TEMP SEQUENCE t", "ROLLBACK"))
                .endsWith("0: " + marked("DROP SEQUENCE IF EXISTS \"" + SCHEMA + "\".\"T\""));
        assertThat(asked("BEGIN", "CREATE TEMP TABLE t (a INTEGER)", "COMMIT", "DELETE FROM u"))
                .endsWith("3: COMMIT", "0: " + marked("DELETE FROM u"));
        assertThat(asked("BEGIN", "CREATE TEMP TABLE v (id INTEGER, sequence INTEGER)", "ROLLBACK"))
                .endsWith("0: " + DROP.replace("\"T\"", "\"V\""));
    }

    @Test
    void oneThatWasThereBeforeStaysWhateverTheSessionKnowsOfIt() {
        asked("CREATE TEMP TABLE t (a INTEGER)");
        database.fails(marked("CREATE TABLE PG_TEMP. t (a INTEGER) "), ErrorCode.OBJECT_EXISTS);
        assertThat(asked("BEGIN", "CREATE TEMP TABLE IF NOT EXISTS t (a INTEGER) ON COMMIT DROP", "ROLLBACK"))
                .endsWith("0: " + marked("CREATE TABLE PG_TEMP. t (a INTEGER) "), "1: ROLLBACK");
        assertThat(asked("BEGIN", "CREATE TEMP TABLE IF NOT EXISTS t (a INTEGER) ON COMMIT DROP", "COMMIT"))
                .endsWith("2: COMMIT");
        assertThat(asked("BEGIN", "DISCARD TEMP", "CREATE TEMP TABLE u (a INTEGER)", "ROLLBACK"))
                .as("all go with the COMMIT, and this one too")
                .contains("3: " + marked("CREATE TABLE PG_TEMP. u (a INTEGER)"))
                .endsWith("3: ROLLBACK");
    }

    /** They run again, and would mean the new table. */
    @Test
    void aNameThatEarlierStatementsHaveGetsItsTableWithTheCommit() {
        asked("CREATE TEMP TABLE other (a INTEGER)", "BEGIN", "INSERT INTO t VALUES (1)", "SELECT next('u') FROM v");
        for (String name : List.of("t", "u", "v")) {
            assertThat(asked("SAVEPOINT s", "CREATE TEMP TABLE " + name + " (a INTEGER)", "ROLLBACK TO s"))
                    .as(name)
                    .contains("1: " + marked("CREATE TABLE PG_TEMP. " + name + " (a INTEGER)"));
        }
        assertThat(asked("CREATE TEMP TABLE tt (a INTEGER)"))
                .containsExactly("0: " + marked("CREATE TABLE PG_TEMP. tt (a INTEGER)"));
        assertThat(asked("CREATE TEMP TABLE kept AS SELECT a FROM w", "CREATE TEMP TABLE w (a INTEGER)"))
                .as("the rows of kept are found again at the COMMIT")
                .endsWith("1: " + marked("CREATE TABLE PG_TEMP. w (a INTEGER)"));
        assertThat(asked("ROLLBACK", "BEGIN", "CREATE TEMP TABLE t AS SELECT x.a FROM t AS x"))
                .as("the query reads the table that it hides")
                .endsWith("2: " + marked("CREATE TABLE PG_TEMP. t AS SELECT x.a FROM t AS x"));
    }

    @Test
    void aCommitThatFailsDropsWhatItsTransactionMade() {
        asked("BEGIN", "CREATE TEMP TABLE t (a INTEGER)");
        database.fails("COMMIT", ErrorCode.SERIALIZATION_FAILURE);
        assertThat(asked("COMMIT")).containsExactly("1: COMMIT", "1: ROLLBACK", "0: " + DROP);
    }

    @Test
    void aSavepointDropsWhatWasMadeSince() {
        asked("BEGIN", "CREATE TEMP TABLE u (a INTEGER)", "SAVEPOINT s", "CREATE TEMP TABLE t (a INTEGER)");
        assertThat(asked("ROLLBACK TO s")).containsExactly("1: ROLLBACK TO s", "0: " + DROP);
        assertThat(asked("CREATE TEMP TABLE t (a INTEGER)", "COMMIT"))
                .containsExactly("0: " + marked("CREATE TABLE PG_TEMP. t (a INTEGER)"), "1: COMMIT");
        asked("DROP TABLE t", "BEGIN", "SAVEPOINT s", "CREATE TEMP TABLE t (a INTEGER)", "SAVEPOINT s", "RELEASE s");
        assertThat(asked("ROLLBACK TO s")).as("the outer one").containsExactly("2: ROLLBACK TO s", "0: " + DROP);
    }

    @Test
    void aSavepointBringsBackWhatTheTransactionSaidOfItsTables() {
        asked("BEGIN", "CREATE TEMP TABLE t (a INTEGER) ON COMMIT DROP", "SAVEPOINT s", "DROP TABLE t");
        assertThat(asked("ROLLBACK TO s", "COMMIT")).endsWith("1: COMMIT", "0: " + DROP);
    }

    /** A transaction that follows at once must not fill a table that is to be dropped. */
    @Test
    void aDropThatWasRefusedComesBeforeTheNextStatement() {
        asked("BEGIN", "CREATE TEMP TABLE t (a INTEGER)");
        database.fails(DROP, ErrorCode.SERVER_BUSY);
        asked("ROLLBACK AND CHAIN");
        assertThat(client.asks("CREATE TEMP TABLE IF NOT EXISTS t (a INTEGER)").getFirst())
                .startsWith("ERROR");
        asked("ROLLBACK");
        database.answers.remove(DROP);
        assertThat(asked("BEGIN")).startsWith("0: " + DROP);
    }

    /** A query of the transaction sees what that has changed, which nobody sees who makes a table at once. */
    @Test
    void theRowsOfItsQueryAreAChangeOfTheTransaction() {
        assertThat(asked("BEGIN", "CREATE TEMP TABLE t (b) ON COMMIT DROP AS SELECT a FROM u WITH DATA"))
                .endsWith(
                        "0: " + marked("CREATE TABLE PG_TEMP. t (b) AS SELECT a FROM u WITH NO DATA"),
                        "1: " + marked("INSERT INTO PG_TEMP. t SELECT a FROM u"));
        client.asks("ROLLBACK");
        assertThat(asked("BEGIN", "CREATE TEMP TABLE t (b) AS SELECT a FROM u WITH NO DATA"))
                .endsWith("0: " + marked("CREATE TABLE PG_TEMP. t (b) AS SELECT a FROM u WITH NO DATA"));
    }

    /** So a client makes a node keep no more of its texts. */
    @Test
    void aTransactionOfLongTextsMayHaveNamedAnything() {
        asked("BEGIN");
        for (int i = 0; i < 3; i++) {
            asked("SELECT '" + "x".repeat(30_000) + "'");
        }
        assertThat(asked("CREATE TEMP TABLE t (a INTEGER)"))
                .containsExactly("0: " + marked("CREATE TABLE PG_TEMP. t (a INTEGER)"));
        asked("SELECT '" + "y".repeat(120_000) + "'");
        assertThat(asked("CREATE TEMP TABLE u (a INTEGER)"))
                .containsExactly("1: " + marked("CREATE TABLE PG_TEMP. u (a INTEGER)"));
    }

    /** A table of it may get an index, whose making is at once too; another change of tables comes with the COMMIT. */
    @Test
    void changesOfItsTablesAreMadeAtOnceWhileItHasChangedNoOthers() {
        asked("CREATE TEMP TABLE t (a INTEGER)", "BEGIN", "CREATE TEMP TABLE x (a INTEGER)");
        asked("SAVEPOINT s", "CREATE TEMP TABLE v (a INTEGER)");
        assertThat(asked("CREATE INDEX i ON v (a)", "ALTER TABLE v ADD COLUMN b INTEGER", "CREATE INDEX j ON t (a)"))
                .containsExactly(
                        "0: " + marked(NamesMark.added("CREATE INDEX i ON v (a)")),
                        "0: " + marked("ALTER TABLE v ADD COLUMN b INTEGER"),
                        "1: " + marked(NamesMark.added("CREATE INDEX j ON t (a)")));
        assertThat(asked("CREATE TEMP TABLE w (a INTEGER)"))
                .containsExactly("1: " + marked("CREATE TABLE PG_TEMP. w (a INTEGER)"));
        client.asks("ROLLBACK");
        asked("BEGIN", "CREATE TEMP TABLE x (a INTEGER)", "INSERT INTO x VALUES (1)");
        assertThat(asked("ALTER TABLE x ADD COLUMN b INTEGER"))
                .as("its rows are written again")
                .containsExactly("2: " + marked("ALTER TABLE x ADD COLUMN b INTEGER"));
        asked("ROLLBACK", "BEGIN", "CREATE TEMP TABLE x (a INTEGER)", "SAVEPOINT s");
        assertThat(asked("ALTER TABLE x ADD COLUMN b INTEGER"))
                .as("ROLLBACK TO takes it back")
                .containsExactly("3: " + marked("ALTER TABLE x ADD COLUMN b INTEGER"));
        asked("ROLLBACK");
        assertThat(asked("BEGIN READ ONLY", "CREATE TEMP TABLE w (a INTEGER)"))
                .endsWith("4: " + marked("CREATE TABLE PG_TEMP. w (a INTEGER)"));
    }

    @Test
    void aTableThatASavepointBringsBackKeepsItsEnd() {
        client.asks("CREATE TEMP TABLE t (a INTEGER) ON COMMIT DELETE ROWS");
        assertThat(client.requests(
                        "BEGIN", "SAVEPOINT s", "DROP TABLE t", "ROLLBACK TO s", "UPDATE t SET a = 2", "COMMIT"))
                .endsWith("COMMIT", DELETE);
    }

    /** Its text is kept for all sessions. */
    @Test
    void aProcedureNamesNoTemporaryTable() {
        client.asks("CREATE TEMP TABLE t (a INTEGER)");
        for (String begin : List.of("CREATE PROCEDURE p", "CREATE OR REPLACE PROCEDURE p")) {
            assertThat(client.requests(begin + " AS DELETE FROM t")).containsExactly(begin + " AS DELETE FROM t");
        }
    }

    @Test
    void anEndThatFailsIsDoneBeforeTheNextStatement() {
        client.asks("CREATE TEMP TABLE t (a INTEGER) ON COMMIT DELETE ROWS");
        database.fails(DELETE, ErrorCode.SERVER_BUSY);
        assertThat(client.asks("INSERT INTO t VALUES (1)").getFirst()).startsWith("INSERT");
        assertThat(client.asks("SELECT a FROM t").getFirst()).startsWith("ERROR");
        database.answers.remove(DELETE);
        assertThat(client.requests("SELECT a FROM t")).containsExactly(DELETE, marked("SELECT a FROM t"));
        assertThat(client.requests("SELECT a FROM t")).containsExactly(marked("SELECT a FROM t"));
    }

    @Test
    void aTableThatIsGoneHasNoEnd() {
        client.asks("CREATE TEMP TABLE t (a INTEGER) ON COMMIT DELETE ROWS");
        assertThat(client.requests("DROP TABLE t", "DELETE FROM u"))
                .containsExactly(marked("DROP TABLE t"), marked("DELETE FROM u"));
        client.asks("CREATE TEMP TABLE t (a INTEGER) ON COMMIT DELETE ROWS");
        database.fails(DELETE, ErrorCode.UNKNOWN_OBJECT);
        client.asks("INSERT INTO t VALUES (1)");
        assertThat(client.requests("DELETE FROM u")).containsExactly(marked("DELETE FROM u"));
    }

    @Test
    void oneThatIsThereAlreadyKeepsItsEnd() {
        client.asks("CREATE TEMP TABLE t (a INTEGER)");
        client.asks("CREATE TEMP TABLE IF NOT EXISTS t (a INTEGER) ON COMMIT DROP");
        assertThat(client.requests("DELETE FROM u")).containsExactly(marked("DELETE FROM u"));
        client.asks("ALTER TABLE t RENAME TO u");
        client.asks("CREATE TEMP TABLE IF NOT EXISTS t (a INTEGER) ON COMMIT DELETE ROWS");
        assertThat(client.requests("DELETE FROM u")).endsWith("COMMIT", DELETE);
        assertThat(client.requests("ALTER TABLE t RENAME TO v")).isEmpty();
    }
}
