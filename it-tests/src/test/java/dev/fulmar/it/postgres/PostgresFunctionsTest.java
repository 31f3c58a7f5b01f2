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
            delimiter = ';',
            quoteCharacter = '`',
            value = {
                "SELECT 'A' ~ '[!-\\/]', '/' ~ '[!-\\/]', '\\' ~ '[!-\\/]';f,t,f",
                "SELECT '5' ~ '[\\.-9]', '/' ~ '[\\.-9]', '-' ~ '[\\.-9]', '\\' ~ '[\\.-9]';t,t,f,f",
                "SELECT 'a' ~ '^[[=a=]]$', '=' ~ '[[=a=]]', 'a]' ~ '^[[=a=]]$';t,f,f",
                "SELECT 'b' ~ '^[[.a.]-c]$', '.' ~ '[[.a.]]', '-' ~ '^[[.-.]]$';t,f,t",
                "SELECT ']' ~ '^[]a]$', ']' ~ '^[^]a]$', '-' ~ '^[a-]$', '-' ~ '^[-a\\.]$', '\\' ~ '^[\\\\a]$';t,f,t,t,t",
                "SELECT ',' ~ '^[+--]$', '-' ~ '^[+\\--]$';t,t",
                "SELECT '5x' ~ '^[\\d]x$', 'b' ~ '^[\\w\\.]$', ' ' ~ '^[\\s.]$';t,t,t",
                "SELECT 'a' ~ '[a-\\d]';2201B",
                "SELECT 'a' ~ '[\\d-z]';2201B",
                "SELECT 'a' ~ '[\\.-9-z]';2201B",
                "SELECT 'a' ~ '[[=a=]-c]';2201B",
                "SELECT 'A' !~ '[!-\\/]', 'A' ~* '[[=a=]]', 'A' !~* '[[=a=]]';t,t,f",
                "SELECT 'a[b' ~ '***=a[b', 'a.b' ~ '***=a+b', 'ab' ~ '***:a.';t,f,t",
                "SELECT regexp_replace('a/B', '[!-\\/]', 'x', 'g'), regexp_split_to_array('a/B', '[!-\\/]'), substring('A/b' FROM '[!-\\/].');axB,{a,B},/b",
                "SELECT regexp_replace('1 (23', '[\\(\\)]', ''), regexp_replace(v, '[' || '!-\\/ab]', '') FROM piece WHERE id = 1;1 23,bc"
            })
    void bracketsAreThoseOfPostgres(String sql, String expected) throws SQLException {
        assertThat(answer(sql)).isEqualTo(expected);
    }

    @Test
    void expressionsMayBeParametersAndColumns() throws SQLException {
        run("CREATE TABLE shape (id INT PRIMARY KEY, p text)", "INSERT INTO shape VALUES (1, '[!-\\/]'), (2, 'A')");
        assertThat(answer("SELECT id FROM shape WHERE 'A' ~ p")).isEqualTo("2");
        assertThat(answer("SELECT 'A' ~ (SELECT p FROM shape WHERE id = 1)")).isEqualTo("f");
        assertThat(answer("SELECT count(*) FROM shape WHERE '5' SIMILAR TO p || '\\d'"))
                .isEqualTo("0");
        try (PreparedStatement match = connection.prepareStatement("SELECT 'A' ~ ?, 'A' SIMILAR TO ?")) {
            match.setString(1, "[!-\\/]");
            match.setString(2, "\\w");
            ResultSet rows = match.executeQuery();
            assertThat(rows.next()).isTrue();
            assertThat(rows.getBoolean(1)).isFalse();
            assertThat(rows.getBoolean(2)).isTrue();
        }
        run("CREATE VIEW shaped AS SELECT id FROM shape WHERE 'A/' ~ '^A[!-\\/]$' AND left(p, -1) <> ''");
        assertThat(answer("SELECT id FROM shaped")).isEqualTo("1");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            quoteCharacter = '`',
            value = {
                "SELECT '5' SIMILAR TO '\\d', 'd' SIMILAR TO '\\d', 'a1' SIMILAR TO '\\w+', ' ' SIMILAR TO '\\s'~t,f,t,t",
                "SELECT '5' SIMILAR TO '#d' ESCAPE '#', 'a%' SIMILAR TO 'a\\%', 'ab' SIMILAR TO 'a\\%'~t,t,f",
                "SELECT 'A' SIMILAR TO '[!-\\/]', '/' NOT SIMILAR TO '[!-\\/]'~f,f",
                "SELECT substring('ab12cd' SIMILAR '%#\"#d+#\"%' ESCAPE '#')~12"
            })
    void escapesOfSimilarPatternsAreThoseOfPostgres(String sql, String expected) throws SQLException {
        assertThat(answer(sql)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            quoteCharacter = '`',
            value = {
                "SELECT regexp_match('foobarbequebaz', '(bar)(beque)'), regexp_match('foobar', 'b..'), regexp_match('foo', 'x')~`{bar,beque},{bar},null`",
                "SELECT regexp_match('ab', '(x)?(b)'), (regexp_match('abc', 'B', 'i'))[1]~`{NULL,b},b`",
                "SELECT regexp_match('a', 'a', 'g')~22023",
                "SELECT * FROM regexp_split_to_table('a, b,c', ', *')~a,b,c",
                "SELECT x FROM regexp_split_to_table('a b', ' ') AS x WHERE x <> 'a'~b",
                "SELECT regexp_split_to_table FROM regexp_split_to_table('a b', ' ') ORDER BY 1 DESC~b,a",
                "SELECT id, string_to_table(v, 'b') FROM piece WHERE id = 1~1,a,1,c",
                "SELECT regexp_split_to_table('A1b', '\\d'), 1~A,1,b,1",
                "SELECT regexp_count(E'a\\nb', '^.$', 1, 'n'), regexp_count(E'a\\nb', '^.', 1, 'w'), regexp_count(E'a\\nb', 'a.b', 1, 'p')~2,2,0",
                "SELECT regexp_like(E'a\\nb', 'a.b'), regexp_like(E'a\\nb', 'a[^x]b', 'm'), regexp_like(E'a\\nb', 'a.b', 'ns')~t,f,t",
                "SELECT regexp_like('ab', 'a b # c', 'x'), regexp_like('a b', 'a b', 'xt'), regexp_like('aab', E'a {2} #x\\n b', 'x')~t,t,t"
            })
    void expressionsHaveMoreFunctions(String sql, String expected) throws SQLException {
        assertThat(answer(sql)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            quoteCharacter = '`',
            value = {
                "SELECT n FROM piece ORDER BY n OFFSET 3 FETCH FIRST 0 ROWS WITH TIES~``",
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
            fetch.setInt(1, 3);
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
                "SELECT jsonb_set('{\"a\": 1}', ARRAY['a', NULL], '2')~22004",
                "SELECT jsonb_set(j, ARRAY[v], '2') FROM piece WHERE id = 1~{\"a\": 1, \"abc\": 2}",
                "SELECT jsonb_set(jsonb_insert('{\"a\": [1]}', ARRAY['a', '0'], '2', true), ARRAY['b'], '3')~{\"a\": [1, 2], \"b\": 3}",
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
                "SELECT e -> 'b' FROM jsonb_array_elements('[{\"b\": 2}]') AS e~2",
                "SELECT p.id, e FROM piece p, jsonb_array_elements_text(p.j) e WHERE p.id = 2~2,1",
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
