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

/** Types with labels, with the JDBC driver of PostgreSQL, on a durable node that may start again. */
class PostgresEnumerationsTest extends PostgresNodeFixture {
    /** From the fifth execution on the driver has prepared the statement by name, and reads binary values. */
    private static final int EXECUTIONS = 12;

    PostgresEnumerationsTest() {
        super(true);
    }

    private void make() throws SQLException {
        run(
                connection,
                "CREATE TYPE public.mood AS ENUM (\n    'sad',\n    'ok',\n    'happy'\n)",
                "ALTER TYPE public.mood OWNER TO CURRENT_USER",
                "COMMENT ON TYPE public.mood IS 'how one feels'",
                "CREATE TABLE public.person (id integer NOT NULL, m public.mood,"
                        + " d public.mood DEFAULT 'ok'::public.mood NOT NULL)",
                "ALTER TABLE ONLY public.person ADD CONSTRAINT person_pkey PRIMARY KEY (id)",
                "INSERT INTO person VALUES (1, 'happy', 'sad'), (2, 'sad', DEFAULT), (3, NULL, 'happy')");
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
    void labelsPassAsParametersInAllWaysOfTheDriver() throws SQLException {
        make();
        try (PreparedStatement insert = connection.prepareStatement(
                "INSERT INTO person VALUES (?, ?::mood, ?), (?, ?, CAST(? AS public.mood))")) {
            for (int i = 0; i < EXECUTIONS; i++) {
                PGobject object = new PGobject();
                object.setType("mood");
                object.setValue("happy");
                insert.setInt(1, 10 + 2 * i);
                insert.setString(2, "sad");
                insert.setObject(3, object);
                insert.setInt(4, 11 + 2 * i);
                insert.setObject(5, "ok", Types.OTHER);
                insert.setString(6, "happy");
                assertThat(insert.executeUpdate()).isEqualTo(2);
            }
        }
        assertThat(rows("SELECT count(*), count(m), min(m), max(m), min(d::text) FROM person WHERE id >= 10"))
                .containsExactly(2 * EXECUTIONS + "," + 2 * EXECUTIONS + ",sad,ok,happy");
        try (PreparedStatement query =
                connection.prepareStatement("SELECT m, d, m::text FROM person WHERE m = ? AND id < 10")) {
            assertThat(query.getParameterMetaData().getParameterTypeName(1)).isEqualTo("mood");
            for (int i = 0; i < EXECUTIONS; i++) {
                query.setObject(1, "happy", Types.OTHER);
                ResultSet row = query.executeQuery();
                assertThat(row.next()).isTrue();
                assertThat(row.getMetaData().getColumnTypeName(1)).isEqualTo("mood");
                assertThat(row.getMetaData().getColumnType(1)).isEqualTo(Types.VARCHAR);
                assertThat(row.getString(1)).isEqualTo("happy");
                assertThat(row.getObject(2)).isEqualTo("sad");
                assertThat(row.getString(3)).isEqualTo("happy");
            }
        }
    }

    @Test
    void wrongStatementsHaveTheErrorsOfPostgres() throws SQLException {
        make();
        fails("INSERT INTO person (id, m) VALUES (9, 'glad')", "22P02");
        fails("SELECT 'glad'::mood", "22P02");
        fails("SELECT * FROM person WHERE m = 'glad'", "22P02");
        fails("SELECT * FROM person WHERE m = 'glad'::mood", "22P02");
        fails("SELECT * FROM person WHERE m = 'ok'::text", "42883");
        fails("SELECT * FROM person WHERE m = 1", "42883");
        fails("SELECT * FROM person WHERE (m, id) = ('ok'::text, 1)", "42883");
        fails("SELECT coalesce(m, 'ok'::text) FROM person", "42804");
        fails("SELECT m FROM person UNION SELECT 'ok'::text", "42804");
        fails("SELECT upper(m) FROM person", "42883");
        fails("SELECT m + 1 FROM person", "42883");
        fails("SELECT m FROM person WHERE m LIKE 'o%'", "42883");
        fails("INSERT INTO person (id, m) SELECT 9, repeat('ok', 1)", "42804");
        fails("DROP TYPE mood", "2BP01");
        fails("CREATE TYPE mood AS ENUM ('a')", "42710");
        fails("ALTER TYPE mood ADD VALUE 'ok'", "42710");
        fails("ALTER TYPE mood ADD VALUE 'x' BEFORE 'glad'", "22023");
        fails("DROP TYPE nothing", "42704");
        fails("ALTER TYPE nothing ADD VALUE 'x'", "42704");
        fails("DROP TYPE mood CASCADE", "2BP01");
        fails("CREATE TYPE pair AS (a int, b int)", "0A000");
        fails("ALTER TABLE person ALTER COLUMN m TYPE text USING m::text", "0A000");
        fails("ALTER TABLE person ALTER COLUMN id TYPE mood USING 'ok'", "0A000");
        fails("CREATE TYPE span AS RANGE (subtype = int4)", "0A000");
        try (PreparedStatement insert = connection.prepareStatement("INSERT INTO person (id, m) VALUES (9, ?)")) {
            insert.setObject(1, "glad", Types.OTHER);
            assertThatThrownBy(insert::executeUpdate)
                    .isInstanceOfSatisfying(
                            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("22P02"));
        }
        assertThatThrownBy(() -> rows("SELECT 'glad'::mood"))
                .hasMessageContaining("invalid input value for enum mood: \"glad\"");
    }

    private List<String> labels() throws SQLException {
        return rows("SELECT enumlabel FROM pg_enum e JOIN pg_type t ON t.oid = e.enumtypid"
                + " WHERE t.typname = 'mood' ORDER BY enumsortorder");
    }

    @Test
    void theCatalogShowsTypesAndNumbersStay() throws SQLException {
        make();
        List<String> types = rows("SELECT t.oid, typtype, typcategory, typlen, nspname FROM pg_type t"
                + " JOIN pg_namespace n ON n.oid = typnamespace WHERE typname = 'mood'");
        assertThat(types).singleElement().asString().endsWith(",e,E,4,public");
        List<String> numbers = rows("SELECT oid, enumlabel FROM pg_enum ORDER BY oid");
        assertThat(numbers).hasSize(3);
        update("ALTER TYPE mood ADD VALUE IF NOT EXISTS 'meh' BEFORE 'ok'");
        update("ALTER TYPE mood RENAME VALUE 'happy' TO 'glad'");
        stop();
        start();
        assertThat(labels()).containsExactly("sad", "meh", "ok", "glad");
        assertThat(rows("SELECT t.oid, typtype, typcategory, typlen, nspname FROM pg_type t"
                        + " JOIN pg_namespace n ON n.oid = typnamespace WHERE typname = 'mood'"))
                .isEqualTo(types);
        assertThat(rows("SELECT oid, CASE enumlabel WHEN 'glad' THEN 'happy' ELSE enumlabel END FROM pg_enum"
                        + " WHERE enumlabel <> 'meh' ORDER BY oid"))
                .isEqualTo(numbers);
        assertThat(rows("SELECT data_type, udt_schema, udt_name FROM information_schema.columns"
                        + " WHERE table_name = 'person' ORDER BY ordinal_position"))
                .containsExactly("integer,pg_catalog,int4", "USER-DEFINED,public,mood", "USER-DEFINED,public,mood");
        assertThat(rows("SELECT format_type(atttypid, atttypmod), typname FROM pg_attribute a"
                        + " JOIN pg_type t ON t.oid = a.atttypid WHERE attrelid = 'person'::regclass AND attnum = 2"))
                .containsExactly("mood,mood");
        assertThat(rows("SELECT 'mood'::regtype::oid = t.oid, obj_description(t.oid, 'pg_type') FROM pg_type t"
                        + " WHERE typname = 'mood'"))
                .containsExactly("t,how one feels");
    }

    @Test
    void labelsAreCopiedAndSurviveARestart() throws SQLException, IOException {
        make();
        CopyManager copy = connection.unwrap(PGConnection.class).getCopyAPI();
        for (String format : List.of("TEXT", "CSV", "BINARY")) {
            ByteArrayOutputStream copied = new ByteArrayOutputStream();
            assertThat(copy.copyOut("COPY person TO STDOUT (FORMAT " + format + ")", copied))
                    .isEqualTo(3);
            update("DELETE FROM person");
            assertThat(copy.copyIn(
                            "COPY person FROM STDIN (FORMAT " + format + ")",
                            new ByteArrayInputStream(copied.toByteArray())))
                    .isEqualTo(3);
            assertThat(rows("SELECT id, m, d FROM person ORDER BY m"))
                    .containsExactly("2,sad,ok", "1,happy,sad", "3,null,happy");
        }
        assertThatThrownBy(() -> copy.copyIn(
                        "COPY public.person (id, m, d) FROM stdin",
                        new ByteArrayInputStream("7\tglad\tok\n".getBytes(StandardCharsets.UTF_8))))
                .isInstanceOfSatisfying(
                        SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("22P02"));
        stop();
        start();
        assertThat(rows("SELECT id FROM person WHERE m > 'sad'")).containsExactly("1");
        assertThat(rows("INSERT INTO person (id) VALUES (4) RETURNING d")).containsExactly("ok");
    }

    @Test
    void typesAreMadeInATransaction() throws SQLException {
        connection.setAutoCommit(false);
        run(connection, "CREATE TYPE mood AS ENUM ('a', 'b')", "CREATE TABLE t (id int PRIMARY KEY, m mood)");
        update("INSERT INTO t VALUES (1, 'b')");
        connection.rollback();
        run(connection, "CREATE TYPE mood AS ENUM ('a', 'b')", "CREATE TABLE t (id int PRIMARY KEY, m mood)");
        update("INSERT INTO t VALUES (1, 'b')");
        connection.commit();
        connection.setAutoCommit(true);
        assertThat(rows("SELECT m FROM t")).containsExactly("b");
        connection.setAutoCommit(false);
        update("UPDATE t SET m = 'a'");
        assertThat(rows("SELECT m FROM t WHERE m = 'a'")).containsExactly("a");
        update("INSERT INTO t VALUES (2, 'b')");
        connection.commit();
        connection.setAutoCommit(true);
        assertThat(rows("SELECT id, m FROM t ORDER BY m")).containsExactly("1,a", "2,b");
    }

    @Test
    void whatIsPreparedLivesAcrossChangesOfTheType() throws SQLException {
        make();
        try (PreparedStatement query = connection.prepareStatement("SELECT id, m FROM person WHERE m >= ? ORDER BY m");
                PreparedStatement insert = connection.prepareStatement("INSERT INTO person (id, m) VALUES (?, ?)")) {
            for (int i = 0; i < EXECUTIONS; i++) {
                query.setObject(1, "happy", Types.OTHER);
                assertThat(rows(query.executeQuery())).first().isEqualTo("1,happy");
                update("ALTER TYPE mood ADD VALUE 'v" + i + "' AFTER 'happy'");
                insert.setInt(1, 100 + i);
                insert.setObject(2, "v" + i, Types.OTHER);
                assertThat(insert.executeUpdate()).isEqualTo(1);
            }
            query.setObject(1, "v2", Types.OTHER);
            assertThat(rows(query.executeQuery())).containsExactly("102,v2", "101,v1", "100,v0");
        }
    }

    @Test
    void aCursorFetchesLabelsInParts() throws SQLException {
        make();
        update("INSERT INTO person SELECT a.id * 10 + b.id, a.m, b.d FROM person a, person b");
        connection.setAutoCommit(false);
        try (PreparedStatement query = connection.prepareStatement("SELECT m, id FROM person ORDER BY m, id")) {
            query.setFetchSize(2);
            assertThat(rows(query.executeQuery()))
                    .hasSize(12)
                    .startsWith("sad,2")
                    .contains("happy,11")
                    .endsWith("null,33");
        }
        run(connection, "DECLARE moods SCROLL CURSOR FOR SELECT m FROM person ORDER BY m");
        assertThat(rows("FETCH LAST FROM moods")).containsExactly("null");
        assertThat(rows("FETCH ABSOLUTE 1 FROM moods")).containsExactly("sad");
        connection.commit();
        connection.setAutoCommit(true);
    }

    @Test
    void listsOfLabelsAreCompared() throws SQLException {
        make();
        assertThat(rows("SELECT id FROM person WHERE m IN ('happy', 'sad') ORDER BY id"))
                .containsExactly("1", "2");
        assertThat(rows("SELECT id FROM person WHERE m = ANY (ARRAY['happy', 'ok']::mood[])"))
                .containsExactly("1");
        try (PreparedStatement query = connection.prepareStatement("SELECT id FROM person WHERE m = ANY (?)")) {
            query.setArray(1, connection.createArrayOf("text", new String[] {"happy", "sad"}));
            assertThat(rows(query.executeQuery())).hasSize(2);
        }
    }
}
