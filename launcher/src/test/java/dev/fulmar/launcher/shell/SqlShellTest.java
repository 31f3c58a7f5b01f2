package dev.fulmar.launcher.shell;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.benchmarks.run.LocalDatabase;
import dev.fulmar.client.FulmarClient;
import dev.fulmar.launcher.shell.SqlShell.Next;
import dev.fulmar.launcher.shell.SqlShell.OnError;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SqlShellTest {
    private static final String SCRIPT = """
            CREATE TABLE t (id BIGINT NOT NULL PRIMARY KEY);
            INSERT INTO t VALUES
              (1);
            INSERT INTO t VALUES (1);
            INSERT INTO t VALUES (2);
            """;

    @TempDir
    private Path folder = Path.of("replaced by JUnit");

    private final LocalDatabase database =
            LocalDatabase.start(Map.of("partitions", "1", "memory.limit", "64m", "jmx", "false"));
    private final FulmarClient client = database.connect(4);
    private final StringWriter out = new StringWriter();

    @AfterEach
    void stop() {
        client.close();
        database.close();
    }

    private SqlShell shell(OnError onError) {
        return new SqlShell(new Connection(client, Duration.ofMillis(200)), new PrintWriter(out), onError);
    }

    private static BufferedReader reader(String text) {
        return new BufferedReader(new StringReader(text));
    }

    private long rows() {
        return client.execute("SELECT COUNT(*) FROM t").table().first().getLong(0);
    }

    @Test
    void aScriptEndsWithTheFirstError() throws IOException {
        SqlShell shell = shell(OnError.STOP);
        assertThat(shell.script("s.sql", reader(SCRIPT))).isEqualTo(Next.STOP);
        assertThat(shell.hasFailed()).isTrue();
        assertThat(rows()).isEqualTo(1);
        assertThat(out.toString())
                .contains("error 23505", "s.sql ends at line 4; what comes after it was not executed");
    }

    @Test
    void aScriptGoesOnIfToldTo() throws IOException {
        SqlShell shell = shell(OnError.CONTINUE);
        assertThat(shell.script("s.sql", reader(SCRIPT))).isEqualTo(Next.CONTINUE);
        assertThat(shell.hasFailed()).isTrue();
        assertThat(rows()).isEqualTo(2);
    }

    @Test
    void anIncludedScriptsErrorEndsTheOuterOne() throws IOException {
        Path inner = Files.writeString(folder.resolve("inner.sql"), SCRIPT);
        SqlShell shell = shell(OnError.STOP);
        assertThat(shell.script("outer.sql", reader("\\i " + inner + "\nINSERT INTO t VALUES (3);\n")))
                .isEqualTo(Next.STOP);
        assertThat(rows()).isEqualTo(1);
        assertThat(out.toString()).contains("outer.sql ends at line 1");
    }

    @Test
    void aTransactionIsCommittedOrRolledBackAsAWhole() throws IOException {
        String script = """
                CREATE TABLE t (id BIGINT NOT NULL PRIMARY KEY);
                begin;
                INSERT INTO t VALUES (1);
                SELECT COUNT(*) AS own FROM t;
                ROLLBACK;
                BEGIN ISOLATION LEVEL SERIALIZABLE;
                INSERT INTO t VALUES (2);
                SAVEPOINT a;
                INSERT INTO t VALUES (3);
                ROLLBACK TO a;
                COMMIT;
                """;
        assertThat(shell(OnError.STOP).script("s.sql", reader(script))).isEqualTo(Next.CONTINUE);
        assertThat(client.execute("SELECT SUM(id) FROM t").table().first().getLong(0))
                .isEqualTo(2);
    }

    @Test
    void thePromptShowsTheTransaction() {
        client.execute("CREATE TABLE t (id BIGINT NOT NULL PRIMARY KEY)");
        Connection connection = new Connection(client, Duration.ofMillis(200));
        SqlShell shell = new SqlShell(connection, new PrintWriter(out), OnError.CONTINUE);
        assertThat(connection.transactionMark()).isEmpty();
        shell.execute("BEGIN");
        shell.execute("SELECT COUNT(*) FROM t");
        shell.execute("INSERT INTO nowhere VALUES (1)");
        assertThat(connection.transactionMark())
                .as("a statement that failed alone")
                .isEqualTo("*");
        client.execute("INSERT INTO t VALUES (1)");
        shell.execute("SELECT COUNT(*) FROM t");
        assertThat(connection.transactionMark()).isEqualTo("!");
        assertThat(out.toString()).contains("error 40001 (SERIALIZATION_FAILURE)");
        shell.execute("INSERT INTO t VALUES (2)");
        assertThat(rows()).as("rows, none of them by itself").isEqualTo(1);
        shell.execute("COMMIT");
        assertThat(connection.transactionMark()).isEmpty();
        shell.execute("COMMIT");
        assertThat(out.toString()).contains("error 25P01 (NO_ACTIVE_TRANSACTION): no transaction is open");
    }

    @Test
    void aProcedureIsNoStatementOfATransaction() {
        client.execute("CREATE TABLE t (id BIGINT NOT NULL PRIMARY KEY)");
        SqlShell shell = shell(OnError.CONTINUE);
        shell.execute("BEGIN");
        shell.execute("EXEC T.insert 1");
        assertThat(out.toString()).contains("error 0A000").contains("COMMIT or ROLLBACK");
        shell.execute("ROLLBACK");
        assertThat(rows()).isZero();
    }

    @Test
    void aTableThatATransactionMakesGoesWithIt() {
        client.execute("CREATE TABLE t (id BIGINT NOT NULL PRIMARY KEY)");
        SqlShell shell = shell(OnError.CONTINUE);
        shell.execute("BEGIN");
        shell.execute("CREATE TABLE u (id BIGINT)");
        shell.execute("INSERT INTO t VALUES (1)");
        shell.execute("ROLLBACK");
        assertThat(out.toString()).doesNotContain("error");
        shell.execute("SELECT * FROM u");
        assertThat(out.toString()).contains("UNKNOWN_OBJECT");
        assertThat(rows()).isZero();
    }

    @Test
    void anUnknownCommandIsAnError() {
        SqlShell shell = shell(OnError.STOP);
        assertThat(shell.command("\\nonsense")).isEqualTo(Next.STOP);
        assertThat(shell.hasFailed()).isTrue();
    }

    @Test
    void aLostConnectionEndsAScriptInAnyCase() throws IOException {
        database.close();
        SqlShell shell = shell(OnError.CONTINUE);
        assertThat(shell.script("s.sql", reader(SCRIPT))).isEqualTo(Next.STOP);
        assertThat(out.toString())
                .contains("NOT_CONNECTED", "the statement was not sent and had no effect", "s.sql ends at line 1");
    }

    @Test
    void quotesAndCommentsGoOnOverLinesThatEndWithASemicolon() throws IOException {
        String script = """
                CREATE TABLE t (id INTEGER PRIMARY KEY, s VARCHAR(40)); -- the first;
                /* one;
                   two; */
                INSERT INTO t VALUES (1, 'a;
                -- b;
                ');
                """;
        assertThat(shell(OnError.STOP).script("s.sql", reader(script))).isEqualTo(Next.CONTINUE);
        assertThat(client.execute("SELECT s FROM t").table().first().getString(0))
                .isEqualTo("a;\n-- b;\n");
    }

    @Test
    void aRealIsShownByTheShortestTextThatNamesIt() throws IOException {
        String script = "SELECT CAST(0.1 AS REAL) AS r, CAST(0.1 AS DOUBLE) AS d;\n";
        assertThat(shell(OnError.STOP).script("s.sql", reader(script))).isEqualTo(Next.CONTINUE);
        assertThat(out.toString()).contains("0.1 | 0.1").doesNotContain("0.10000000149011612");
    }

    @Test
    void anArrayIsShownAsItsText() throws IOException {
        String script = "SELECT ARRAY['a b', NULL] AS a, ARRAY[1, 2] AS n;\n";
        assertThat(shell(OnError.STOP).script("s.sql", reader(script))).isEqualTo(Next.CONTINUE);
        assertThat(out.toString()).contains("{\"a b\",NULL} | {1,2}");
    }

    @Test
    void quotesThatNothingEndsAreAnErrorOfTheScript() throws IOException {
        SqlShell shell = shell(OnError.STOP);
        assertThat(shell.script("s.sql", reader("CREATE TABLE t (id INTEGER);\nSELECT 'a;\nSELECT 2;\n")))
                .isEqualTo(Next.STOP);
        assertThat(shell.hasFailed()).isTrue();
        assertThat(out.toString()).contains("(done)", "error 42000", "this quoted text does not end");
    }

    @Test
    void aTableIsDescribedAlone() {
        client.execute("CREATE TABLE t (id INTEGER)");
        client.execute("CREATE TABLE \"Other\" (rest INTEGER)");
        SqlShell shell = shell(OnError.CONTINUE);
        shell.command("\\d t");
        assertThat(out.toString()).contains("ID").doesNotContain("REST");
        shell.command("\\d public.\"Other\"");
        assertThat(out.toString()).contains("REST");
        assertThat(shell.hasFailed()).isFalse();
        shell.command("\\d none");
        assertThat(out.toString()).contains("error 42S02", "there is no table NONE");
        assertThat(shell.hasFailed()).isTrue();
    }

    @Test
    void callsHaveTheTimeOutToo() {
        client.execute("CREATE TABLE t (id INTEGER)");
        client.execute("INSERT INTO t VALUES (1), (2), (3), (4), (5), (6), (7), (8), (9), (10), (11), (12)");
        client.execute("CREATE PROCEDURE slow AS SELECT COUNT(*) FROM t a, t b, t c, t d, t e, t f, t g, t h");
        SqlShell shell = shell(OnError.CONTINUE);
        shell.command("\\timeout 0.2");
        shell.execute("EXEC slow");
        assertThat(out.toString())
                .containsAnyOf("TIMEOUT", "PROCEDURE_TIME_BUDGET")
                .doesNotContain("may have taken effect", "5000 ms");
    }
}
