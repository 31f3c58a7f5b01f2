package dev.fulmar.it.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.client.FulmarClient;
import dev.fulmar.it.procedure.CompiledJar;
import java.nio.file.Path;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Functions of users that PostgreSQL's JDBC driver creates and calls. */
class UserFunctionCallsTest extends PostgresNodeFixture {
    /** From the fifth execution on the driver has prepared a statement by name. */
    private static final int EXECUTIONS = 8;

    @TempDir
    private Path jars = Path.of("replaced by JUnit");

    UserFunctionCallsTest() {
        super(false);
    }

    @BeforeEach
    void load() throws Exception {
        try (FulmarClient client = FulmarClient.connect("127.0.0.1:" + node.port())) {
            client.loadClasses(CompiledJar.of(
                    jars,
                    "Text",
                    "public final class Text { public static String twice(String v) { return v + v; }"
                            + " public static int fails(int v) { throw new IllegalStateException(\"no\"); } }"));
        }
        update("CREATE FUNCTION twice(v text) RETURNS text LANGUAGE java FROM CLASS shop.Text METHOD twice");
        update("CREATE FUNCTION fails(v int) RETURNS int FROM CLASS shop.Text METHOD fails");
        update("CREATE OR REPLACE FUNCTION half(v bigint, digits int) RETURNS numeric(20, 3) LANGUAGE sql IMMUTABLE AS"
                + " $$ SELECT ROUND(v / 2.0, digits); $$");
        update("CREATE FUNCTION greeting(who varchar) RETURNS varchar AS $text$ SELECT 'it''s ' || who $text$"
                + " LANGUAGE SQL");
        update("CREATE TABLE item (id bigint PRIMARY KEY, name text)");
        update("INSERT INTO item VALUES (1, 'ab'), (2, NULL)");
    }

    @Test
    void statementsCallFunctions() throws SQLException {
        assertThat(rows("SELECT id, twice(name), half(id, 1), greeting(name) FROM item ORDER BY id"))
                .containsExactly("1,abab,0.500,it's ab", "2,null,1.000,null");
        assertThat(rows("SELECT twice('x')")).containsExactly("xx");
        try (PreparedStatement statement =
                connection.prepareStatement("SELECT id, half(id, ?) FROM item WHERE twice(name) = twice(?)")) {
            for (int i = 0; i < EXECUTIONS; i++) {
                statement.setInt(1, 2);
                statement.setString(2, "ab");
                try (ResultSet found = statement.executeQuery()) {
                    assertThat(rows(found)).containsExactly("1,0.500");
                }
            }
        }
        assertThat(update("UPDATE item SET name = twice(name) WHERE id = 1")).isOne();
        assertThat(rows("SELECT name FROM item WHERE id = 1")).containsExactly("abab");
    }

    @Test
    void aTransactionCallsFunctions() throws SQLException {
        connection.setAutoCommit(false);
        assertThat(update("INSERT INTO item VALUES (3, twice('c'))")).isOne();
        assertThat(rows("SELECT twice(name) FROM item WHERE id = 3")).containsExactly("cccc");
        connection.commit();
        try (PreparedStatement cursor = connection.prepareStatement("SELECT id, twice(name) FROM item ORDER BY id")) {
            cursor.setFetchSize(1);
            try (ResultSet parts = cursor.executeQuery()) {
                assertThat(rows(parts)).containsExactly("1,abab", "2,null", "3,cccc");
            }
        }
        connection.commit();
        connection.setAutoCommit(true);
        assertThat(rows("SELECT name FROM item WHERE id = 3")).containsExactly("cc");
    }

    @Test
    void aReplacedFunctionIsUsedByPreparedStatements() throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement("SELECT half(?, 0)")) {
            for (int i = 0; i < EXECUTIONS; i++) {
                statement.setLong(1, 8);
                try (ResultSet found = statement.executeQuery()) {
                    assertThat(rows(found)).containsExactly(i < EXECUTIONS / 2 ? "4.000" : "9.000");
                }
                if (i == EXECUTIONS / 2 - 1) {
                    update("CREATE OR REPLACE FUNCTION half(v bigint, digits int) RETURNS numeric(20, 3) LANGUAGE sql"
                            + " AS $$ SELECT v + 1 $$");
                }
            }
        }
    }

    @Test
    void failuresHaveTheStatesOfPostgres() throws SQLException {
        assertThat(state(connection, "SELECT fails(1)")).isEqualTo("38000");
        assertThat(state(connection, "SELECT nothing(1)")).isEqualTo("42883");
        assertThat(state(connection, "DROP FUNCTION nothing(int)")).isEqualTo("42883");
        update("CREATE VIEW v AS SELECT twice(name) AS t FROM item");
        assertThat(state(connection, "DROP FUNCTION twice(text)")).isEqualTo("2BP01");
        update("DROP VIEW v");
        update("DROP FUNCTION twice(text)");
        update("DROP FUNCTION IF EXISTS twice(text)");
    }

    @Test
    void theCatalogShowsFunctions() throws SQLException {
        assertThat(rows("SELECT proname, prokind, proisstrict, pronargs, prorettype::regtype FROM pg_catalog.pg_proc"
                        + " WHERE prokind = 'f' ORDER BY 1"))
                .containsExactly(
                        "fails,f,t,1,integer", "greeting,f,f,1,text", "half,f,f,2,numeric", "twice,f,t,1,text");
        assertThat(rows("SELECT routine_name, routine_type, external_language FROM information_schema.routines"
                        + " WHERE routine_type = 'FUNCTION' ORDER BY 1"))
                .containsExactly(
                        "fails,FUNCTION,JAVA", "greeting,FUNCTION,SQL", "half,FUNCTION,SQL", "twice,FUNCTION,JAVA");
    }
}
