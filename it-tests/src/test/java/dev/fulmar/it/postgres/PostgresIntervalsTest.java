package dev.fulmar.it.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyManager;
import org.postgresql.util.PGInterval;

/** Intervals with the JDBC driver of PostgreSQL, on a durable node that may start again. */
class PostgresIntervalsTest extends PostgresNodeFixture {
    /** From the fifth execution on the driver has prepared the statement by name, and reads binary values. */
    private static final int EXECUTIONS = 12;

    private static final String LONG = "1 year 2 mons -3 days +04:05:06.789012";

    PostgresIntervalsTest() {
        super(true);
    }

    private void makeTable() throws SQLException {
        update(
                "CREATE TABLE pause (id INTEGER PRIMARY KEY, i interval DEFAULT interval '1 day' CHECK (i < '100 years'),"
                        + " d interval day to second(1), at timestamp DEFAULT timestamp '2024-01-31 12:00')");
        update("INSERT INTO pause (id, i, d) VALUES (1, '" + LONG
                + "', '40:00:00.25'), (2, '30 days', '1 day'), (3, '1 mon', NULL)");
    }

    @Test
    void intervalsPassAsParametersInAllWaysOfTheDriver() throws SQLException {
        makeTable();
        PGInterval hour = new PGInterval(0, 0, 0, 1, 0, 0);
        try (PreparedStatement insert =
                connection.prepareStatement("INSERT INTO pause (id, i, d) VALUES (?, ?, ?::interval)")) {
            for (int i = 0; i < EXECUTIONS; i++) {
                insert.setInt(1, 10 + i);
                insert.setObject(2, hour);
                insert.setString(3, "90 minutes");
                assertThat(insert.executeUpdate()).isEqualTo(1);
            }
        }
        assertThat(rows("SELECT count(*), sum(i), avg(d), min(i), max(d) FROM pause WHERE id >= 10"))
                .containsExactly(EXECUTIONS + ",12:00:00,01:30:00,01:00:00,01:30:00");
        try (PreparedStatement query = connection.prepareStatement(
                "SELECT i, d, at - ?, at + ?, ? * 2, now() - ? < now() FROM pause WHERE i > ? AND id = 1")) {
            for (int i = 0; i < EXECUTIONS; i++) {
                for (int parameter = 1; parameter <= 5; parameter++) {
                    query.setObject(parameter, hour);
                }
                ResultSet row = query.executeQuery();
                assertThat(row.next()).isTrue();
                assertThat(row.getMetaData().getColumnTypeName(1)).isEqualTo("interval");
                assertThat(row.getObject(1)).isInstanceOf(PGInterval.class);
                PGInterval interval = (PGInterval) row.getObject(1);
                assertThat(interval.getMonths() + 12 * interval.getYears()).isEqualTo(14);
                assertThat(interval.getDays()).isEqualTo(-3);
                assertThat(interval.getSeconds()).isEqualTo(6.789012);
                assertThat(row.getString(3)).startsWith("2024-01-31 11:00:00");
                assertThat(row.getString(4)).startsWith("2024-01-31 13:00:00");
                assertThat(((PGInterval) row.getObject(5)).getHours()).isEqualTo(2);
                assertThat(row.getBoolean(6)).isTrue();
            }
        }
    }

    @Test
    void valuesAreThoseOfPostgres() throws SQLException {
        makeTable();
        assertThat(rows("SELECT i, d, at + i, at - i, at + d FROM pause ORDER BY i DESC, id"))
                .containsExactly(
                        LONG
                                + ",40:00:00.3,2025-03-28 16:05:06.789012,2022-12-03 07:54:53.210988,2024-02-02 04:00:00.3",
                        "30 days,1 day,2024-03-01 12:00:00,2024-01-01 12:00:00,2024-02-01 12:00:00",
                        "1 mon,null,2024-02-29 12:00:00,2023-12-31 12:00:00,null");
        assertThat(rows("SELECT count(*), count(DISTINCT i) FROM pause GROUP BY i ORDER BY 1"))
                .containsExactly("1,1", "2,1");
        assertThat(rows("SELECT a.id, b.id FROM pause a JOIN pause b ON a.i = b.i WHERE a.id < b.id"))
                .containsExactly("2,3");
        assertThat(rows("SELECT id FROM pause WHERE i BETWEEN '2 days' AND '10 months' ORDER BY id"))
                .containsExactly("2", "3");
        assertThat(rows("SELECT id FROM pause WHERE i IN ('720:00:00', interval '1 year') ORDER BY id"))
                .containsExactly("2", "3");
        assertThat(
                        rows(
                                "SELECT timestamp '2024-03-01' - '2024-02-28 12:00'::timestamp, date '2024-03-01' - date '2024-02-01',"
                                        + " time '10:00' - time '12:30', '2024-03-01'::timestamptz - '2024-02-01'::timestamptz"))
                .containsExactly("1 day 12:00:00,29,-02:30:00,29 days");
        assertThat(rows("SELECT date '2024-01-31' + interval '1 month', time '23:00' + interval '25 hours',"
                        + " interval '1 day' + timestamp '2024-01-01', '2024-01-01'::timestamp + '1 day'"))
                .containsExactly("2024-02-29 00:00:00,00:00:00,2024-01-02 00:00:00,2024-01-02 00:00:00");
        assertThat(rows(
                        "SELECT interval '1 month' * 1.5, interval '1 day' / 3, -interval '1 day 2 hours', 2 * interval '1 hour',"
                                + " interval '1 day' - interval '1 hour'"))
                .containsExactly("1 mon 15 days,08:00:00,-1 days -02:00:00,02:00:00,1 day -01:00:00");
        assertThat(rows(
                        "SELECT timestamp '2024-01-02' - '2023-12-31', '2024-01-02' - date '2024-01-01', interval '1 s' * '2',"
                                + " date '2024-01-01' + time '10:00', timestamp '2024-01-01' - time '10:00'"))
                .containsExactly("2 days,1,00:00:02,2024-01-01 10:00:00,2023-12-31 14:00:00");
        update("CREATE TABLE fields (id INTEGER PRIMARY KEY, m interval year to month)");
        update("INSERT INTO fields VALUES (1, '5')");
        update("INSERT INTO fields VALUES (2, '1-2')");
        assertThat(rows("SELECT m FROM fields ORDER BY id")).containsExactly("5 mons", "1 year 2 mons");
        assertThat(
                        rows(
                                "SELECT age(timestamp '2024-03-01', timestamp '2023-01-31 12:00'), justify_hours('50:00'),"
                                        + " justify_days('70 days'), justify_interval('1 mon -1 hour'), make_interval(1, 2, 3, 4, 5, 6, 7.5)"))
                .containsExactly("1 year 1 mon 12:00:00,2 days 02:00:00,2 mons 10 days,29 days 23:00:00,"
                        + "1 year 2 mons 25 days 05:06:07.5");
        assertThat(
                        rows(
                                "SELECT extract(epoch from i), extract(day from i), extract(month from i), extract(second from i),"
                                        + " date_part('hour', i), date_trunc('month', i), extract(century from i) FROM pause WHERE id = 1"))
                .containsExactly("36497106.789012,-3,2,6.789012,4,1 year 2 mons,0");
        assertThat(rows(
                        "SELECT i::text, 'x' || i, i::interval year, CAST('1-2' AS interval year to month), interval '90' minute"
                                + " FROM pause WHERE id = 1"))
                .containsExactly(LONG + ",x" + LONG + ",1 year,1 year 2 mons,01:30:00");
        assertThat(rows(
                        "SELECT sum(i) OVER (ORDER BY id), greatest(i, '2 days'), coalesce(d, '1 s'), to_json(d) FROM pause"
                                + " WHERE id > 1 ORDER BY id"))
                .containsExactly("30 days,30 days,1 day,\"1 day\"", "1 mon 30 days,1 mon,00:00:01,null");
    }

    @Test
    void wrongIntervalsHaveTheErrorsOfPostgres() throws SQLException {
        makeTable();
        fails("SELECT interval 'x'", "22007");
        fails("SELECT interval '1-13'", "22015");
        fails("SELECT interval '178956971 years'", "22008");
        fails("SELECT interval '2147483647 months' + interval '1 month'", "22008");
        fails("SELECT interval '1 day' * 1e30", "22008");
        fails("SELECT interval '1 day' / 0", "22012");
        fails("SELECT timestamp '9999-12-31' + interval '1 day'", "22008");
        fails("INSERT INTO pause (id, i) VALUES (9, 'x')", "22007");
        fails("INSERT INTO pause (id, i) VALUES (9, '100 years')", "23514");
        fails("SELECT upper(i) FROM pause", "42883");
        fails("SELECT i = 1 FROM pause", "42883");
        fails("SELECT extract(week FROM i) FROM pause", "0A000");
        fails("SELECT to_char(i, 'HH24') FROM pause", "0A000");
        fails("CREATE INDEX of_pauses ON pause (i)", "0A000");
        fails("CREATE TABLE keyed (i interval PRIMARY KEY)", "0A000");
        fails("SELECT date_trunc('week', i) FROM pause", "0A000");
        fails("SELECT date_trunc('x', i) FROM pause", "22023");
        fails("SELECT extract(foo FROM i) FROM pause", "22023");
        fails("SELECT string_agg(i, ',') FROM pause", "42883");
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
    void intervalsAreCopiedAndSurviveARestart() throws SQLException, IOException {
        makeTable();
        CopyManager copy = connection.unwrap(PGConnection.class).getCopyAPI();
        List<String> before = rows("SELECT * FROM pause ORDER BY id");
        for (String format : List.of("TEXT", "CSV", "BINARY")) {
            ByteArrayOutputStream copied = new ByteArrayOutputStream();
            assertThat(copy.copyOut("COPY pause TO STDOUT (FORMAT " + format + ")", copied))
                    .isEqualTo(3);
            update("DELETE FROM pause");
            assertThat(copy.copyIn(
                            "COPY pause FROM STDIN (FORMAT " + format + ")",
                            new ByteArrayInputStream(copied.toByteArray())))
                    .isEqualTo(3);
            assertThat(rows("SELECT * FROM pause ORDER BY id")).isEqualTo(before);
        }
        assertThat(rows("SELECT data_type, udt_name, interval_type, datetime_precision FROM information_schema.columns"
                        + " WHERE table_name = 'pause' AND udt_name = 'interval' ORDER BY ordinal_position"))
                .containsExactly("interval,interval,null,6", "interval,interval,DAY TO SECOND,1");
        assertThat(rows("SELECT format_type(atttypid, atttypmod) FROM pg_attribute"
                        + " WHERE attrelid = 'pause'::regclass AND attname IN ('i', 'd') ORDER BY attnum"))
                .containsExactly("interval", "interval day to second(1)");
        stop();
        start();
        assertThat(rows("SELECT * FROM pause ORDER BY id")).isEqualTo(before);
        update("INSERT INTO pause (id) VALUES (4)");
        assertThat(rows("SELECT i FROM pause WHERE id = 4")).containsExactly("1 day");
    }
}
