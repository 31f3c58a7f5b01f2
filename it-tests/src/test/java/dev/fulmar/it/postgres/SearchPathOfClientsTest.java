package dev.fulmar.it.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.client.FulmarClient;
import java.io.StringReader;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.postgresql.PGConnection;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;

/** Clients whose plain names are of schemas of their own, as one for each of their customers. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class SearchPathOfClientsTest extends PostgresNodeFixture {
    private static final String TABLES = "CREATE TABLE item (id SERIAL PRIMARY KEY, name VARCHAR(20) NOT NULL,"
            + " parent INTEGER REFERENCES item (id), CONSTRAINT item_name UNIQUE (name))";

    SearchPathOfClientsTest() {
        super(true);
    }

    private static List<String> rows(Connection of, String sql) throws SQLException {
        try (Statement statement = of.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            return rows(rows);
        }
    }

    private static PSQLException failure(Connection of, String sql) throws SQLException {
        try (Statement statement = of.createStatement()) {
            statement.execute(sql);
        } catch (PSQLException e) {
            return e;
        }
        throw new AssertionError(sql + " does not fail");
    }

    /** The same migration runs once for each schema. */
    private Connection tenant(String schema) throws SQLException {
        Connection made = connect("&currentSchema=" + schema);
        run(
                made,
                TABLES,
                "CREATE INDEX item_parent ON item (parent)",
                "CREATE VIEW named AS SELECT name FROM item WHERE name <> ''",
                "CREATE SEQUENCE numbers CACHE 1",
                "CREATE TABLE copied AS SELECT id, name FROM item");
        return made;
    }

    @Test
    void eachClientHasTheTablesOfItsSchema() throws SQLException {
        run(connection, "CREATE SCHEMA one", "CREATE SCHEMA two");
        try (Connection one = tenant("one");
                Connection two = tenant("two")) {
            run(
                    one,
                    "INSERT INTO item (name) VALUES ('pen'), ('cap')",
                    "UPDATE item SET parent = 1 WHERE name = 'cap'");
            run(two, "INSERT INTO item (name) VALUES ('ink')");

            assertThat(rows(one, "SELECT item.id, name, parent FROM item ORDER BY id"))
                    .containsExactly("1,pen,null", "2,cap,1");
            assertThat(rows(two, "SELECT id, name FROM item")).containsExactly("1,ink");
            assertThat(rows(two, "SELECT name FROM named")).containsExactly("ink");
            assertThat(rows("SELECT name FROM one.named ORDER BY name")).containsExactly("cap", "pen");
            assertThat(rows(one, "SELECT nextval('numbers'), nextval('one.numbers')"))
                    .containsExactly("1,2");
            assertThat(rows(two, "SELECT nextval('numbers')")).containsExactly("1");
            assertThat(state(connection, "SELECT * FROM item")).isEqualTo("42P01");

            PSQLException doubled = failure(one, "INSERT INTO item (name) VALUES ('pen')");
            assertThat(doubled.getSQLState()).isEqualTo("23505");
            ServerErrorMessage fields = Objects.requireNonNull(doubled.getServerErrorMessage());
            assertThat(fields.getConstraint()).isEqualTo("item_name");
            assertThat(fields.getSchema()).isEqualTo("one");
            assertThat(failure(one, "INSERT INTO item (name, parent) VALUES ('x', 99)")
                            .getSQLState())
                    .isEqualTo("23503");
            run(
                    one,
                    "ALTER TABLE item ADD COLUMN size INTEGER DEFAULT 3",
                    "DROP INDEX item_parent",
                    "ALTER TABLE item DROP CONSTRAINT item_name",
                    "COMMENT ON TABLE item IS 'things'",
                    "TRUNCATE TABLE copied");
            assertThat(rows(one, "SELECT size FROM item WHERE id = 1")).containsExactly("3");
            assertThat(state(two, "SELECT size FROM item")).isEqualTo("42703");
            run(one, "DROP VIEW named", "DROP TABLE copied", "DROP TABLE item", "DROP SEQUENCE numbers");
            assertThat(rows(two, "SELECT COUNT(*) FROM item")).containsExactly("1");
        }
    }

    @Test
    void theCatalogShowsWhatIsVisible() throws SQLException {
        run(connection, "CREATE SCHEMA one", "CREATE TABLE item (a INTEGER)", "CREATE TABLE other (a INTEGER)");
        try (Connection one = connect("&currentSchema=nowhere,one,public")) {
            run(one, TABLES);
            assertThat(one.getSchema()).isEqualTo("one");
            assertThat(rows(
                            one,
                            "SELECT current_schema(), current_schemas(false), array_upper(current_schemas(false), 1),"
                                    + " array_upper(current_schemas(true), 1)"))
                    .containsExactly("one,{one,public},2,3");
            assertThat(rows(
                            one,
                            "SELECT 'item'::regclass = 'one.item'::regclass, to_regclass('public.item')::regclass"))
                    .containsExactly("t,public.item");
            assertThat(rows(
                            one,
                            "SELECT n.nspname, c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace"
                                    + " WHERE pg_table_is_visible(c.oid) AND c.relkind = 'r' AND n.nspname IN ('one',"
                                    + " 'public') ORDER BY 1, 2"))
                    .containsExactly("one,item", "public,other");
            assertThat(rows(one, "SELECT pg_get_serial_sequence('item', 'id')"))
                    .containsExactly("one.item_id_sequence");
        }
        assertThat(rows("SELECT current_schema(), 'item'::regclass = 'public.item'::regclass"))
                .containsExactly("public,t");
    }

    @Test
    void thePathIsASetting() throws SQLException {
        run(connection, "CREATE SCHEMA one", "CREATE SCHEMA \"Two\"", "CREATE TABLE t (a INTEGER)");
        run(connection, "SET search_path TO one, public", "CREATE TABLE t (b INTEGER)", "INSERT INTO t VALUES (1)");
        run(connection, "SET search_path TO 'Two'", "CREATE TABLE t (c INTEGER)", "INSERT INTO t VALUES (2)");
        assertThat(rows("SHOW search_path")).containsExactly("\"Two\"");
        assertThat(rows("SELECT c FROM t")).containsExactly("2");

        connection.setAutoCommit(false);
        run(connection, "SET LOCAL search_path = one", "INSERT INTO t VALUES (3)");
        assertThat(rows("SELECT SUM(b) FROM t")).containsExactly("4");
        connection.rollback();
        connection.setAutoCommit(true);
        assertThat(rows("SELECT c FROM t")).containsExactly("2");

        run(connection, "SELECT set_config('search_path', 'one', false)");
        assertThat(rows("SELECT b FROM t")).containsExactly("1");
        run(connection, "RESET search_path");
        assertThat(rows("SELECT COUNT(a) FROM t")).containsExactly("0");

        run(connection, "SET search_path = nowhere");
        assertThat(rows("SELECT current_schema()")).containsExactly("null");
        assertThat(state(connection, "SELECT * FROM t")).isEqualTo("42P01");
        assertThat(state(connection, "CREATE TABLE u (a INTEGER)")).isEqualTo("3F000");
        assertThat(state(connection, "SET search_path = 'a")).isEqualTo("42601");
        assertThat(state(connection, "SET search_path = pg_catalog")).isEqualTo("0A000");
        run(connection, "SET search_path = one");
        assertThat(state(connection, "CREATE PROCEDURE p AS DELETE FROM t")).isEqualTo("0A000");
    }

    /** A statement that was prepared in one path is another one in the next. */
    @Test
    void preparedStatementsFollowThePath() throws SQLException {
        run(connection, "CREATE SCHEMA one", "CREATE TABLE t (a INTEGER)", "CREATE TABLE one.t (a INTEGER)");
        run(connection, "INSERT INTO t VALUES (1)", "INSERT INTO one.t VALUES (2)");
        try (PreparedStatement read = connection.prepareStatement("SELECT a FROM t WHERE a > ?")) {
            connection.unwrap(PGConnection.class).setPrepareThreshold(1);
            for (String path : List.of("public", "one", "public", "one")) {
                run(connection, "SET search_path = " + path);
                for (int i = 0; i < 3; i++) {
                    read.setInt(1, 0);
                    try (ResultSet found = read.executeQuery()) {
                        assertThat(rows(found)).containsExactly(path.equals("one") ? "2" : "1");
                    }
                }
            }
        }
    }

    @Test
    void rowsOfACopyAreOfThePath() throws Exception {
        run(connection, "CREATE SCHEMA one", "CREATE TABLE t (a INTEGER)", "CREATE TABLE one.t (a INTEGER)");
        run(connection, "SET search_path = one");
        connection.unwrap(PGConnection.class).getCopyAPI().copyIn("COPY t FROM STDIN", new StringReader("1\n2\n"));
        assertThat(rows("SELECT COUNT(*) FROM t")).containsExactly("2");
        assertThat(rows("SELECT COUNT(*) FROM public.t")).containsExactly("0");
    }

    /** A table that comes later into a schema of the path hides the other one from then on, but not from views. */
    @Test
    void laterTablesHideOthers() throws SQLException {
        run(connection, "CREATE SCHEMA one", "CREATE TABLE t (a INTEGER)", "INSERT INTO t VALUES (1)");
        run(connection, "SET search_path = one, public", "CREATE VIEW v AS SELECT a FROM t");
        assertThat(rows("SELECT a FROM t")).containsExactly("1");
        run(connection, "CREATE TABLE t (a INTEGER)", "INSERT INTO t VALUES (2)");
        assertThat(rows("SELECT a FROM t")).containsExactly("2");
        assertThat(rows("SELECT a FROM v")).containsExactly("1");
        run(connection, "DROP TABLE t");
        assertThat(rows("SELECT a FROM t")).containsExactly("1");

        // Rows of a table that the transaction has made are not read there, and those of the other one still less.
        connection.setAutoCommit(false);
        run(connection, "CREATE TABLE t (a INTEGER)", "INSERT INTO t VALUES (3)");
        assertThat(state(connection, "SELECT a FROM t")).isEqualTo("0A000");
        connection.rollback();
        run(connection, "CREATE TABLE t (a INTEGER)", "INSERT INTO t VALUES (3)");
        connection.commit();
        assertThat(rows("SELECT a FROM t")).containsExactly("3");
        connection.rollback();
        connection.setAutoCommit(true);
    }

    /** The sequence of a column has the name that PostgreSQL gives it, in each schema. */
    @Test
    void sequencesOfColumnsAreOfThePath() throws SQLException {
        run(connection, "CREATE TABLE users (id SERIAL PRIMARY KEY, n TEXT)", "INSERT INTO users (n) VALUES ('a')");
        run(connection, "CREATE SCHEMA one", "CREATE SCHEMA two", "SET search_path = one, two, public");
        run(connection, "CREATE TABLE two.users (id SERIAL PRIMARY KEY, n TEXT)");
        run(connection, "ALTER SEQUENCE users_id_seq RESTART WITH 50", "INSERT INTO users (n) VALUES ('b')");
        assertThat(rows("SELECT currval('users_id_seq')")).containsExactly("50");
        assertThat(rows("SELECT setval('users_id_seq', 70)")).containsExactly("70");
        assertThat(rows("SELECT nextval('users_id_seq')")).containsExactly("71");
        run(connection, "INSERT INTO public.users (n) VALUES ('c')");
        assertThat(rows("SELECT id FROM public.users ORDER BY id")).containsExactly("1", "2");
    }

    @Test
    void namesOfMixedCaseAreOfThePath() throws SQLException {
        String table = "CREATE TABLE \"User\" (\"userId\" SERIAL PRIMARY KEY, n TEXT)";
        run(connection, table, "CREATE SCHEMA one", "SET search_path = one, public", table);
        run(connection, "INSERT INTO public.\"User\" (n) VALUES ('a'), ('b')");
        assertThat(rows("SELECT nextval('\"User_userId_seq\"')")).containsExactly("1");
        run(connection, "CREATE VIEW v AS SELECT replace(n, E'\\r', '') AS n FROM \"User\"");
        run(connection, "INSERT INTO \"User\" (n) VALUES ('x')");
        assertThat(rows("SELECT n FROM v")).containsExactly("x");
    }

    /** The value is that of the execution, also beside a parameter whose type its client tells. */
    @Test
    void theSchemaIsThatOfTheExecution() throws SQLException {
        run(connection, "CREATE SCHEMA one", "PREPARE p(int) AS SELECT -$1, current_schema()");
        assertThat(rows("EXECUTE p(3)")).containsExactly("-3,public");
        run(connection, "SET search_path = one");
        assertThat(rows("EXECUTE p(4)")).containsExactly("-4,one");
        assertThat(state(connection, "CREATE VIEW v AS SELECT current_schema() AS s"))
                .isNotEqualTo("00000");
        run(connection, "PREPARE q(text) AS SELECT 1 WHERE current_schema() = $1");
        assertThat(rows("EXECUTE q('one')")).containsExactly("1");
    }

    @Test
    void wordsBehindAPointAreOfTheTableOfThePath() throws SQLException {
        run(connection, "CREATE SCHEMA one", "CREATE TABLE t (a INTEGER)", "SET search_path = one, public");
        run(connection, "CREATE TABLE t (a INTEGER)", "COMMENT ON COLUMN t.a IS 'here'");
        run(connection, "CREATE SEQUENCE s OWNED BY t.a");
        assertThat(rows("SELECT col_description('one.t'::regclass, 1), col_description('public.t'::regclass, 1)"))
                .containsExactly("here,null");
    }

    @Test
    void foreignKeysReferToTheTableOfThePath() throws SQLException {
        run(connection, "CREATE SCHEMA one", "CREATE SCHEMA other");
        run(connection, "CREATE TABLE node (id INTEGER PRIMARY KEY, up INTEGER)");
        run(connection, "SET search_path = one, public", "CREATE TABLE node (id INTEGER PRIMARY KEY)");
        run(connection, "ALTER TABLE public.node ADD CONSTRAINT a FOREIGN KEY (up) REFERENCES node");
        run(connection, "CREATE TABLE other.node (id INTEGER PRIMARY KEY CONSTRAINT b REFERENCES node)");
        assertThat(rows("SELECT conname, confrelid = 'one.node'::regclass FROM pg_constraint WHERE contype = 'f'"
                        + " ORDER BY 1"))
                .containsExactly("a,t", "b,t");
    }

    /** The path may change without a change of the catalog, and the types with it. */
    @Test
    void preparedStatementsAreDescribedAnew() throws SQLException {
        run(connection, "CREATE SCHEMA one", "CREATE TABLE t (a INTEGER)", "CREATE TABLE one.t (a TEXT)");
        run(connection, "INSERT INTO t VALUES (1)", "INSERT INTO one.t VALUES ('x')");
        connection.unwrap(PGConnection.class).setPrepareThreshold(1);
        try (PreparedStatement read = connection.prepareStatement("SELECT a FROM t");
                PreparedStatement schema = connection.prepareStatement("SELECT current_schema()")) {
            for (int i = 0; i < 3; i++) {
                assertThat(rows(read.executeQuery())).containsExactly("1");
                assertThat(rows(schema.executeQuery())).containsExactly("public");
            }
            run(connection, "SELECT set_config('search_path', 'one', false)");
            assertThat(rows(read.executeQuery())).containsExactly("x"); // the driver prepares it again
            assertThat(rows(schema.executeQuery())).containsExactly("one");
        }
    }

    @Test
    void theSchemaIsTheSameInStatementsOfAllKinds() throws SQLException {
        run(connection, "CREATE SCHEMA one", "SET search_path = one", "SET TIME ZONE 'Europe/Oslo'");
        run(connection, "CREATE TABLE t (a INTEGER PRIMARY KEY, s TEXT)", "CREATE TABLE u (a INTEGER PRIMARY KEY)");
        run(connection, "INSERT INTO t VALUES (1, current_schema()), (2, '')", "INSERT INTO u VALUES (2)");
        run(connection, "UPDATE t SET s = current_schema() FROM u WHERE t.a = u.a");
        assertThat(rows("SELECT DISTINCT s FROM t")).containsExactly("one");
        run(
                connection,
                "CREATE TEMPORARY TABLE w (b INTEGER)",
                "INSERT INTO w VALUES (7)",
                "CREATE TABLE x AS SELECT current_schema() AS s, '2024-07-01 12:00'::timestamptz AS m, b FROM w WITH DATA");
        assertThat(rows("SELECT s, m, b FROM x")).containsExactly("one,2024-07-01 12:00:00+02,7");
        run(connection, "CREATE TABLE y (LIKE t)", "INSERT INTO y SELECT * FROM t");
        run(connection, "CREATE MATERIALIZED VIEW m AS SELECT s, COUNT(*) AS n FROM t GROUP BY s");
        assertThat(rows("SELECT s, n FROM one.m")).containsExactly("one,2");
    }

    /** Clients of Fulmar's protocol and of earlier builds have made indexes without a schema. */
    @Test
    void indexesWithoutASchemaAreFound() throws SQLException {
        run(connection, "CREATE SCHEMA one", "CREATE TABLE one.t (a INTEGER)", "SET search_path = one, public");
        try (FulmarClient client = FulmarClient.connect("127.0.0.1:" + node.port())) {
            client.execute("CREATE INDEX idx ON one.t (a)");
        }
        run(connection, "CREATE INDEX IF NOT EXISTS idx ON t (a)");
        assertThat(rows("SELECT indexname FROM pg_indexes WHERE tablename = 't'"))
                .containsExactly("idx");
        run(connection, "DROP INDEX idx");
        assertThat(rows("SELECT indexname FROM pg_indexes WHERE tablename = 't'"))
                .isEmpty();
    }
}
