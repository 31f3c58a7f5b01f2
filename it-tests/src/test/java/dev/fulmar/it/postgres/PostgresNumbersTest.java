package dev.fulmar.it.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyManager;

/** Numerics of any number of digits with the JDBC driver of PostgreSQL, on a durable node that may start again. */
class PostgresNumbersTest extends PostgresNodeFixture {
    /** From the fifth execution on the driver has prepared the statement by name, and reads binary values. */
    private static final int EXECUTIONS = 12;

    private static final String LONG = "-123456789012345678901234567890123456789012345678901234567890.000123400";

    PostgresNumbersTest() {
        super(true);
    }

    private String value(String expression) throws SQLException {
        return rows("SELECT " + expression).getFirst();
    }

    @Test
    void numericsPassInAllWaysOfTheDriver() throws SQLException {
        update("CREATE TABLE amount (id INTEGER PRIMARY KEY, n numeric UNIQUE, d numeric(60, 5), s numeric(3, -2))");
        try (PreparedStatement insert =
                connection.prepareStatement("INSERT INTO amount (id, n, d, s) VALUES (?, ?, ?, ?)")) {
            for (int i = 0; i < EXECUTIONS; i++) {
                insert.setInt(1, i);
                insert.setBigDecimal(2, new BigDecimal(LONG).add(BigDecimal.valueOf(i)));
                insert.setBigDecimal(3, new BigDecimal("12345678901234567890123456789012345678901234567.123456"));
                insert.setInt(4, 12_345);
                assertThat(insert.executeUpdate()).isEqualTo(1);
            }
        }
        try (PreparedStatement query = connection.prepareStatement("SELECT n, d, s, n * ? FROM amount WHERE n = ?")) {
            for (int i = 0; i < EXECUTIONS; i++) {
                query.setBigDecimal(1, new BigDecimal("0.5"));
                query.setBigDecimal(2, new BigDecimal(LONG).setScale(12));
                ResultSet row = query.executeQuery();
                assertThat(row.next()).isTrue();
                assertThat(row.getMetaData().getColumnTypeName(1)).isEqualTo("numeric");
                assertThat(row.getBigDecimal(1)).isEqualTo(new BigDecimal(LONG));
                assertThat(row.getString(2)).isEqualTo("12345678901234567890123456789012345678901234567.12346");
                assertThat(row.getBigDecimal(3)).isEqualByComparingTo("12300");
                assertThat(row.getBigDecimal(4))
                        .isEqualByComparingTo(new BigDecimal(LONG).multiply(new BigDecimal("0.5")));
            }
        }
        assertThatThrownBy(() -> update("INSERT INTO amount (id, n) VALUES (99, " + LONG + "00)"))
                .isInstanceOfSatisfying(
                        SQLException.class,
                        e -> assertThat(e.getSQLState()).as(e.getMessage()).isEqualTo("23505"));
        stop();
        start();
        assertThat(rows("SELECT count(*), min(n), max(d) FROM amount WHERE n < 0"))
                .containsExactly(EXECUTIONS + "," + LONG + ",12345678901234567890123456789012345678901234567.12346");
    }

    @Test
    void specialValuesAreCopiedAndCompared() throws SQLException, IOException {
        update("CREATE TABLE amount (id INTEGER PRIMARY KEY, n numeric)");
        CopyManager copies = connection.unwrap(PGConnection.class).getCopyAPI();
        String text = "1\tNaN\n2\tInfinity\n3\t-Infinity\n4\t1.50\n5\t\\N\n6\t1e40\n";
        assertThat(copies.copyIn(
                        "COPY amount FROM STDIN", new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8))))
                .isEqualTo(6);
        assertThat(rows("SELECT id, n FROM amount ORDER BY n"))
                .containsExactly(
                        "3,-Infinity",
                        "4,1.50",
                        "6,10000000000000000000000000000000000000000",
                        "2,Infinity",
                        "1,NaN",
                        "5,null");
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        copies.copyOut("COPY (SELECT id, n FROM amount WHERE id < 5 ORDER BY id) TO STDOUT", out);
        assertThat(out.toString(StandardCharsets.UTF_8)).isEqualTo("1\tNaN\n2\tInfinity\n3\t-Infinity\n4\t1.50\n");
        ByteArrayOutputStream binary = new ByteArrayOutputStream();
        copies.copyOut("COPY amount TO STDOUT (FORMAT binary)", binary);
        update("DELETE FROM amount");
        copies.copyIn("COPY amount FROM STDIN (FORMAT binary)", new ByteArrayInputStream(binary.toByteArray()));
        assertThat(rows("SELECT sum(n), count(n) FROM amount")).containsExactly("NaN,5");
        assertThat(rows("SELECT sum(n), avg(n) FROM amount WHERE id IN (2, 4)")).containsExactly("Infinity,Infinity");
    }

    @Test
    void resultsHaveTheDigitsOfPostgres() throws SQLException {
        assertThat(value("1.0 / 3, 10.00 / 4, 2 / 3, 1e3, 1.5e-3, 7.0 / 2::float8"))
                .isEqualTo("0.33333333333333333333,2.5000000000000000,0,1000,0.0015,3.5");
        assertThat(value("2.0 ^ 10, 2 ^ 3, -2 ^ 2, 2.0 ^ 3 ^ 2, (1 + 1.0) ^ (2 - 4)"))
                .isEqualTo("1024.0000000000000000,8,4,64.0000000000000000,0.2500000000000000");
        assertThat(value("round(2.345, 2), round(-2.5), trunc(9.99, 1), sign(-3.20), sqrt(2.0), sqrt(4)"))
                .isEqualTo("2.35,-3,9.9,-1,1.414213562373095,2");
        assertThat(value("ln(2.0), log(100.0), log(2, 64), log(2.0, 64.0), exp(1.0), power(2, 0.5)"))
                .isEqualTo("0.6931471805599453,2.0000000000000000,6.0000000000000000,6.0000000000000000,"
                        + "2.7182818284590452,1.4142135623730950");
        assertThat(value("factorial(40), div(-7.5, 2), gcd(0.12, 0.18), lcm(4, 6), scale(1.20), scale(NULL::numeric)"))
                .isEqualTo("815915283247897734345611269596115894272000000000,-3,0.06,12,2,null");
        assertThat(
                        value(
                                "'nan'::numeric = 'NaN', 'inf'::numeric - 'inf', 1.10 = 1.1, 0.1::real::numeric, 1e400::numeric > 1"))
                .isEqualTo("t,NaN,t,0.1,t");
        assertThat(
                        value(
                                "to_char(12345.678::numeric, 'FM99,999.00'), to_char('NaN'::numeric, '9999'), to_number('12.50', '99.99')"))
                .isEqualTo("12,345.68,  NaN,12.50");
    }

    @Test
    void aggregatesOfExactNumbersAreNumerics() throws SQLException {
        update("CREATE TABLE score (id INTEGER PRIMARY KEY, b bigint, s smallint, d numeric(8, 2), f float8)");
        update(
                "INSERT INTO score VALUES (1, 9223372036854775807, 1, 1.25, 0.5), (2, 9223372036854775807, 2, 2.50, 1.5),"
                        + " (3, 5, 2, NULL, NULL)");
        assertThat(rows("SELECT sum(b), avg(b), sum(s), avg(s), sum(d), avg(d), sum(f), avg(f) FROM score"))
                .containsExactly("18446744073709551619,6148914691236517206,5,1.6666666666666667,"
                        + "3.75,1.8750000000000000,2,1");
        assertThat(
                        rows(
                                "SELECT id, sum(b) OVER (ORDER BY id), avg(s) OVER (), stddev(s) OVER () FROM score ORDER BY id"))
                .containsExactly(
                        "1,9223372036854775807,1.6666666666666667,0.57735026918962576451",
                        "2,18446744073709551614,1.6666666666666667,0.57735026918962576451",
                        "3,18446744073709551619,1.6666666666666667,0.57735026918962576451");
        assertThat(rows("SELECT stddev(s), variance(s), stddev_pop(d), var_pop(d), avg(DISTINCT s) FROM score"))
                .containsExactly(
                        "0.57735026918962576451,0.33333333333333333333,0.62500000000000000000,0.39062500000000000000,"
                                + "1.5000000000000000");
        assertThat(rows("SELECT avg(s) FILTER (WHERE id > 1), sum(b) FILTER (WHERE id = 3) FROM score"))
                .containsExactly("2.0000000000000000,5");
    }

    @Test
    void keptTextsMeanTheSameToAllClients() throws SQLException {
        update(
                "CREATE TABLE item (id INTEGER PRIMARY KEY, price numeric(8, 2) CHECK (price / 3 > 0.3), n numeric DEFAULT 1.50,"
                        + " half numeric GENERATED ALWAYS AS (price / 2) STORED, b bigint DEFAULT 9223372036854775807)");
        update("CREATE INDEX item_third ON item (round(price / 3, 2))");
        update("CREATE VIEW shares AS SELECT id, price / 3 AS third, price ^ 2 AS square, 1e3 AS k FROM item");
        update("CREATE VIEW sums AS SELECT sum(b) AS s, avg(price) AS a FROM item");
        update("INSERT INTO item (id, price) VALUES (1, 1.00), (2, 10)");
        assertThatThrownBy(() -> update("INSERT INTO item (id, price) VALUES (3, 0.9)"))
                .isInstanceOfSatisfying(
                        SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("23514"));
        stop();
        start();
        assertThat(rows("SELECT * FROM shares ORDER BY id"))
                .containsExactly(
                        "1,0.33333333333333333333,1.0000000000000000,1000",
                        "2,3.3333333333333333,100.0000000000000000,1000");
        assertThat(rows("SELECT s, a FROM sums")).containsExactly("18446744073709551614,5.5000000000000000");
        assertThat(rows("SELECT id, n, half FROM item WHERE round(price / 3, 2) = 3.33"))
                .containsExactly("2,1.50,5.0000000000000000");
        assertThat(rows("SELECT id, n::text FROM item WHERE n = 1.5 ORDER BY id"))
                .containsExactly("1,1.50", "2,1.50");
        update("ALTER TABLE item ALTER COLUMN b TYPE numeric");
        assertThat(rows("SELECT sum(b * b) FROM item")).containsExactly("170141183460469231694793815568465002498");
        assertThatThrownBy(() -> rows("SELECT rank() OVER (ORDER BY id), count(*) FROM item GROUP BY 1"))
                .isInstanceOfSatisfying(
                        SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("42P20"));
    }

    @Test
    void whatHasTooManyDigitsFailsAtOnce() {
        for (String expression : new String[] {
            "10.0 ^ 131073",
            "factorial(100000)",
            "exp(100000.0)",
            "1e131072",
            "'1e131071'::numeric * 100",
            "9.0 ^ 999999999",
            "round(5e131071, -131072)"
        }) {
            assertThatThrownBy(() -> rows("SELECT " + expression))
                    .as(expression)
                    .isInstanceOfSatisfying(
                            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("22003"));
        }
        assertThatThrownBy(() -> rows("SELECT ln(0.0)"))
                .isInstanceOfSatisfying(
                        SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("2201E"));
        assertThatThrownBy(() -> rows("SELECT sqrt(-1.0)"))
                .isInstanceOfSatisfying(
                        SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("2201F"));
    }

    /** The column rounds what is stored in it, and never what is sought. */
    @Test
    void aSoughtNumberKeepsItsDigits() throws SQLException {
        update("CREATE TABLE seeked (id INT PRIMARY KEY, k numeric(60, 2))");
        update("CREATE INDEX of_k ON seeked (k)");
        update("INSERT INTO seeked VALUES (1, 2.50), (2, 2.49)");
        assertThat(rows("SELECT id FROM seeked WHERE k < 2.504 ORDER BY id")).containsExactly("1", "2");
        assertThat(rows("SELECT id FROM seeked WHERE k <= 2.496")).containsExactly("2");
        assertThat(rows("SELECT id FROM seeked WHERE k > 2.496")).containsExactly("1");
        assertThat(rows("SELECT id FROM seeked WHERE k = 2.504")).isEmpty();
        assertThat(rows("SELECT id FROM seeked WHERE k < 1e70 AND k < 'Infinity'::numeric ORDER BY id"))
                .containsExactly("1", "2");
        assertThat(update("DELETE FROM seeked WHERE k = 5.008 / 2")).isZero();
        update("CREATE TABLE child (id INT PRIMARY KEY, k numeric)");
        update("INSERT INTO child VALUES (1, 2.5), (2, 2.501), (3, 2.4999)");
        assertThat(rows("SELECT child.id FROM child JOIN seeked ON child.k = seeked.k"))
                .containsExactly("1");
        try (PreparedStatement delete = connection.prepareStatement("DELETE FROM seeked WHERE k = ?")) {
            delete.setBigDecimal(1, new BigDecimal("2.504"));
            assertThat(delete.executeUpdate()).isZero();
            delete.setBigDecimal(1, new BigDecimal("2.5000"));
            assertThat(delete.executeUpdate()).isEqualTo(1);
        }
    }

    @Test
    void keptTextsMeanTheSameAndCanBeSentAgain() throws SQLException {
        update("CREATE TABLE pair (id INT PRIMARY KEY, d numeric(10, 2))");
        update("INSERT INTO pair VALUES (1, 2), (2, 3)");
        update("CREATE VIEW joined AS SELECT l.id FROM pair l JOIN pair r ON ln(l.d) + 0 = ln(r.d) AND l.id = r.id");
        assertThat(rows("SELECT id FROM joined ORDER BY id")).containsExactly("1", "2");
        update("CREATE VIEW third AS SELECT id, d / 3 AS q FROM pair");
        String text = rows("SELECT pg_get_viewdef('third'::regclass)").getFirst();
        update("CREATE VIEW third_again AS " + text);
        assertThat(rows("SELECT q FROM third_again ORDER BY q")).isEqualTo(rows("SELECT q FROM third ORDER BY q"));
    }

    @Test
    void functionsOfNumbersTakeParameters() throws SQLException {
        update("CREATE TABLE priced (id INT PRIMARY KEY, d numeric(10, 2))");
        update("INSERT INTO priced VALUES (1, 2.5)");
        for (String sql : new String[] {
            "UPDATE priced SET d = round(?, 1) WHERE id = 1",
            "SELECT round(?, 1)",
            "SELECT sqrt(?)",
            "SELECT power(d, ?) FROM priced",
            "SELECT trunc(?)",
            "SELECT sign(?)"
        }) {
            try (PreparedStatement statement = connection.prepareStatement(sql)) {
                statement.setBigDecimal(1, new BigDecimal("2.25"));
                statement.execute();
            }
        }
        assertThat(rows("SELECT d FROM priced")).containsExactly("2.30");
        assertThat(rows("SELECT array_agg(d / 2) FROM priced")).containsExactly("{1.150000000000}");
    }

    /** The partition of a power serves nothing else while it is computed. */
    @Test
    void powersOfManyDigitsAreRefused() {
        for (String expression : new String[] {"power(1.0001, 2000000000)", "10.0 ^ 5000", "2.5 ^ 9999.5"}) {
            assertThatThrownBy(() -> rows("SELECT " + expression))
                    .as(expression)
                    .isInstanceOfSatisfying(
                            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("22003"));
        }
    }
}
