package dev.fulmar.it.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Sequences with the bounds that PostgreSQL gives them, and identity columns that change. */
@Timeout(60)
class SequencesOfClientsTest extends PostgresNodeFixture {
    SequencesOfClientsTest() {
        super(true);
    }

    private List<String> next(String sequence, int count) throws SQLException {
        StringBuilder calls = new StringBuilder("SELECT nextval('" + sequence + "')");
        calls.append((", nextval('" + sequence + "')").repeat(count - 1));
        return rows(calls.toString());
    }

    @Test
    void numbersStayWithinTheirBounds() throws SQLException {
        run(connection, "CREATE SEQUENCE s START WITH 24 INCREMENT BY 4 MINVALUE 5 MAXVALUE 36 CYCLE");
        assertThat(next("s", 6)).containsExactly("24,28,32,36,5,9");
        run(connection, "ALTER SEQUENCE s RESTART WITH 32 NO CYCLE");
        assertThat(next("s", 2)).containsExactly("32,36");
        assertThat(state(connection, "SELECT nextval('s')")).isEqualTo("22003");
        run(connection, "ALTER SEQUENCE s MAXVALUE 44 CYCLE");
        assertThat(next("s", 3)).containsExactly("40,44,5");
        run(connection, "ALTER SEQUENCE s RESTART");
        assertThat(next("s", 1)).containsExactly("24");
    }

    @Test
    void numbersGoDownFromMinusOne() throws SQLException {
        run(connection, "CREATE SEQUENCE down INCREMENT BY -2 MINVALUE -5");
        assertThat(next("down", 3)).containsExactly("-1,-3,-5");
        assertThat(state(connection, "SELECT nextval('down')")).isEqualTo("22003");
        run(connection, "ALTER SEQUENCE down RESTART CYCLE");
        assertThat(next("down", 4)).containsExactly("-1,-3,-5,-1");
    }

    @Test
    void rulesThatContradictThemselvesAreRefused() throws SQLException {
        for (String options : List.of(
                "INCREMENT BY 0",
                "INCREMENT BY -1 MINVALUE 20",
                "MAXVALUE -20",
                "INCREMENT BY -1 START 10",
                "START -10",
                "CACHE 0",
                "AS smallint MAXVALUE 100000",
                "AS text")) {
            assertThat(state(connection, "CREATE SEQUENCE wrong " + options))
                    .as(options)
                    .isEqualTo("22023");
        }
        assertThat(state(connection, "CREATE SEQUENCE wrong OWNED BY nothing.a"))
                .isEqualTo("42P01");
        run(connection, "CREATE SEQUENCE s MAXVALUE 10");
        assertThat(state(connection, "SELECT setval('s', 11)")).isEqualTo("22003");
        assertThat(state(connection, "ALTER SEQUENCE s RESTART WITH 0")).isEqualTo("22023");
        assertThat(state(connection, "ALTER SEQUENCE s AS smallint")).isEqualTo("00000");
        assertThat(rows("SELECT data_type, max_value FROM pg_sequences WHERE sequencename = 's'"))
                .containsExactly("smallint,10");
    }

    /** Nodes have drawn numbers ahead, and only a restart takes them back. */
    @Test
    void aSequenceInUseChangesItsStepsWithARestart() throws SQLException {
        run(connection, "CREATE SEQUENCE s", "ALTER SEQUENCE s INCREMENT BY 10");
        assertThat(next("s", 2)).containsExactly("1,11");
        assertThat(state(connection, "ALTER SEQUENCE s INCREMENT BY 5")).isEqualTo("0A000");
        run(connection, "ALTER SEQUENCE s INCREMENT BY 5 RESTART WITH 100", "ALTER SEQUENCE s RENAME TO renamed");
        assertThat(next("renamed", 2)).containsExactly("100,105");
        run(connection, "CREATE SEQUENCE s");
        assertThat(next("s", 1)).containsExactly("1");
    }

    @Test
    void boundsOutliveANode() throws SQLException {
        run(connection, "CREATE SEQUENCE s MAXVALUE 3 CYCLE CACHE 1", "CREATE TABLE t (id smallserial, name text)");
        assertThat(next("s", 2)).containsExactly("1,2");
        run(connection, "INSERT INTO t (name) VALUES ('a'), ('b')");
        assertThat(rows("SELECT * FROM t ORDER BY id")).containsExactly("1,a", "2,b");
        assertThat(state(connection, "INSERT INTO t VALUES (32768)")).isEqualTo("22003");
    }

    @Test
    void theLastNumberIsOfTheSession() throws SQLException {
        run(connection, "CREATE SEQUENCE s", "CREATE SEQUENCE other");
        assertThat(rows("SELECT nextval('s'::text)")).containsExactly("1");
        assertThat(rows("SELECT setval('s'::regclass, 99)")).containsExactly("99");
        assertThat(rows("SELECT lastval(), currval('s')")).containsExactly("99,99");
        assertThat(rows("SELECT setval('s', 7, false)")).containsExactly("7");
        assertThat(rows("SELECT lastval()")).containsExactly("99");
        assertThat(rows("SELECT nextval('other')")).containsExactly("1");
        run(connection, "DROP SEQUENCE other");
        assertThat(state(connection, "SELECT lastval()")).isEqualTo("55000");
        assertThat(rows("SELECT nextval('s')")).containsExactly("7");
        run(connection, "DISCARD SEQUENCES");
        assertThat(state(connection, "SELECT lastval()")).isEqualTo("55000");
        try (Connection another = connect("")) {
            assertThat(state(another, "SELECT lastval()")).isEqualTo("55000");
        }
    }

    @Test
    void anIdentityColumnChanges() throws SQLException {
        run(connection, "CREATE TABLE t (id int GENERATED ALWAYS AS IDENTITY, name text)");
        run(connection, "INSERT INTO t OVERRIDING USER VALUE VALUES (70, 'a')");
        assertThat(state(connection, "INSERT INTO t VALUES (70, 'b')")).isEqualTo("428C9");
        run(
                connection,
                "ALTER TABLE t ALTER COLUMN id SET GENERATED BY DEFAULT SET INCREMENT BY 2 SET START WITH 100 RESTART");
        run(connection, "INSERT INTO t VALUES (70, 'b')", "INSERT INTO t (name) VALUES ('c'), ('d')");
        assertThat(rows("SELECT id, name FROM t ORDER BY name")).containsExactly("1,a", "70,b", "100,c", "102,d");
        run(connection, "ALTER TABLE t ALTER id DROP IDENTITY", "ALTER TABLE t ALTER id DROP IDENTITY IF EXISTS");
        assertThat(state(connection, "INSERT INTO t (name) VALUES ('e')")).isEqualTo("23502");
        assertThat(rows("SELECT count(*) FROM pg_sequences")).containsExactly("0");
    }
}
