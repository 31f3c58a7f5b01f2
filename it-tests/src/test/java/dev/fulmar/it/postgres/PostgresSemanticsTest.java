package dev.fulmar.it.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Values of expressions for clients of PostgreSQL: those that PostgreSQL has, and the differences of POSTGRESQL.md. */
class PostgresSemanticsTest extends PostgresAnswersFixture {
    @BeforeAll
    void create() throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE kind (id INT PRIMARY KEY, a INT, t TEXT, b BOOL, f FLOAT8, n NAME)");
            statement.execute("INSERT INTO kind VALUES (1, 2, 'a_b', true, 2.5, 'x'), (2, NULL, NULL, NULL, -0.5, 'y'),"
                    + " (3, 5, 'a\\b', false, 1.5, 'z')");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            quoteCharacter = '`',
            value = {
                "SELECT bool ' YES '~t",
                "SELECT '34.5'::int~22P02",
                "SELECT int8 '-9223372036854775808'~-9223372036854775808",
                "SELECT '9223372036854775808'::int8~22003",
                "SELECT float8 'nan'~NaN",
                "SELECT '-inf'::float8~-Infinity",
                "SELECT '1e400'::float8~22003",
                "SELECT '1.50'::numeric~1.50",
                "SELECT '1.005'::numeric(5, 2)~1.01",
                "SELECT date 'January 8, 1999'~1999-01-08",
                "SELECT '1999-02-29'::date~22008",
                "SELECT timestamp '19990108 040506.5'~1999-01-08 04:05:06.5",
                "SELECT b::text FROM kind ORDER BY id~true,null,false",
                "SELECT b::varchar(10) FROM kind ORDER BY id~true,null,false",
                "SELECT b::character varying FROM kind ORDER BY id~true,null,false",
                "SELECT '[' || b::char(5) || ']' FROM kind ORDER BY id~[true],null,[false]",
                "SELECT t LIKE 'a%' m FROM kind ORDER BY id~t,null,t",
                "SELECT id FROM kind WHERE t LIKE lower('A') || '%' AND b~1",
                "SELECT timestamptz '2024-07-01 12:00 CET' = '2024-07-01 11:00+00'::timestamptz~t",
                "SELECT (timestamp '2024-07-01 12:00' AT TIME ZONE 'cet') = timestamptz '2024-07-01 11:00+00'~t",
                "SELECT EXTRACT(HOUR FROM (timestamp '2024-01-01 12:00' AT TIME ZONE 'UTC') AT TIME ZONE 'America/New_York')~7",
                "SELECT '2024-07-01 12:00 europe/oslo'::timestamptz = '2024-07-01 12:00 CEST'::timestamptz~t",
                "SELECT (a > 2)::text FROM kind ORDER BY id~false,null,true",
                "SELECT a::text FROM kind ORDER BY id~2,null,5",
                "SELECT n::text FROM kind WHERE id = 1~x",
                "SELECT EXTRACT(SECOND FROM time '13:30:25.575401')~25.575401",
                "SELECT EXTRACT(MILLISECONDS FROM time '13:30:25.575401')~25575.401",
                "SELECT EXTRACT(MICROSECONDS FROM timestamp '2024-02-29 13:30:25.5')~25500000",
                "SELECT EXTRACT(DOW FROM date '2024-02-29')~4",
                "SELECT EXTRACT(DOW FROM date '2024-03-03')~0",
                "SELECT EXTRACT(ISODOW FROM date '2024-03-03')~7",
                "SELECT EXTRACT(ISODOW FROM date '2024-03-04')~1",
                "SELECT EXTRACT(CENTURY FROM date '2000-12-31')~20",
                "SELECT EXTRACT(MILLENNIUM FROM date '2001-01-01')~3",
                "SELECT EXTRACT(DECADE FROM date '1999-01-01')~199",
                "SELECT date_part('year', date '1999-01-01')~1999",
                "SELECT concat_ws('-', concat_ws('+', 'a', 'b'), b) FROM kind ORDER BY id~a+b-t,a+b,a+b-f",
                "SELECT concat_ws(',', 'a', NULL, 2)~a,2",
                "SELECT concat_ws(NULL, 'a', 'b')~null",
                "SELECT id FROM kind WHERE t LIKE 'a\\_b'~1",
                "SELECT id FROM kind WHERE t LIKE 'a' || '\\\\b'~3",
                "SELECT count(*) FROM kind WHERE t LIKE 'a_b'~2",
                "SELECT 'a\\b' LIKE 'a\\\\b' ESCAPE '\\'~t",
                "SELECT sum(i) FROM generate_series(1, 10) i~55",
                "SELECT * FROM generate_series(5, 1, -2)~5,3,1",
                "SELECT x.i FROM kind, generate_series(-1, 1) AS x(i) WHERE id = 1 ORDER BY i~-1,0,1",
                "SELECT U&'d\\0061t\\+000061'~data",
                "SELECT U&'d!0061' UESCAPE '!'~da",
                "SELECT U&'\\db99'~42601",
                "SELECT U&'\\+0061'~42601"
            })
    void isAsInPostgres(String sql, String expected) throws SQLException {
        assertThat(answer(sql)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            quoteCharacter = '`',
            value = {
                "SELECT EXTRACT(EPOCH FROM timestamp '2024-02-29 00:00:00.5')~1709164800.500000",
                "SELECT date_part('epoch', timestamptz '1969-12-31 23:59:59.5+00')~-0.5",
                "SELECT date_trunc('month', timestamp '2024-02-29 13:14:15')~2024-02-01 00:00:00",
                "SELECT date_trunc('day', timestamptz '2024-07-01 23:30+00', 'Europe/Oslo') = '2024-07-01 22:00+00'~t",
                "SELECT date_trunc('year', date '2024-02-29') = timestamptz '2024-01-01'~t",
                "SELECT date_trunc('aeon', now())~22023",
                "SELECT to_char(timestamp '2024-02-09 15:04:05', 'FMDay, DDth Mon HH12:MI AM')~Friday, 09th Feb 03:04 PM",
                "SELECT to_char(12.5, 'FM099.99')~012.5",
                "SELECT to_char(-1234567, '9G999G999MI')~1,234,567-",
                "SELECT to_char(true, '9')~42804",
                "SELECT to_date('09 Feb 2024', 'DD Mon YYYY')~2024-02-09",
                "SELECT to_timestamp('2024-02-29 13:04', 'YYYY-MM-DD HH24:MI') = timestamptz '2024-02-29 13:04'~t",
                "SELECT to_date('09 Fub 2024', 'DD Mon YYYY')~22007",
                "SELECT t ILIKE 'A\\_B' FROM kind ORDER BY id~t,null,f",
                "SELECT id FROM kind WHERE t NOT ILIKE 'A\\_%'~3",
                "SELECT regexp_replace('2024-02-29', '(\\d+)-(\\d+)-(\\d+)', '\\3.\\2.\\1')~29.02.2024",
                "SELECT regexp_replace('abc', '(', '')~2201B",
                "SELECT split_part('a/b', '/', 0)~22023",
                "SELECT encode(sha256('abc'::bytea), 'hex')~ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
                "SELECT md5(t) FROM kind WHERE id = 1~dbf08e00b01fd58a4a5967753b43784f"
            })
    void functionsAreThoseOfPostgres(String sql, String expected) throws SQLException {
        assertThat(answer(sql)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            quoteCharacter = '`',
            value = {
                "SELECT concat('a', NULL, 1, true)~a1t",
                "SELECT concat(concat(t, '-'), a, concat(b)) FROM kind ORDER BY id~a_b-2t,-,a\\b-5f",
                "SELECT concat(NULL)~``",
                "SELECT concat(1.50, date '2024-02-29')~1.502024-02-29",
                "SELECT count(*) FROM kind WHERE t LIKE concat('%', 'b', '%')~2",
                "SELECT greatest(greatest(1, 2), 3, least(9, 4))~4",
                "SELECT greatest(length(btrim('  ab ')), 1)~2",
                "SELECT greatest(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, NULL, 14)~14",
                "SELECT least(t, 'b') FROM kind ORDER BY id~a_b,b,a\\b",
                "SELECT greatest(timestamp '2024-01-01', date '2024-01-02')~2024-01-02 00:00:00",
                "SELECT trunc(2.55, 1) = 2.5~t",
                "SELECT greatest(a, 3) FROM kind ORDER BY id~3,3,5",
                "SELECT least(a, NULL, 4) FROM kind ORDER BY id~2,4,4",
                "SELECT greatest(NULL, a) FROM kind WHERE id = 2~null",
                "SELECT trunc(-2.7) = -2 AND ceiling(2.1) = 3~t",
                "SELECT btrim('  x ') || btrim('xxyxx', 'x')~xy",
                "SELECT log(100)~2"
            })
    void functionsAreAsInPostgres(String sql, String expected) throws SQLException {
        assertThat(answer(sql)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            quoteCharacter = '`',
            value = {
                "SELECT f::int FROM kind ORDER BY id~3,-1,2",
                "SELECT length(42)~2",
                "SELECT lower('AB'::char(4))~`ab  `",
                "SELECT id FROM kind WHERE id < 2 EXCEPT SELECT id FROM kind WHERE id > 1 FOR UPDATE~1",
                "SELECT CASE WHEN id > 9 THEN 1 / 0 ELSE 0 END FROM kind~0,0,0",
                "SELECT EXTRACT(HOUR FROM date '2024-02-29')~0A000",
                "SELECT EXTRACT(MILLISECONDS FROM date '2024-02-29')~0A000",
                "SELECT EXTRACT(HOUR FROM timestamp '2024-02-29 07:00:00')~7",
                "SELECT date_part('hour', date '2024-02-29')~0",
                "SELECT date '10000-01-01'~22008",
                "SELECT timestamp '10000-01-01 00:00:00'~22008",
                "SELECT timestamptz '10000-01-02 00:00:00+00'~22008",
                "SELECT date '0001-01-01 BC'~22008",
                "SELECT date '9999-12-31' + INTERVAL '1' DAY~22008"
            })
    void differsAsDocumented(String sql, String expected) throws SQLException {
        assertThat(answer(sql)).isEqualTo(expected);
    }

    private void execute(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @Test
    void textForANumberInARowOfInsertIsRounded() throws SQLException {
        execute("CREATE TABLE rounded (id INT PRIMARY KEY, n SMALLINT)");
        assertThat(answer("INSERT INTO rounded VALUES (1, '1.5') RETURNING n")).isEqualTo("2");
        assertThat(answer("SELECT '1.5'::smallint")).isEqualTo("22P02");
    }

    /** A sequence has the least value 1, unless it says another. */
    @Test
    void sequencesHaveBounds() throws SQLException {
        assertThat(answer("CREATE SEQUENCE bounded START -10")).isEqualTo("22023");
        execute("CREATE SEQUENCE bounded MINVALUE -10 MAXVALUE -9 CACHE 1");
        assertThat(answer("SELECT nextval('bounded')")).isEqualTo("-10");
        assertThat(answer("SELECT nextval('bounded')")).isEqualTo("-9");
        assertThat(answer("SELECT nextval('bounded')")).isEqualTo("22003");
    }

    @Test
    void aDefaultMayBeAnInWithoutParentheses() throws SQLException {
        execute("CREATE TABLE chosen (id INT PRIMARY KEY, b BOOL DEFAULT 1 IN (1, 2))");
        assertThat(answer("INSERT INTO chosen (id) VALUES (1) RETURNING b")).isEqualTo("t");
    }
}
