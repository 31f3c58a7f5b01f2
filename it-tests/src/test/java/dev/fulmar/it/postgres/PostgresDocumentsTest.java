package dev.fulmar.it.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyManager;
import org.postgresql.util.PGobject;

/** JSON and JSONB with the JDBC driver of PostgreSQL, on a durable node that may start again. */
class PostgresDocumentsTest extends PostgresNodeFixture {
    /** From the fifth execution on the driver has prepared the statement by name, and reads binary values. */
    private static final int EXECUTIONS = 12;

    private static final String WRITTEN = "{\"b\" : 1.50, \"a\":[ null ]}";
    private static final String CANONICAL = "{\"a\": [null], \"b\": 1.50}";

    PostgresDocumentsTest() {
        super(true);
    }

    private void makeTable() throws SQLException {
        update("CREATE TABLE doc (id INTEGER PRIMARY KEY, j JSON, b JSONB)");
        update("INSERT INTO doc VALUES (1, '" + WRITTEN + "', '" + WRITTEN + "')");
    }

    @Test
    void documentsPassAsParametersInAllWaysOfTheDriver() throws SQLException {
        makeTable();
        try (PreparedStatement insert =
                connection.prepareStatement("INSERT INTO doc VALUES (?, ?::json, ?), (?, ?, CAST(? AS jsonb))")) {
            for (int i = 0; i < EXECUTIONS; i++) {
                PGobject object = new PGobject();
                object.setType(i % 2 == 0 ? "jsonb" : "json");
                object.setValue(WRITTEN);
                insert.setInt(1, 10 + 2 * i);
                insert.setString(2, WRITTEN);
                insert.setObject(3, object);
                insert.setInt(4, 11 + 2 * i);
                insert.setObject(5, WRITTEN, Types.OTHER);
                insert.setString(6, WRITTEN);
                assertThat(insert.executeUpdate()).isEqualTo(2);
            }
        }
        assertThat(rows("SELECT count(*), count(DISTINCT b), min(j::text), max(j::text) FROM doc"))
                .containsExactly(1 + 2 * EXECUTIONS + ",1," + WRITTEN + "," + WRITTEN);
        try (PreparedStatement query =
                connection.prepareStatement("SELECT j, b, b -> ?, b ->> ? FROM doc WHERE b @> ?::jsonb AND b = ?")) {
            for (int i = 0; i < EXECUTIONS; i++) {
                query.setString(1, "a");
                query.setString(2, "b");
                query.setString(3, "{\"b\": 1.5}");
                query.setObject(4, CANONICAL, Types.OTHER);
                ResultSet row = query.executeQuery();
                assertThat(row.next()).isTrue();
                assertThat(row.getMetaData().getColumnTypeName(1)).isEqualTo("json");
                assertThat(row.getMetaData().getColumnTypeName(2)).isEqualTo("jsonb");
                assertThat(row.getString(1)).isEqualTo(WRITTEN);
                assertThat(row.getObject(2)).isInstanceOf(PGobject.class).hasToString(CANONICAL);
                assertThat(row.getString(3)).isEqualTo("[null]");
                assertThat(row.getString(4)).isEqualTo("1.50");
            }
        }
    }

    @Test
    void aParameterIsAKeyOrTheNumberOfAnElement() throws SQLException {
        makeTable();
        update("UPDATE doc SET b = '{\"a\": [7, {\"0\": 8}]}'");
        try (PreparedStatement query =
                connection.prepareStatement("SELECT b -> 'a' -> ?, b -> 'a' -> 1 ->> ?, b -> ? ->> ?::int FROM doc")) {
            query.setInt(1, -1);
            query.setString(2, "0");
            query.setString(3, "a");
            query.setInt(4, 0);
            assertThat(rows(query.executeQuery())).containsExactly("{\"0\": 8},8,7");
        }
    }

    @Test
    void questionMarksAreOperators() throws SQLException {
        makeTable();
        assertThat(
                        rows(
                                "SELECT b ? 'a', b ? 'x', b ?| array['x', 'b'], b ?& '{a,x}', b ?& ARRAY['a', 'b']::text[] FROM doc"))
                .containsExactly("t,f,t,f,t");
        try (PreparedStatement query = connection.prepareStatement(
                "SELECT id FROM doc WHERE b ?? ? AND b ??| array[?, 'x'] AND b ??& '{a,b}'")) {
            query.setString(1, "a");
            query.setString(2, "b");
            assertThat(query.executeQuery().next()).isTrue();
        }
        update("CREATE VIEW having_a AS SELECT id FROM doc WHERE b ? 'a'");
        assertThat(rows("SELECT id FROM having_a")).containsExactly("1");
    }

    @Test
    void operatorsAreThoseOfPostgres() throws SQLException {
        makeTable();
        assertThat(
                        rows(
                                "SELECT b #> '{a,0}', b #>> '{b}', b - 'a', b - '{a,b}'::text[], b #- '{a,0}', b || '{\"c\":2}' FROM doc"))
                .containsExactly(
                        "null,1.50,{\"b\": 1.50},{},{\"a\": [], \"b\": 1.50},{\"a\": [null], \"b\": 1.50, \"c\": 2}");
        assertThat(rows("SELECT jsonb '{\"a\": {\"b\": 1}}' -> 'a' ->> 'b', ('[1,2]'::json ->> -1)::int + 1"))
                .containsExactly("1,3");
        assertThat(rows("SELECT jsonb_set(b, ARRAY['a', '0'], to_jsonb('x'::text)), jsonb_pretty('[1]') FROM doc"))
                .containsExactly("{\"a\": [\"x\"], \"b\": 1.50},[\n    1\n]");
        assertThat(rows("SELECT json_agg(id), jsonb_object_agg('k', j) FROM doc"))
                .containsExactly("[1],{\"k\": {\"a\": [null], \"b\": 1.50}}");
    }

    @Test
    void wrongDocumentsHaveTheErrorsOfPostgres() throws SQLException {
        makeTable();
        fails("SELECT '{'::jsonb", "22P02");
        fails("SELECT '[1,]'::json", "22P02");
        fails("INSERT INTO doc (id, b) VALUES (2, 'x')", "22P02");
        fails("SELECT '\"\\u0000\"'::jsonb", "22P05");
        fails("SELECT '1e400000'::jsonb", "22003");
        fails("SELECT (repeat('[', 5000) || repeat(']', 5000))::jsonb", "54001");
        fails("SELECT j = j FROM doc", "42883");
        fails("SELECT j FROM doc GROUP BY j", "42883");
        fails("SELECT j FROM doc ORDER BY j", "42883");
        fails("SELECT min(b) FROM doc", "42883");
        fails("SELECT b -> true FROM doc", "42883");
        fails("SELECT upper(b) FROM doc", "42883");
        fails("SELECT jsonb_array_length('{}')", "22023");
        fails("SELECT '\"x\"'::jsonb::int", "22023");
        fails("SELECT '1'::jsonb - 'a'", "22023");
        fails("SELECT jsonb_build_object('a')", "22023");
        fails("SELECT jsonb_set('[1]', '{a}', '2')", "22P02");
        try (PreparedStatement insert = connection.prepareStatement("INSERT INTO doc VALUES (2, ?::json, NULL)")) {
            insert.setString(1, "{");
            assertThatThrownBy(insert::executeUpdate)
                    .isInstanceOfSatisfying(
                            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("22P02"));
        }
    }

    @Test
    void differencesFromPostgresAreThoseThatThePageNames() throws SQLException {
        makeTable();
        assertThat(rows("SELECT '[1,2]'::jsonb -> 2 - 1")).containsExactly("2");
        fails("SELECT '[1,2]'::jsonb - 0 || '[3]'", "42883");
        assertThat(rows("SELECT json_agg(x) FROM (VALUES (2), (1)) AS v (x)")).containsExactly("[1, 2]");
        assertThat(rows("SELECT to_json(1e20::float8), to_jsonb(1e20::float8)"))
                .containsExactly("1.0e20,100000000000000000000");
        fails("SELECT json_agg(id) OVER () FROM doc", "0A000");
        fails("SELECT jsonb_each(b) FROM doc", "42883");
        fails("SELECT b @? 'strict $.a' FROM doc", "0A000");
        fails("SELECT greatest(b, b) FROM doc", "42883");
        fails("SELECT '1'::json::int", "42804");
        fails("CREATE INDEX of_documents ON doc (b)", "0A000");
        fails("CREATE TABLE keyed (b jsonb PRIMARY KEY)", "0A000");
    }

    private void fails(String sql, String state) {
        assertThatThrownBy(() -> rows(sql))
                .isInstanceOfSatisfying(
                        SQLException.class,
                        e -> assertThat(e.getSQLState())
                                .as(sql + ": " + e.getMessage())
                                .isEqualTo(state));
    }

    @Test
    void documentsAreCopiedAndSurviveARestart() throws SQLException, IOException {
        makeTable();
        CopyManager copy = connection.unwrap(PGConnection.class).getCopyAPI();
        for (String format : List.of("TEXT", "CSV", "BINARY")) {
            ByteArrayOutputStream copied = new ByteArrayOutputStream();
            assertThat(copy.copyOut("COPY doc TO STDOUT (FORMAT " + format + ")", copied))
                    .isEqualTo(1);
            update("DELETE FROM doc");
            assertThat(copy.copyIn(
                            "COPY doc FROM STDIN (FORMAT " + format + ")",
                            new ByteArrayInputStream(copied.toByteArray())))
                    .isEqualTo(1);
            assertThat(rows("SELECT j, b FROM doc")).containsExactly(WRITTEN + "," + CANONICAL);
        }
        assertThatThrownBy(() -> copy.copyIn(
                        "COPY doc FROM STDIN", new ByteArrayInputStream("2\t{\t{}\n".getBytes(StandardCharsets.UTF_8))))
                .isInstanceOfSatisfying(
                        SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("22P02"));
        assertThat(rows("SELECT data_type, udt_name FROM information_schema.columns WHERE table_name = 'doc'"
                        + " ORDER BY ordinal_position"))
                .containsExactly("integer,int4", "json,json", "jsonb,jsonb");
        assertThat(rows("SELECT typname FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid"
                        + " WHERE attrelid = 'doc'::regclass AND attnum > 1 ORDER BY attnum"))
                .containsExactly("json", "jsonb");
        stop();
        start();
        assertThat(rows("SELECT j, b FROM doc WHERE b = '{\"b\": 1.5, \"a\": [null]}'"))
                .containsExactly(WRITTEN + "," + CANONICAL);
    }
}
