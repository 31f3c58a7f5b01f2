package dev.fulmar.it.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Timestamp;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Dates, times and intervals in the forms and styles of PostgreSQL's clients, with the answers of PostgreSQL 15. */
class PostgresDatetimesTest extends PostgresAnswersFixture {
    @BeforeAll
    void create() throws SQLException {
        run("CREATE TABLE mark (id INT PRIMARY KEY, s timestamp(2), z timestamptz(0), t time(1), i interval)");
    }

    /** A text that is kept would be another day in each session. */
    @Test
    void keptTextsAreNotReadInTheOrderOfASession() throws SQLException {
        run("CREATE TABLE kept (id INT PRIMARY KEY, d date)");
        run("CREATE VIEW of_day AS SELECT id FROM kept WHERE d = '1/2/2024'");
        run("INSERT INTO kept VALUES (1, '2024-01-02')");
        assertThat(answer("SELECT id FROM of_day")).isEqualTo("1");
        run("SET datestyle TO DMY");
        assertThat(answer("SELECT id FROM of_day")).isEqualTo("0A000");
        assertThat(answer("CREATE TABLE checked (id INT PRIMARY KEY, d date CHECK (d > '1/2/2024'))"))
                .isEqualTo("0A000");
        assertThat(answer("SELECT id FROM kept WHERE d = '2/1/2024'")).isEqualTo("1");
        run("RESET datestyle");
    }

    /** Rows that are there get the value that new ones get. */
    @Test
    void aDefaultOfANewColumnIsRounded() throws SQLException {
        run("CREATE TABLE widened (id INT PRIMARY KEY)");
        run("INSERT INTO widened VALUES (1)");
        run("ALTER TABLE widened ADD COLUMN at timestamp(0) DEFAULT '2024-01-01 12:00:00.7'");
        run("INSERT INTO widened VALUES (2)");
        assertThat(answer("SELECT at FROM widened ORDER BY id")).isEqualTo("2024-01-01 12:00:01,2024-01-01 12:00:01");
    }

    /** A literal has the order of its session, where it says its type and where its column does. */
    @Test
    void datesHaveTheOrderOfTheSession() throws SQLException {
        run("CREATE TABLE day (id INT PRIMARY KEY, d date)");
        int id = 0;
        for (String[] expected : new String[][] {{"MDY", "2003-01-02"}, {"DMY", "2003-02-01"}, {"YMD", "2001-02-03"}}) {
            run("SET datestyle TO " + expected[0]);
            run("INSERT INTO day VALUES (" + ++id + ", '01/02/03')");
            assertThat(answer("SELECT date '01/02/03', d FROM day WHERE d = '01/02/03' AND id = " + id))
                    .isEqualTo(expected[1] + "," + expected[1]);
        }
        assertThat(answer("SELECT CAST(t.x AS date) FROM (SELECT max('01/02/03') AS x FROM day) AS t"))
                .isEqualTo("0A000");
        assertThat(answer("SHOW datestyle")).isEqualTo("ISO, YMD");
        run("RESET datestyle");
        assertThat(answer("SELECT date '01/02/03'")).isEqualTo("2003-01-02");
        assertThat(answer("SELECT d FROM day ORDER BY id")).isEqualTo("2003-01-02,2003-02-01,2001-02-03");
    }

    @Test
    void columnsRoundTheirTimes() throws SQLException {
        run("INSERT INTO mark VALUES (1, '2024-02-29 12:00:00.126', '2024-02-29 12:00:00.5+00', '12:00:00.96', NULL)");
        try (PreparedStatement insert =
                connection.prepareStatement("INSERT INTO mark VALUES (2, ?, now(), ?::time, NULL)")) {
            insert.setTimestamp(1, Timestamp.valueOf("1999-12-31 23:59:59.996"));
            insert.setString(2, "01:02:03.44");
            insert.executeUpdate();
        }
        run("INSERT INTO mark SELECT 3, s + interval '4 ms', z, t, NULL FROM mark WHERE id = 1");
        run("UPDATE mark SET t = '10:00:00.04' WHERE id = 3");

        assertThat(answer("SELECT s, t FROM mark WHERE id < 4 ORDER BY id"))
                .isEqualTo(
                        "2024-02-29 12:00:00.13,12:00:01,2000-01-01 00:00:00,01:02:03.4,2024-02-29 12:00:00.13,10:00:00");
        assertThat(answer("SELECT z = date_trunc('second', z) FROM mark WHERE id < 4"))
                .isEqualTo("t,t,t");
        assertThat(answer("SELECT count(*) FROM mark WHERE s = timestamp '2024-02-29 12:00:00.13'"))
                .isEqualTo("2");
        assertThat(answer("SELECT '2024-02-29 12:00:00.126'::timestamp(1), current_timestamp(0) = date_trunc('second',"
                        + " current_timestamp(0))"))
                .isEqualTo("2024-02-29 12:00:00.1,t");
        assertThat(answer("SELECT format_type(atttypid, NULL), atttypmod FROM pg_attribute WHERE attname = 's'"
                        + " AND attrelid = 'mark'::regclass"))
                .isEqualTo("timestamp without time zone,2");
    }

    @Test
    void timesAreNamedByThatOfTheTransaction() throws SQLException {
        run("BEGIN");
        run("INSERT INTO mark VALUES (10, 'today', 'tomorrow EST', 'now', NULL), (11, 'now', 'now', NULL, NULL)");
        assertThat(answer("SELECT s = date_trunc('day', localtimestamp), z = timestamptz 'tomorrow EST', t IS NOT NULL"
                        + " FROM mark WHERE id = 10"))
                .isEqualTo("t,t,t");
        assertThat(answer("SELECT count(*) FROM mark WHERE s = timestamp(2) 'now' AND id = 11"))
                .isEqualTo("1");
        run("ROLLBACK");
        assertThat(answer("SELECT date 'tomorrow' - date 'yesterday', date 'today' = current_date"))
                .isEqualTo("2,t");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            value = {
                "SELECT 'Feb 10 5:32PM 1997'::timestamp~1997-02-10 17:32:00",
                "SELECT '19970210 173201 America/New_York'::timestamptz~1997-02-10 22:32:01+00",
                "SELECT '1997-02-10 17:32:01 PST'::timestamp~1997-02-10 17:32:01",
                "SELECT '19970710 173201 America/Nowhere'::timestamptz~22023",
                "SELECT date_bin('15 minutes', timestamp '2020-02-11 15:44:17', timestamp '2001-01-01')~2020-02-11 15:30:00",
                "SELECT date_bin('30 minutes', timestamp '2024-02-01 15:00', timestamp '2024-02-01 17:00')~2024-02-01 15:00:00",
                "SELECT date_bin('1 month', timestamp '2024-02-01', timestamp '2001-01-01')~0A000",
                "SELECT date_bin('0 days', timestamp '2024-02-01', timestamp '2001-01-01')~22008",
                "SELECT make_timestamptz(1973, 07, 15, 08, 15, 55.33, '+2')~1973-07-15 06:15:55.33+00",
                "SELECT make_timestamptz(2014, 12, 10, 0, 0, 0, 'Europe/Prague')~2014-12-09 23:00:00+00",
                "SELECT make_timestamptz(2014, 12, 10, 0, 0, 0, '2')~22023",
                "SELECT isfinite(date '2024-01-01'), isfinite(NULL::timestamp)~t,null",
                "SELECT extract(isoyear FROM date '2005-01-01'), extract(julian FROM date '2020-08-11')~2004,2459073",
                "SELECT extract(hour FROM date '2020-08-11')~0A000",
                "SELECT date_part('hour', date '2020-08-11')~0",
                "SELECT extract(timezone_hour FROM timestamptz '2020-08-11')~0",
                "SELECT extract(timezone FROM timestamp '2020-08-11')~0A000",
                "SELECT extract(fortnight FROM time '10:00')~22023",
                "SELECT '2011-03-26 23:00:00 UTC'::timestamptz AT TIME ZONE 'MSK'~2011-03-27 03:00:00",
                "SELECT '2011-03-27 02:30'::timestamp AT TIME ZONE 'MSK'~2011-03-26 22:30:00+00"
            })
    void expressions(String sql, String expected) throws SQLException {
        assertThat(answer(sql)).isEqualTo(expected);
    }

    @Test
    void intervalsHaveTheStyleOfTheSession() throws SQLException {
        run("SET intervalstyle TO sql_standard");
        run("INSERT INTO mark (id, i) VALUES (20, '-1 day 2 hours')");
        assertThat(answer("SELECT i, i::text, interval '1-2' FROM mark WHERE id = 20"))
                .isEqualTo("-1 2:00:00,-1 2:00:00,1-2");
        run("SET intervalstyle TO iso_8601");
        assertThat(answer("SELECT i, 'after ' || i FROM mark WHERE id = 20")).isEqualTo("P-1DT-2H,after P-1DT-2H");
        run("SET intervalstyle TO postgres_verbose");
        assertThat(answer("SELECT i FROM mark WHERE id = 20")).isEqualTo("@ 1 day 2 hours ago");
        run("RESET intervalstyle");
        assertThat(answer("SELECT i FROM mark WHERE id = 20")).isEqualTo("-1 days -02:00:00");
    }

    @Test
    void zonesMayBeOffsets() throws SQLException {
        run("SET timezone = '-04:30'");
        assertThat(answer("SELECT timestamptz '2024-01-01 00:00+00'")).isEqualTo("2024-01-01 04:30:00+04:30");
        run("SET timezone = 'UTC'");
    }

    @Test
    void bytesMayBeEscaped() throws SQLException {
        run("SET bytea_output TO escape");
        assertThat(answer("SELECT '\\xde00\\x41'::text, '\\x4100ff5c'::bytea"))
                .isEqualTo("\\xde00\\x41,A\\000\\377\\\\");
        run("RESET bytea_output");
        assertThat(answer("SELECT '\\x4100'::bytea")).isEqualTo("\\x4100");
    }
}
