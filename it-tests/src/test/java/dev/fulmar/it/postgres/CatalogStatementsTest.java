package dev.fulmar.it.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.it.sql.SmallNode;
import dev.fulmar.node.wiring.FulmarNode;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Questions of PostgreSQL's clients to the catalog: psql's by their texts, those of the JDBC driver by the driver. */
class CatalogStatementsTest {
    private static final List<String> SCHEMA = List.of(
            "CREATE TABLE customer (id integer NOT NULL PRIMARY KEY, name varchar(40) NOT NULL, email text,"
                    + " balance decimal(12,2) DEFAULT 0 CHECK (balance >= 0), CONSTRAINT customer_email_key UNIQUE (email))",
            "CREATE TABLE orders (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,"
                    + " customer_id integer NOT NULL REFERENCES customer(id) ON DELETE CASCADE,"
                    + " placed timestamp DEFAULT CURRENT_TIMESTAMP, note char(5))",
            "CREATE INDEX orders_by_customer ON orders (customer_id, placed DESC)",
            "CREATE VIEW rich AS SELECT id, name FROM customer WHERE balance > 1000",
            "CREATE SEQUENCE ticket",
            "CREATE SCHEMA sales",
            "CREATE TABLE sales.item (a int, b int, \"Mixed\" int, primary key (a,b))",
            "COMMENT ON TABLE customer IS 'who buys'",
            "COMMENT ON COLUMN customer.email IS 'where to write'");

    private static final List<String> NAMED =
            List.of("customer", "orders", "rich", "ticket", "orders_by_customer", "sales.item", "orders_id_sequence");

    @TempDir
    private Path folder;

    @SuppressWarnings("NullAway.Init")
    private FulmarNode node;

    @SuppressWarnings("NullAway.Init")
    private Connection connection;

    @BeforeEach
    void start() throws SQLException {
        open();
        try (Statement statement = connection.createStatement()) {
            for (String sql : SCHEMA) {
                statement.execute(sql);
            }
        }
    }

    private void open() throws SQLException {
        node = SmallNode.durable(folder.resolve("data"), 1);
        int port = node.postgresAddress().orElseThrow().port();
        connection = DriverManager.getConnection("jdbc:postgresql://127.0.0.1:" + port + "/fulmar?user=ann");
    }

    @AfterEach
    void stop() throws SQLException {
        connection.close();
        node.close();
    }

    private static List<String> rows(ResultSet result) throws SQLException {
        return RecordedStatement.rows(result);
    }

    private List<String> rows(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            return rows(statement.executeQuery(sql));
        }
    }

    private Map<String, String> numbers() throws SQLException {
        Map<String, String> numbers = new TreeMap<>();
        for (String name : NAMED) {
            numbers.put(":" + name, rows("SELECT '" + name + "'::regclass::oid").getFirst());
        }
        return numbers;
    }

    @Test
    void answersPsql() throws SQLException, IOException {
        Map<String, String> numbers = numbers();
        List<RecordedStatement> recorded = RecordedStatement.read("/catalog-statements.txt");
        for (RecordedStatement each : recorded) {
            String statement = each.sql();
            String expected = each.rows();
            // Longer names first: one may begin with another.
            for (String name :
                    List.copyOf(new TreeMap<>(numbers).descendingMap().keySet())) {
                statement = statement.replace(name, numbers.getOrDefault(name, ""));
                expected = expected.replace(name, numbers.getOrDefault(name, ""));
            }
            assertThat(String.join("\n", rows(statement))).as(statement).isEqualTo(expected);
        }
        assertThat(recorded).hasSizeGreaterThan(60);
    }

    @Test
    void keepsNumbersOverARestart() throws SQLException {
        Map<String, String> before = numbers();
        stop();
        open();
        assertThat(numbers()).isEqualTo(before).doesNotContainValue("0");
        assertThat(before.values()).doesNotHaveDuplicates();
    }

    @Test
    void describesTablesToTheDriver() throws SQLException {
        DatabaseMetaData data = connection.getMetaData();
        assertThat(rows(data.getTables(null, "public", "%", new String[] {"TABLE", "VIEW"})))
                .containsExactly(
                        "fulmar|public|customer|TABLE|who buys|||||",
                        "fulmar|public|orders|TABLE|NULL|||||",
                        "fulmar|public|rich|VIEW|NULL|||||");
        assertThat(rows(data.getTables("fulmar", null, "IT\\_", null))).isEmpty();
        assertThat(rows(data.getColumns(null, "public", "customer", "%")).stream()
                        .map(row -> row.split("\\|", -1))
                        .map(row -> row[3] + " " + row[4] + " " + row[5] + " " + row[6] + " " + row[8] + " " + row[17])
                        .toList())
                .containsExactly(
                        "id 4 int4 10 0 NO",
                        "name 12 varchar 40 0 NO",
                        "email 12 text 2147483647 0 YES",
                        "balance 2 numeric 12 2 YES");
        assertThat(rows(data.getColumns(null, "public", "orders", "id")).getFirst())
                .contains("|YES|NO");
        assertThat(rows(data.getSchemas()))
                .containsExactly("information_schema|fulmar", "pg_catalog|fulmar", "public|fulmar", "sales|fulmar");
        assertThat(rows(data.getCatalogs())).containsExactly("fulmar");
        assertThat(rows(data.getTypeInfo()).stream().filter(row -> row.startsWith("int4|4|")))
                .hasSize(1);
        assertThat(rows(data.getTablePrivileges(null, "public", "customer")))
                .contains("fulmar|public|customer|fulmar|fulmar|SELECT|YES");
        assertThat(data.getSQLKeywords()).startsWith("abort,access,").doesNotContain("select");
        assertThat(data.getMaxColumnsInIndex()).isEqualTo(32);
    }

    @Test
    void describesKeysToTheDriver() throws SQLException {
        DatabaseMetaData data = connection.getMetaData();
        assertThat(rows(data.getPrimaryKeys(null, "sales", "item")))
                .containsExactly("fulmar|sales|item|a|1|item_pkey", "fulmar|sales|item|b|2|item_pkey");
        assertThat(rows(data.getBestRowIdentifier(null, null, "customer", 0, false)))
                .containsExactly("0|id|4|int4|10|NULL|0|1");
        assertThat(rows(data.getIndexInfo(null, "public", "orders", false, true)))
                .containsExactly(
                        "fulmar|public|orders|f|NULL|orders_pkey|3|1|id|A|-1|0|NULL|NULL",
                        "fulmar|public|orders|t|NULL|orders_by_customer|3|1|customer_id|A|-1|0|NULL|NULL",
                        "fulmar|public|orders|t|NULL|orders_by_customer|3|2|placed|D|-1|0|NULL|NULL",
                        "fulmar|public|orders|t|NULL|orders_customer_id_fkey_index|3|1|customer_id|A|-1|0|NULL|NULL");
        String reference = "fulmar|public|customer|id|fulmar|public|orders|customer_id|1|3|0|orders_customer_id_fkey"
                + "|customer_pkey|7";
        assertThat(rows(data.getImportedKeys(null, "public", "orders"))).containsExactly(reference);
        assertThat(rows(data.getExportedKeys(null, "public", "customer"))).containsExactly(reference);
        assertThat(rows(data.getCrossReference(null, null, "customer", null, null, "orders")))
                .containsExactly(reference);
        assertThat(rows(data.getCrossReference(null, null, "orders", null, null, "customer")))
                .isEmpty();
    }

    /** A function that the catalog lacks is an error by its name, and never another value. */
    @Test
    void refusesWhatIsNotThere() {
        assertThatThrownBy(() -> rows("SELECT pg_backend_memory(1)"))
                .hasMessageContaining("function pg_backend_memory");
        assertThatThrownBy(() -> rows("SELECT * FROM pg_stat_database")).hasMessageContaining("PG_STAT_DATABASE");
        assertThatThrownBy(() -> rows("SELECT 'nothing'::regclass"))
                .hasMessageContaining("relation \"nothing\" does not");
        assertThatThrownBy(() -> rows("SELECT current_setting('no.such')")).hasMessageContaining("no.such");
        assertThatThrownBy(() -> rows("DELETE FROM pg_catalog.pg_class")).hasMessageContaining("is a view");
        assertThatThrownBy(() -> rows("CREATE TABLE pg_catalog.t (a int)"))
                .hasMessageContaining("nothing in it changes");
    }

    /** A foreign statement: Hibernate, Flyway and Grafana ask so. */
    @Test
    void answersOtherTools() throws SQLException {
        assertThat(rows("SELECT EXISTS (SELECT 1 FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid ="
                        + " c.relnamespace WHERE n.nspname = 'public' AND c.relname = 'customer' AND c.relkind = 'r')"))
                .containsExactly("t");
        assertThat(rows("SELECT COUNT(*) FROM pg_namespace WHERE nspname='public'"))
                .containsExactly("1");
        assertThat(rows("select sequence_name, increment from information_schema.sequences"))
                .containsExactly("ticket|1");
        assertThat(rows("select quote_ident(table_name) from information_schema.tables where table_schema = ANY"
                        + " (current_schemas(false)) order by 1"))
                .containsExactly("customer", "orders", "rich");
        assertThat(rows("SELECT a.attname, format_type(a.atttypid, a.atttypmod) FROM pg_index i JOIN pg_attribute a ON"
                        + " a.attrelid = i.indrelid AND a.attnum = ANY(i.indkey) WHERE i.indrelid ="
                        + " 'customer'::regclass AND i.indisprimary"))
                .containsExactly("id|integer");
        assertThat(rows("SELECT column_name, data_type, character_maximum_length FROM information_schema.columns WHERE"
                        + " table_name = 'customer' AND table_schema = current_schema() ORDER BY ordinal_position"))
                .containsExactly(
                        "id|integer|NULL", "name|character varying|40", "email|text|NULL", "balance|numeric|NULL");
    }
}
