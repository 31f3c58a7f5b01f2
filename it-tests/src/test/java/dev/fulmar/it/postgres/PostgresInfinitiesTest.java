package dev.fulmar.it.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.postgresql.PGConnection;
import org.postgresql.PGStatement;

/** Infinity and -infinity of dates and timestamps for PostgreSQL's clients, with the answers of PostgreSQL 15. */
class PostgresInfinitiesTest extends PostgresAnswersFixture {
    @BeforeAll
    void create() throws SQLException {
        run(
                "SET TimeZone = 'UTC'",
                "CREATE TABLE span (id int PRIMARY KEY, d date NOT NULL, m timestamp NOT NULL, z timestamptz NOT NULL)",
                "CREATE INDEX span_d ON span (d)",
                "INSERT INTO span VALUES (1, 'infinity', 'infinity', 'infinity'), (2, '-infinity', '-infinity', '-infinity'),"
                        + " (3, '2000-01-01', '2000-01-01', '2000-01-01 00:00+00'), (4, '9999-12-31',"
                        + " '9999-12-31 23:59:59.999999', '9999-12-31 23:59:59.999999+00'), (5, 'infinity', 'infinity', 'infinity')",
                "CREATE TABLE sent (id int PRIMARY KEY, d date, m timestamp, z timestamptz(0), a date[])");
    }

    /** Literals, casts, comparisons, documents and arrays. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            quoteCharacter = '`',
            value = {
                "SELECT 'infinity'::date~infinity",
                "SELECT date '-Infinity'~-infinity",
                "SELECT ' infinity '::timestamp~infinity",
                "SELECT timestamptz '-infinity'~-infinity",
                "SELECT 'INFINITY'::timestamptz~infinity",
                "SELECT 'inf'::date~22007",
                "SELECT '+infinity'::date~22007",
                "SELECT 'infinity'::time~22007",
                "SELECT CAST('infinity' AS timestamp with time zone)~infinity",
                "SELECT 'infinity'::date::timestamp~infinity",
                "SELECT 'infinity'::date::timestamptz~infinity",
                "SELECT '-infinity'::timestamp::timestamptz~-infinity",
                "SELECT '-infinity'::timestamptz::timestamp~-infinity",
                "SELECT 'infinity'::timestamptz::date~infinity",
                "SELECT '-infinity'::timestamp::date~-infinity",
                "SELECT 'infinity'::timestamp(0)~infinity",
                "SELECT 'infinity'::date::text || '!'~infinity!",
                "SELECT '-infinity'::timestamptz::text~-infinity",
                "SELECT date '2000-01-01' BETWEEN '-infinity' AND 'infinity'~t",
                "SELECT 'infinity'::date = 'infinity'::timestamp~t",
                "SELECT 'infinity'::date = 'infinity'::timestamptz~t",
                "SELECT '-infinity'::timestamp = '-infinity'::timestamptz~t",
                "SELECT 'infinity'::date > '9999-12-31 23:59:59.999999'::timestamp~t",
                "SELECT '-infinity'::timestamptz < '0001-01-01'::date~t",
                "SELECT current_date < 'infinity'~t",
                "SELECT now() > '-infinity'~t",
                "SELECT to_json('infinity'::date)~\"infinity\"",
                "SELECT to_json('-infinity'::timestamp)~\"-infinity\"",
                "SELECT to_jsonb('infinity'::timestamptz)~\"infinity\"",
                "SELECT json_build_object('a', '-infinity'::timestamptz)~{\"a\" : \"-infinity\"}",
                "SELECT json_agg('infinity'::timestamp)~[\"infinity\"]",
                "SELECT ARRAY['infinity'::date, '2000-01-01']~{infinity,2000-01-01}",
                "SELECT '{infinity,-infinity}'::timestamp[]~{infinity,-infinity}",
                "SELECT '{infinity}'::timestamptz[]::text~{infinity}",
                "SELECT '{infinity,2000-01-01}'::date[]~{infinity,2000-01-01}",
                "SELECT array_agg('-infinity'::timestamptz)~{-infinity}",
                "SELECT greatest('infinity'::date, date '2000-01-01')~infinity",
                "SELECT least('-infinity'::timestamp, timestamp '2000-01-01')~-infinity"
            })
    void valuesAndCasts(String sql, @Nullable String expected) throws SQLException {
        assertThat(answer(sql)).isEqualTo(expected == null ? "" : expected);
    }

    /** An infinity stays the same whatever is added to it; it has no difference. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            quoteCharacter = '`',
            value = {
                "SELECT 'infinity'::interval~22007",
                "SELECT 'infinity'::timestamp + interval '1 day'~infinity",
                "SELECT 'infinity'::timestamptz - interval '1 mon'~infinity",
                "SELECT '-infinity'::timestamptz + interval '1 hour'~-infinity",
                "SELECT '-infinity'::date + interval '1 hour'~-infinity",
                "SELECT 'infinity'::date + interval '1 day'~infinity",
                "SELECT 'infinity'::date + time '10:00'~infinity",
                "SELECT 'infinity'::timestamptz - time '10:00'~infinity",
                "SELECT 'infinity'::date - '2000-01-01'::date~22008",
                "SELECT '2000-01-01'::date - 'infinity'::date~22008",
                "SELECT 'infinity'::date - '-infinity'::date~22008",
                "SELECT 'infinity'::timestamp - '2000-01-01'::timestamp~22008",
                "SELECT 'infinity'::timestamptz - 'infinity'::timestamptz~22008",
                "SELECT age('2000-01-01'::timestamp, '-infinity'::timestamp)~22008",
                "SELECT date_trunc('day', 'infinity'::timestamp)~infinity",
                "SELECT date_trunc('year', '-infinity'::timestamptz)~-infinity",
                "SELECT date_trunc('month', 'infinity'::date)~infinity",
                "SELECT date_trunc('hour', 'infinity'::timestamptz, 'Asia/Tokyo')~infinity",
                "SELECT date_bin('1 day', 'infinity'::timestamp, '2000-01-01'::timestamp)~infinity",
                "SELECT date_bin('1 day', '-infinity'::timestamptz, '2000-01-01'::timestamptz)~-infinity",
                "SELECT date_bin('1 day', '2000-01-01'::timestamp, 'infinity'::timestamp)~22008",
                "SELECT to_char('infinity'::timestamp, 'YYYY')~null",
                "SELECT to_char('-infinity'::timestamptz, 'YYYY')~null",
                "SELECT to_char('infinity'::date, 'YYYY')~null",
                "SELECT to_char('infinity'::date, 'YYYY') IS NULL~t",
                "SELECT isfinite('infinity'::date)~f",
                "SELECT isfinite('-infinity'::timestamp)~f",
                "SELECT isfinite('-infinity'::timestamptz)~f",
                "SELECT isfinite(date '2000-01-01')~t",
                "SELECT isfinite(timestamptz '2000-01-01')~t",
                "SELECT isfinite(interval '1 day')~t",
                "SELECT isfinite(NULL::date)~null",
                "SELECT 'infinity'::timestamp AT TIME ZONE 'Asia/Tokyo'~infinity",
                "SELECT '-infinity'::timestamptz AT TIME ZONE 'America/New_York'~-infinity",
                "SELECT timezone('Asia/Tokyo', 'infinity'::timestamptz)~infinity",
                "SELECT to_timestamp('infinity'::float8)~infinity",
                "SELECT to_timestamp('-infinity'::float8)~-infinity",
                "SELECT to_timestamp('nan'::float8)~22008",
                "SELECT generate_series(timestamp '2000-01-01', 'infinity', '1 day') LIMIT 2~2000-01-01 00:00:00,2000-01-02 00:00:00",
                "SELECT * FROM generate_series(timestamp 'infinity', '2000-01-01', '1 day')~"
            })
    void arithmeticAndFunctions(String sql, @Nullable String expected) throws SQLException {
        assertThat(answer(sql)).isEqualTo(expected == null ? "" : expected);
    }

    /** Fields that go round are null, and years infinite. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            quoteCharacter = '`',
            value = {
                "SELECT date_part('day', 'infinity'::timestamp - '2000-01-01')~22008",
                "SELECT extract(epoch FROM 'infinity'::timestamp - '2000-01-01'::timestamp)~22008",
                "SELECT extract(month FROM date 'infinity')~null",
                "SELECT extract(month FROM date 'infinity') IS NULL~t",
                "SELECT extract(dow FROM timestamp '-infinity')~null",
                "SELECT extract(isodow FROM timestamptz 'infinity')~null",
                "SELECT extract(hour FROM timestamp 'infinity')~null",
                "SELECT extract(second FROM timestamptz 'infinity')~null",
                "SELECT extract(hour FROM date 'infinity')~0A000",
                "SELECT extract(timezone FROM timestamptz 'infinity')~null",
                "SELECT extract(decade FROM timestamp 'infinity')~Infinity",
                "SELECT extract(century FROM date '-infinity')~-Infinity",
                "SELECT extract(millennium FROM timestamptz 'infinity')~Infinity",
                "SELECT extract(isoyear FROM date '-infinity')~-Infinity",
                "SELECT extract(julian FROM timestamptz 'infinity')~Infinity",
                "SELECT extract(julian FROM timestamp '2024-02-29 12:00')~2460370.50000000000000000000",
                "SELECT extract(decade FROM date '1999-01-01')~199",
                "SELECT extract(century FROM timestamp '2000-12-31')~20",
                "SELECT extract(millennium FROM timestamptz '2001-01-01')~3",
                "SELECT extract(century FROM interval '250 years')~2",
                "SELECT date_part('decade', interval '-25 years')~-2",
                "SELECT date_part('century', date '2001-01-01')~21",
                "SELECT date_part('year', date 'infinity')~Infinity",
                "SELECT date_part('year', timestamptz '-infinity')~-Infinity",
                "SELECT date_part('year', timestamptz '2024-07-01')~2024",
                "SELECT date_part('epoch', timestamp 'infinity')~Infinity",
                "SELECT date_part('epoch', date '-infinity')~-Infinity",
                "SELECT date_part('epoch', timestamptz '-infinity')~-Infinity",
                "SELECT date_part('decade', date 'infinity')~Infinity",
                "SELECT date_part('julian', timestamp '-infinity')~-Infinity",
                "SELECT date_part('week', timestamp '-infinity')~null",
                "SELECT date_part('hour', date 'infinity')~null",
                "SELECT date_part('bogus', date 'infinity')~22023",
                "SELECT extract(bogus FROM timestamp 'infinity')~22023"
            })
    void fields(String sql, @Nullable String expected) throws SQLException {
        assertThat(answer(sql)).isEqualTo(expected == null ? "" : expected);
    }

    /** Columns, keys of an index, groups, windows and joins. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            quoteCharacter = '`',
            value = {
                "SELECT id FROM span WHERE d = 'infinity' ORDER BY id~1,5",
                "SELECT id FROM span WHERE d < 'infinity' ORDER BY id~2,3,4",
                "SELECT id FROM span WHERE d > '-infinity' AND d < 'infinity' ORDER BY id~3,4",
                "SELECT id FROM span WHERE d >= 'infinity' ORDER BY id~1,5",
                "SELECT id FROM span WHERE d <= '-infinity' ORDER BY id~2",
                "SELECT id FROM span WHERE d > 'infinity' ORDER BY id~",
                "SELECT id FROM span WHERE z IN ('infinity', '2000-01-01 00:00+00') ORDER BY id~1,3,5",
                "SELECT id FROM span WHERE m BETWEEN '2000-01-01' AND 'infinity' ORDER BY id~1,3,4,5",
                "SELECT id FROM span WHERE isfinite(m) ORDER BY id~3,4",
                "SELECT id FROM span WHERE NOT isfinite(z) ORDER BY id~1,2,5",
                "SELECT d FROM span ORDER BY d, id~-infinity,2000-01-01,9999-12-31,infinity,infinity",
                "SELECT m FROM span ORDER BY m DESC, id~infinity,infinity,9999-12-31 23:59:59.999999,2000-01-01 00:00:00,-infinity",
                "SELECT z FROM span ORDER BY z, id~-infinity,2000-01-01 00:00:00+00,9999-12-31 23:59:59.999999+00,infinity,infinity",
                "SELECT max(d), min(m) FROM span~infinity,-infinity",
                "SELECT d, count(*) FROM span GROUP BY d ORDER BY d~-infinity,1,2000-01-01,1,9999-12-31,1,infinity,2",
                "SELECT a.id, b.id FROM span a JOIN span b ON a.d = b.m ORDER BY 1, 2~1,1,1,5,2,2,3,3,5,1,5,5",
                "SELECT a.id, b.id FROM span a JOIN span b ON a.d = b.z ORDER BY 1, 2~1,1,1,5,2,2,3,3,5,1,5,5",
                "SELECT m - interval '1 month' FROM span ORDER BY id~infinity,-infinity,1999-12-01 00:00:00,9999-11-30 23:59:59.999999,infinity",
                "SELECT extract(month FROM d) FROM span ORDER BY id~null,null,1,12,null",
                "SELECT count(*) FROM span WHERE extract(month FROM d) IS NULL~3",
                "SELECT date_part('year', z) FROM span ORDER BY id~Infinity,-Infinity,2000,9999,Infinity",
                "SELECT to_char(z, 'YYYY') FROM span ORDER BY id~null,null,2000,9999,null",
                "SELECT m - d FROM span WHERE id = 3~00:00:00",
                "SELECT m - d FROM span WHERE id = 1~22008",
                "SELECT d - date '2000-01-01' FROM span WHERE id = 2~22008",
                "SELECT d::timestamp, m::date, z::date, z::timestamp FROM span WHERE id = 2~-infinity,-infinity,-infinity,-infinity",
                "SELECT count(*) FROM span WHERE d = current_date + interval '1 day'~0",
                "SELECT lag(d) OVER (ORDER BY d, id) FROM span ORDER BY d, id~null,-infinity,2000-01-01,9999-12-31,infinity",
                "SELECT sum(id) OVER (ORDER BY d RANGE BETWEEN interval '1 day' PRECEDING AND CURRENT ROW) FROM span ORDER BY d, id~2,3,4,6,6",
                "SELECT sum(id) OVER (ORDER BY m RANGE BETWEEN interval '1 day' PRECEDING AND interval '1 month' FOLLOWING) FROM span WHERE id <> 4 ORDER BY m, id~2,3,6,6",
                "SELECT sum(id) OVER (ORDER BY z DESC RANGE BETWEEN interval '1 day' PRECEDING AND interval '1 day' FOLLOWING) FROM span WHERE id <> 4 ORDER BY z, id~2,3,6,6",
                "SELECT min(d), max(d), min(m), max(z) FROM span~-infinity,infinity,-infinity,infinity",
                "SELECT DISTINCT m FROM span ORDER BY m~-infinity,2000-01-01 00:00:00,9999-12-31 23:59:59.999999,infinity",
                "SELECT count(DISTINCT z) FROM span~4",
                "SELECT id FROM span WHERE d = '  Infinity' AND m = timestamp 'infinity' ORDER BY id~1,5",
                "SELECT coalesce(NULL, d), nullif(d, 'infinity') FROM span WHERE id < 3 ORDER BY id~infinity,null,-infinity,-infinity",
                "SELECT to_json(d) FROM span ORDER BY id~\"infinity\",\"-infinity\",\"2000-01-01\",\"9999-12-31\",\"infinity\""
            })
    void rows(String sql, @Nullable String expected) throws SQLException {
        assertThat(answer(sql)).isEqualTo(expected == null ? "" : expected);
    }

    /** Those that PostgreSQL has too, but for the type of the result. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            value = {
                "SELECT extract(year FROM date 'infinity')~22008",
                "SELECT extract(epoch FROM timestamptz '-infinity')~22008",
                "SELECT 'infinity'::timestamp::time~22008",
                "SELECT extract(century FROM time '10:00')~0A000",
                "SELECT date_part('year', time '10:00')~42804",
                "SELECT age('infinity'::timestamp, '2000-01-01'::timestamp)~22008",
                "SELECT age('infinity'::date)~22008",
                "SELECT * FROM generate_series(timestamp '-infinity', '2000-01-01', '1 day')~22008",
                "SELECT * FROM generate_series(timestamp 'infinity', 'infinity', '1 day')~22008",
                "SELECT 'infinity'::timestamp AT TIME ZONE 'nowhere'~22P02",
                "SELECT date '9999-12-31' + interval '1 day'~22008",
                "SELECT timestamp '9999-12-31 23:59:59.999999' + interval '1 microsecond'~22008",
                "SELECT '9999-12-31 23:59:59.9999999'::timestamp~22008"
            })
    void differencesThatPostgresqlMdLists(String sql, String expected) throws SQLException {
        assertThat(answer(sql)).isEqualTo(expected);
    }

    /** Behind the fifth execution the driver sends and reads the binary form. */
    @Test
    void driversSendAndReadInfinities() throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement("INSERT INTO sent VALUES (?, ?, ?, ?, ?)");
                PreparedStatement read = connection.prepareStatement(
                        "SELECT d, m, z, a FROM sent WHERE d = ? AND m = ? AND z = ? AND id = ?")) {
            for (int i = 0; i < 8; i++) {
                boolean isPositive = i % 2 == 0;
                LocalDate date = isPositive ? LocalDate.MAX : LocalDate.MIN;
                LocalDateTime timestamp = isPositive ? LocalDateTime.MAX : LocalDateTime.MIN;
                OffsetDateTime moment = isPositive ? OffsetDateTime.MAX : OffsetDateTime.MIN;
                insert.setInt(1, i);
                insert.setObject(2, date);
                insert.setTimestamp(
                        3,
                        new Timestamp(
                                isPositive ? PGStatement.DATE_POSITIVE_INFINITY : PGStatement.DATE_NEGATIVE_INFINITY));
                insert.setObject(4, moment);
                insert.setArray(
                        5, connection.createArrayOf("date", new Object[] {"infinity", "2024-02-29", "-infinity"}));
                assertThat(insert.executeUpdate()).isEqualTo(1);
                read.setObject(1, date);
                read.setObject(2, timestamp);
                read.setObject(3, moment);
                read.setInt(4, i);
                try (ResultSet rows = read.executeQuery()) {
                    assertThat(rows.next()).isTrue();
                    assertThat(rows.getObject(1, LocalDate.class)).isEqualTo(date);
                    assertThat(rows.getObject(2, LocalDateTime.class)).isEqualTo(timestamp);
                    assertThat(rows.getObject(3, OffsetDateTime.class)).isEqualTo(moment);
                    assertThat(rows.getString(1)).isEqualTo(isPositive ? "infinity" : "-infinity");
                    assertThat(rows.getString(4)).isEqualTo("{infinity,2024-02-29,-infinity}");
                }
            }
        }
        assertThat(answer("SELECT count(*), count(DISTINCT d) FROM sent WHERE d = ANY ('{infinity,-infinity}')"))
                .isEqualTo("8,2");
        run("DELETE FROM sent");
    }

    @Test
    void copyTakesAndYieldsInfinities() throws SQLException, IOException {
        String lines =
                "1\tinfinity\t-infinity\tinfinity\t{infinity,-infinity}\n2\t-infinity\tinfinity\t-infinity\t\\N\n";
        var copy = connection.unwrap(PGConnection.class).getCopyAPI();
        assertThat(copy.copyIn("COPY sent FROM STDIN", new StringReader(lines))).isEqualTo(2);
        StringWriter out = new StringWriter();
        copy.copyOut("COPY (SELECT * FROM sent ORDER BY id) TO STDOUT", out);
        assertThat(out).hasToString(lines);
        run("DELETE FROM sent");
    }

    /** The session's zone moves none of them. */
    @Test
    void zonesMoveNoInfinity() throws SQLException {
        run("SET TimeZone = 'America/New_York'");
        assertThat(answer("SELECT z, z::timestamp, z::date, m::timestamptz, d::timestamptz FROM span WHERE id = 2"))
                .isEqualTo("-infinity,-infinity,-infinity,-infinity,-infinity");
        assertThat(answer("SELECT count(*) FROM span WHERE z = m AND d = m AND id = 1"))
                .isEqualTo("1");
        run("SET TimeZone = 'UTC'");
    }
}
