package dev.fulmar.it.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.sql.Array;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyManager;

/** Arrays with the JDBC driver of PostgreSQL, on a durable node that may start again. */
class PostgresArraysTest extends PostgresNodeFixture {
    /** From the fifth execution on the driver has prepared the statement by name, and reads binary values. */
    private static final int EXECUTIONS = 12;

    PostgresArraysTest() {
        super(true);
    }

    private void makeTable() throws SQLException {
        update("CREATE TABLE list (id integer PRIMARY KEY, tags text[] DEFAULT '{}', ns int[], bs bigint[],"
                + " ds numeric(10,2)[], vs varchar(10)[], us uuid[], ts timestamptz[])");
        update("INSERT INTO list VALUES (1, '{a,\"b c\",NULL}', ARRAY[1,NULL,3], '{5000000000}', '{1.5}', '{x}',"
                + " '{00000000-0000-0000-0000-000000000001}', '{2024-07-01 12:00:00+00}')");
    }

    @Test
    void arraysPassAsParametersInAllWaysOfTheDriver() throws SQLException {
        makeTable();
        UUID uuid = new UUID(7, 8);
        try (PreparedStatement insert = connection.prepareStatement(
                "INSERT INTO list VALUES (?, ?, ?, ?, ?, ?::varchar[], ?, ?::timestamptz[])")) {
            for (int i = 0; i < EXECUTIONS; i++) {
                insert.setInt(1, 10 + i);
                insert.setArray(2, connection.createArrayOf("text", new Object[] {"a", null, "c,\"d\""}));
                if (i % 2 == 0) {
                    insert.setObject(3, new int[] {1, 2});
                } else {
                    insert.setArray(3, connection.createArrayOf("int4", new Object[] {1, 2}));
                }
                insert.setObject(4, new long[] {5_000_000_000L});
                insert.setArray(5, connection.createArrayOf("numeric", new Object[] {new BigDecimal("1.50"), null}));
                insert.setString(6, "{x,y}");
                insert.setArray(7, connection.createArrayOf("uuid", new Object[] {uuid}));
                insert.setObject(8, "{2024-07-01 12:00:00+00}", Types.OTHER);
                assertThat(insert.executeUpdate()).isEqualTo(1);
            }
        }
        assertThat(rows("SELECT count(*), count(DISTINCT tags), min(ns)::text, max(ds)::text FROM list WHERE id >= 10"))
                .containsExactly(EXECUTIONS + ",1,{1,2},{1.50,NULL}");
        try (PreparedStatement query = connection.prepareStatement(
                "SELECT tags, ns, bs, ds, vs, us, ts, tags[?] FROM list WHERE tags @> ? AND ns = ? AND ? = ANY (vs)")) {
            for (int i = 0; i < EXECUTIONS; i++) {
                query.setInt(1, 3);
                query.setArray(2, connection.createArrayOf("text", new Object[] {"a"}));
                query.setArray(3, connection.createArrayOf("int4", new Object[] {1, 2}));
                query.setString(4, "y");
                ResultSet row = query.executeQuery();
                assertThat(row.next()).isTrue();
                assertThat(row.getMetaData().getColumnTypeName(1)).isEqualTo("_text");
                assertThat(row.getMetaData().getColumnTypeName(5)).isEqualTo("_varchar");
                assertThat(row.getMetaData().getColumnType(2)).isEqualTo(Types.ARRAY);
                assertThat((Object[]) row.getArray(1).getArray()).containsExactly("a", null, "c,\"d\"");
                assertThat((Object[]) row.getArray(2).getArray()).containsExactly(1, 2);
                assertThat((Object[]) row.getArray(3).getArray()).containsExactly(5_000_000_000L);
                assertThat((Object[]) row.getArray(4).getArray()).containsExactly(new BigDecimal("1.50"), null);
                assertThat((Object[]) row.getArray(5).getArray()).containsExactly("x", "y");
                Array uuids = row.getArray(6);
                assertThat((Object[]) uuids.getArray()).containsExactly(uuid);
                assertThat(row.getString(8)).isEqualTo("c,\"d\"");
            }
        }
    }

    @Test
    void anArrayThatIsComparedIsAParameterToo() throws SQLException {
        makeTable();
        try (PreparedStatement query = connection.prepareStatement(
                "SELECT id FROM list WHERE tags && ?::text[] AND tags || ? @> ? AND id = ANY (?) AND ns[1] = ANY (?)")) {
            query.setArray(1, connection.createArrayOf("text", new Object[] {"b c"}));
            query.setArray(2, connection.createArrayOf("text", new Object[] {"z"}));
            query.setArray(3, connection.createArrayOf("text", new Object[] {"z", "a"}));
            query.setArray(4, connection.createArrayOf("int4", new Object[] {1, 2}));
            query.setArray(5, connection.createArrayOf("int4", new Object[] {1}));
            assertThat(rows(query.executeQuery())).containsExactly("1");
        }
    }

    @Test
    void operatorsAndFunctionsAreThoseOfPostgres() throws SQLException {
        makeTable();
        assertThat(rows("SELECT tags[2], tags || 'x'::text, 3 = ANY(ns), 4 <> ALL(ns), array_length(ns, 1),"
                        + " cardinality(tags), array_to_string(tags, '-', '?'), array_position(ns, 3) FROM list"))
                .containsExactly("b c,{a,\"b c\",NULL,x},t,null,3,3,a-b c-?,3");
        assertThat(rows("SELECT '{1,2}'::int[] || 3, ARRAY[1,2] && '{2}', string_to_array('a b', ' '),"
                        + " ARRAY[]::text[], array_agg(id ORDER BY id), (ARRAY['p','q'])[2] FROM list"))
                .containsExactly("{1,2,3},t,{a,b},{},{1},q");
        assertThat(rows("SELECT ARRAY[true, false], '{1.5}'::float8[], ARRAY[date '2024-02-29'], ts::text FROM list"))
                .containsExactly("{t,f},{1.5},{2024-02-29},{\"2024-07-01 12:00:00+00\"}");
        assertThat(
                        rows(
                                "SELECT '{1,2}'::int[3], ARRAY(SELECT id FROM list), ARRAY[1, 'NaN']::float8[], vs::text[] FROM list"))
                .containsExactly("{1,2},{1},{1,NaN},{x}");
        update("ALTER TABLE list ALTER COLUMN vs TYPE varchar(20)[]");
        update("UPDATE list SET vs = vs || 'longer than ten'::text");
        assertThat(rows("SELECT vs FROM list")).containsExactly("{x,\"longer than ten\"}");
        update("SET TimeZone = 'Asia/Tokyo'");
        assertThat(rows("SELECT ts, ts::text, '{2024-07-01 00:00}'::timestamptz[] FROM list"))
                .containsExactly(
                        "{\"2024-07-01 21:00:00+09\"},{\"2024-07-01 21:00:00+09\"},{\"2024-07-01 00:00:00+09\"}");
    }

    @Test
    void wrongArraysHaveTheErrorsOfPostgres() throws SQLException {
        makeTable();
        fails("SELECT '{1,'::int[]", "22P02");
        fails("SELECT '{x}'::int[]", "22P02");
        fails("SELECT '1'::int[]", "22P02");
        fails("INSERT INTO list (id, ns) VALUES (2, '')", "22P02");
        fails("INSERT INTO list (id, vs) VALUES (2, '{longer than ten}')", "22001");
        fails("SELECT '{3000000000}'::int[]", "22003");
        fails("SELECT ARRAY[]", "42P18");
        fails("SELECT ns = tags FROM list", "42883");
        fails("SELECT upper(tags) FROM list", "42883");
        fails("SELECT array_length(5, 1)", "42883");
        try (PreparedStatement insert = connection.prepareStatement("INSERT INTO list (id, ns) VALUES (2, ?)")) {
            insert.setObject(1, "{1,}", Types.OTHER);
            assertThatThrownBy(insert::executeUpdate)
                    .isInstanceOfSatisfying(
                            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("22P02"));
        }
    }

    @Test
    void differencesFromPostgresAreThoseThatThePageNames() throws SQLException {
        makeTable();
        fails("SELECT '{{1}}'::int[]", "0A000");
        fails("SELECT ARRAY[ARRAY[1]]", "0A000");
        fails("SELECT ARRAY(SELECT id FROM list LIMIT 1)", "0A000");
        fails("SELECT array_agg(id) OVER () FROM list", "0A000");
        fails("SELECT array_agg(tags) FROM list", "0A000");
        fails("SELECT ns[1][1] FROM list", "42883");
        assertThat(rows("SELECT lag(ns) OVER (ORDER BY id), ns = ARRAY[1::bigint] FROM list"))
                .containsExactly("null,f");
        fails("SELECT 1 < ANY (ns) FROM list", "0A000");
        fails("CREATE TABLE keyed (a int[] PRIMARY KEY)", "0A000");
        fails("CREATE INDEX of_arrays ON list (tags)", "0A000");
        fails("CREATE TABLE odd (id int PRIMARY KEY, a jsonb[])", "0A000");
        assertThat(rows("SELECT array_agg(x) FROM (VALUES (2), (1)) AS v (x)")).containsExactly("{1,2}");
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
    void arraysAreCopiedAndSurviveARestart() throws SQLException, IOException {
        makeTable();
        List<String> before = rows("SELECT * FROM list");
        CopyManager copy = connection.unwrap(PGConnection.class).getCopyAPI();
        for (String format : List.of("TEXT", "CSV", "BINARY")) {
            ByteArrayOutputStream copied = new ByteArrayOutputStream();
            assertThat(copy.copyOut("COPY list TO STDOUT (FORMAT " + format + ")", copied))
                    .isEqualTo(1);
            update("DELETE FROM list");
            assertThat(copy.copyIn(
                            "COPY list FROM STDIN (FORMAT " + format + ")",
                            new ByteArrayInputStream(copied.toByteArray())))
                    .isEqualTo(1);
            assertThat(rows("SELECT * FROM list")).isEqualTo(before);
        }
        assertThatThrownBy(() -> copy.copyIn(
                        "COPY list (id, ns) FROM STDIN",
                        new ByteArrayInputStream("2\t{1,\n".getBytes(StandardCharsets.UTF_8))))
                .isInstanceOfSatisfying(
                        SQLException.class,
                        e -> assertThat(e.getSQLState()).as(e.getMessage()).isEqualTo("22P02"));
        assertThat(rows("SELECT data_type, udt_name FROM information_schema.columns WHERE table_name = 'list'"
                        + " AND ordinal_position IN (1, 2, 6) ORDER BY ordinal_position"))
                .containsExactly("integer,int4", "ARRAY,_text", "ARRAY,_varchar");
        assertThat(rows("SELECT format_type(a.atttypid, a.atttypmod), a.attndims FROM pg_attribute a"
                        + " WHERE a.attrelid = 'list'::regclass AND a.attnum > 1 ORDER BY a.attnum"))
                .containsExactly(
                        "text[],1",
                        "integer[],1",
                        "bigint[],1",
                        "numeric(10,2)[],1",
                        "character varying(10)[],1",
                        "uuid[],1",
                        "timestamp with time zone[],1");
        stop();
        start();
        assertThat(rows("SELECT * FROM list")).isEqualTo(before);
    }
}
