package dev.fulmar.it.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Functions that the engine has under the same names with other meanings, with the answers of PostgreSQL 15. */
class PostgresFunctionsTest extends PostgresAnswersFixture {
    @BeforeAll
    void create() throws SQLException {
        run(
                "CREATE TABLE piece (id INT PRIMARY KEY, v text, n int, r float8, j jsonb)",
                "INSERT INTO piece VALUES (1, 'abc', -1, 2.5, '{\"a\": 1}'), (2, 'abc', 2, -0.5, '[1]'),"
                        + " (3, 'äöü', -2, 1.5, NULL), (4, 'ab', -9, 0.5, NULL), (5, NULL, -1, NULL,"
                        + " NULL), (6, 'x', NULL, 7, NULL)");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            quoteCharacter = '`',
            value = {
                "SELECT right('abc', -1), right('abc', -3), right('abc', -9), right('abc', 0), right('abc', 2), right('abc', 9)~bc,,,,bc,abc",
                "SELECT left('abc', -1), left('abc', -3), left('abc', -9), left('abc', 0), left('abc', 2), left('abc', 9)~ab,,,,ab,abc",
                "SELECT left('abc', 2147483647), right('abc', 2147483647), left('abc', -2147483648)~abc,abc,",
                "SELECT left(v, n), right(v, n) FROM piece ORDER BY id~ab,bc,ab,bc,ä,ü,,,null,null,null,null",
                "SELECT id FROM piece WHERE right(v, n) = 'bc' ORDER BY id~1,2",
                "SELECT pg_catalog.left('abc', 1 - 2), left(left('abcd', -1), -1)~ab,ab"
            })
    void endsOfTextsAreThoseOfPostgres(String sql, String expected) throws SQLException {
        assertThat(answer(sql)).isEqualTo(expected);
    }

    @Test
    void endsOfTextsTakeParameters() throws SQLException {
        try (PreparedStatement ends = connection.prepareStatement("SELECT left(?, ?), right(?, ?)")) {
            ends.setString(1, "abcd");
            ends.setInt(2, -1);
            ends.setString(3, "abcd");
            ends.setInt(4, -3);
            ResultSet rows = ends.executeQuery();
            assertThat(rows.next()).isTrue();
            assertThat(rows.getString(1)).isEqualTo("abc");
            assertThat(rows.getString(2)).isEqualTo("d");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            quoteCharacter = '`',
            value = {
                "SELECT round(2.5::float8), round(3.5::float8), round(-2.5::float8), round(0.5::float8), round(1e300::float8)~2,4,-2,0,1e+300",
                "SELECT round(2.5), round(3.5), round(-2.5), round(2.345, 2), round(25, -1)~3,4,-3,2.35,30",
                "SELECT round(2.5::real), round('NaN'::float8), round('-Infinity'::float8)~2,NaN,-Infinity",
                "SELECT round(r) FROM piece ORDER BY id~2,-0,2,0,null,7",
                "SELECT round(sum(r)), round(avg(r)) FROM piece~11,2"
            })
    void halvesAreRoundedToEvenNumbers(String sql, String expected) throws SQLException {
        assertThat(answer(sql)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            quoteCharacter = '`',
            value = {
                "SELECT width_bucket(2.999999999999999999999999999999, 0, 3, 1), width_bucket(2.9999, 0, 3, 1)~2,1",
                "SELECT width_bucket(0.57::float8, 0, 1, 100), width_bucket(0.57, 0, 1, 100)~57,58",
                "SELECT width_bucket(5.35, 0.024, 10.06, 5), width_bucket(3, 10, 0, 5), width_bucket(29, 0, 100, 100)~3,4,30",
                "SELECT width_bucket(-1::float8, 0, 1, 3), width_bucket(1::float8, 0, 1, 3), width_bucket(-1, 0, 1, 3), width_bucket(1, 0, 1, 3)~0,4,0,4",
                "SELECT width_bucket(-7::float8, -10, 0, 5), width_bucket(7::float8, 10, 0, 5)~2,2",
                "SELECT width_bucket(1, 2, 3, 0)~2201G",
                "SELECT width_bucket(1::float8, 2, 2, 1)~2201G",
                "SELECT width_bucket('NaN'::float8, 2, 3, 1)~2201G",
                "SELECT width_bucket(1, 2, 'Infinity'::float8, 1)~2201G",
                "SELECT width_bucket(9::float8, 2, 3, 2147483647)~22003"
            })
    void bucketsAreThoseOfPostgres(String sql, String expected) throws SQLException {
        assertThat(answer(sql)).isEqualTo(expected);
    }

    @Test
    void countsOfBucketsMayBeParameters() throws SQLException {
        try (PreparedStatement bucket = connection.prepareStatement("SELECT width_bucket(5.35, 0.024, 10.06, ?)")) {
            bucket.setInt(1, 5);
            ResultSet rows = bucket.executeQuery();
            assertThat(rows.next()).isTrue();
            assertThat(rows.getInt(1)).isEqualTo(3);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            quoteCharacter = '`',
            value = {
                "SELECT length(encode(decode(repeat('61', 57), 'hex'), 'base64'))~77",
                "SELECT string_agg(length(encode(decode(repeat('0a', n), 'hex'), 'base64'))::text, ' ' ORDER BY n) FROM (VALUES (0), (1), (56), (57), (58), (113), (114), (115), (171), (200)) AS t (n)~0 4 76 77 81 153 154 158 231 271",
                "SELECT encode('\\x'::bytea, 'base64') || '.', encode('\\x00ff'::bytea, 'BASE64'), encode('\\x00ff'::bytea, 'hex')~.,AP8=,00ff",
                "SELECT decode('YWI=', 'base64'), decode('YQ==', 'base64'), decode(E' Y W\\nI =', 'base64'), decode('', 'base64')~\\x6162,\\x61,\\x6162,\\x",
                "SELECT decode('YWI', 'base64')~22023",
                "SELECT decode('YQ=', 'base64')~22023",
                "SELECT decode('Y', 'base64')~22023",
                "SELECT decode('=', 'base64')~22023",
                "SELECT decode('YW=I', 'base64'), decode('YQ==YWJj', 'base64')~\\x61,\\x6161",
                "SELECT decode('YW-_', 'base64')~22023",
                "SELECT decode('6 1', 'hex')~22023",
                "SELECT decode('616', 'hex')~22023",
                "SELECT decode('6g', 'hex')~22023",
                "SELECT decode(' 61 62 ', 'hex'), decode('', 'hex'), decode('aB', 'HEX')~\\x6162,\\x,\\xab"
            })
    void bytesAsTextsAreThoseOfPostgres(String sql, String expected) throws SQLException {
        assertThat(answer(sql)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            quoteCharacter = '`',
            value = {
                "SELECT ltrim('  a '), ltrim('xyxa', 'xy'), rtrim('axyx', 'yx'), rtrim(' a  ') || '.', ltrim('abc', ''), rtrim('', 'x')~a ,a,a, a.,abc,",
                "SELECT ltrim(v, 'a'), rtrim(v, 'c') FROM piece WHERE id < 3 ORDER BY id~bc,ab,bc,ab",
                "SELECT ltrim('x', NULL)~null"
            })
    void charactersAreTrimmed(String sql, String expected) throws SQLException {
        assertThat(answer(sql)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            quoteCharacter = '`',
            value = {
                "SELECT n FROM piece ORDER BY n OFFSET 1 FETCH FIRST 0 ROWS WITH TIES~``",
                "SELECT n FROM piece ORDER BY n OFFSET 1 FETCH FIRST 1 ROWS WITH TIES~-2",
                "SELECT n FROM piece ORDER BY n OFFSET 2 FETCH NEXT ROW WITH TIES~-1,-1",
                "SELECT n FROM piece ORDER BY n OFFSET 2 FETCH FIRST (1) ROWS WITH TIES~-1,-1",
                "SELECT n FROM piece ORDER BY n FETCH FIRST ROW ONLY~-9",
                "SELECT n FROM piece ORDER BY n FETCH FIRST (2) ROWS ONLY~-9,-2",
                "SELECT n FROM piece ORDER BY n LIMIT NULL OFFSET NULL~-9,-2,-1,-1,2,null",
                "SELECT n FROM piece ORDER BY n LIMIT ALL OFFSET 4~2,null"
            })
    void rowsAreFetchedAsInPostgres(String sql, String expected) throws SQLException {
        assertThat(answer(sql)).isEqualTo(expected);
    }

    @Test
    void countsOfRowsMayBeParameters() throws SQLException {
        String sql = "SELECT n FROM piece ORDER BY n OFFSET ? FETCH FIRST ? ROWS WITH TIES";
        try (PreparedStatement fetch = connection.prepareStatement(sql)) {
            fetch.setInt(1, 2);
            fetch.setInt(2, 0);
            assertThat(fetch.executeQuery().next()).isFalse();
            fetch.setInt(2, 1);
            assertThat(fetch.executeQuery().next()).isTrue();
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            quoteCharacter = '`',
            value = {
                "SELECT jsonb_set('{\"a\": 1}', '{a,NULL}', '2')~22004",
                "SELECT jsonb_insert('{\"a\": [1]}', '{NULL,a}', '2')~22004",
                "SELECT '{\"a\": 1}'::jsonb #- ARRAY[NULL]::text[]~22004"
            })
    void pathsHaveNoNulls(String sql, String expected) throws SQLException {
        assertThat(answer(sql)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            quoteCharacter = '`',
            value = {
                "SELECT jsonb_array_elements('[1, \"a\", null, {\"b\": 2}]')~1,\"a\",null,{\"b\": 2}",
                "SELECT value FROM jsonb_array_elements_text('[1, \"a\", null]')~1,a,null",
                "SELECT e.value -> 'b' FROM jsonb_array_elements('[{\"b\": 2}]') AS e~2",
                "SELECT p.id, e.x FROM piece p, jsonb_array_elements_text(p.j) AS e(x) WHERE p.id = 2~2,1",
                "SELECT p.id, e.key, e.value FROM piece p CROSS JOIN LATERAL jsonb_each(p.j) e WHERE p.id = 1~1,a,1",
                "SELECT * FROM jsonb_each_text('{\"bb\": \"x\", \"a\": null}')~a,null,bb,x",
                "SELECT k FROM jsonb_object_keys('{\"bb\": 1, \"a\": 2}') AS k ORDER BY k DESC~bb,a",
                "SELECT json_object_keys('{\"bb\": 1, \"a\": 2}')~bb,a",
                "SELECT value, ordinality FROM json_array_elements_text('[7, 8]') WITH ORDINALITY~7,1,8,2",
                "SELECT jsonb_array_elements('{}')~22023",
                "SELECT jsonb_object_keys('[]')~22023",
                "SELECT * FROM jsonb_each('1')~22023"
            })
    void partsOfDocumentsAreRows(String sql, String expected) throws SQLException {
        assertThat(answer(sql)).isEqualTo(expected);
    }
}
