package dev.fulmar.postgres.dialect;

import static dev.fulmar.postgres.dialect.FixedFacts.words;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExpressionWordsTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            quoteCharacter = '`',
            value = {
                "SELECT a SIMILAR TO 'x%'~SELECT a SIMILAR TO 'x%'",
                "SELECT a SIMILAR TO '#d' ESCAPE '#'~SELECT a SIMILAR TO \"#PATTERN\"( '#d' ) ESCAPE '#'",
                "SELECT regexp_replace(a, '[a-z]', 'b')~SELECT regexp_replace(a, '[a-z]', 'b')",
                "SELECT regexp_replace(a, '[\\.]', 'b')~SELECT regexp_replace(a, \"#PATTERN\"( '[\\.]' ) , 'b')",
                "SELECT regexp_split_to_array(a, lower(b))~SELECT regexp_split_to_array(a, \"#PATTERN\"( lower(b) ) )",
                "CREATE TABLE regexp_like (a int, b int)~CREATE TABLE regexp_like (a int, b int)",
                "SELECT relname FROM pg_class WHERE relname SIMILAR TO '[.a.]'~SELECT relname FROM PG_CATALOG.\"PG_CLASS\" WHERE relname SIMILAR TO '[.a.]'"
            })
    void patternsThatPostgresReadsInAnotherWayAreMarked(String source, String expected) {
        assertThat(words(source)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            value = {
                "SELECT a ~ '^[a-z]+$';SELECT a ~ '^[a-z]+$'",
                "SELECT a ~ '[[.a.]]' FROM t;SELECT a ~ \"#PATTERN\"( '[[.a.]]' ) FROM t",
                "SELECT a !~* $1;SELECT a !~* \"#PATTERN\"( ? )",
                "SELECT a ~ b FROM t;SELECT a ~ '***:' || b FROM t",
                "SELECT a ~ ANY (b);SELECT a ~ ANY (b)",
                "SELECT ~ 5;SELECT ~ 5"
            })
    void operandsAreMarked(String source, String expected) {
        assertThat(words(source)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            quoteCharacter = '`',
            value = {
                "SELECT * FROM string_to_table('a,b', ',')~SELECT * FROM UNNEST( STRING_TO_ARRAY('a,b', ',') ) AS STRING_TO_TABLE",
                "SELECT * FROM string_to_table('a,b', ',') t WHERE 1 = 1~SELECT * FROM UNNEST( STRING_TO_ARRAY('a,b', ',') ) t WHERE 1 = 1",
                "SELECT x FROM u, jsonb_array_elements_text(u.j) AS x~SELECT x FROM u, UNNEST( \"#JSONB_ELEMENT_TEXTS\" (u.j) ) AS x (x)",
                "SELECT * FROM jsonb_array_elements_text('[1]') e WHERE e = '1'~SELECT * FROM UNNEST( \"#JSONB_ELEMENT_TEXTS\" ('[1]') ) e (e) WHERE e = '1'",
                "SELECT x.value FROM u, jsonb_array_elements_text(u.j) x~SELECT x.value FROM u, UNNEST( \"#JSONB_ELEMENT_TEXTS\" (u.j) ) x (\"VALUE\")",
                "SELECT string_to_table('a', ',') WITH NO DATA~SELECT UNNEST( STRING_TO_ARRAY('a', ',') ) WITH NO DATA",
                "SELECT value FROM jsonb_array_elements_text('[1]') WITH NO DATA~SELECT value FROM UNNEST( \"#JSONB_ELEMENT_TEXTS\" ('[1]') ) AS JSONB_ARRAY_ELEMENTS_TEXT (\"VALUE\") WITH NO DATA",
                "SELECT a IS DISTINCT FROM b, string_to_table(c, d) FROM t~SELECT a IS DISTINCT FROM b, UNNEST( STRING_TO_ARRAY(c, d) ) FROM t",
                "SELECT TRIM(BOTH FROM a), string_to_table(c, d) FROM t~SELECT TRIM(BOTH FROM a), UNNEST( STRING_TO_ARRAY(c, d) ) FROM t",
                "SELECT 1 FROM t WHERE a IN (b, string_to_table(c, d))~SELECT 1 FROM t WHERE a IN (b, UNNEST( STRING_TO_ARRAY(c, d) ) )",
                "DELETE FROM t USING string_to_table(c, d) e WHERE t.a = e~DELETE FROM t USING UNNEST( STRING_TO_ARRAY(c, d) ) e WHERE t.a = e",
                "SELECT jsonb_array_elements(j) FROM u~SELECT CAST( UNNEST( \"#JSONB_ELEMENTS\" (j) ) AS JSONB) FROM u",
                "SELECT * FROM json_each('{}')~SELECT * FROM LATERAL (SELECT \"#K\", CAST(\"#V\" AS JSON) FROM UNNEST( \"#JSON_KEYS\" ('{}') , \"#JSON_VALUES\" ('{}') ) AS \"#U\" (\"#K\", \"#V\")) AS JSON_EACH (\"KEY\", \"VALUE\")",
                "SELECT regexp_split_to_table('a', 'b')~SELECT UNNEST( REGEXP_SPLIT_TO_ARRAY('a', 'b') )"
            })
    void partsOfTextsAreElements(String source, String expected) {
        assertThat(words(source)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            quoteCharacter = '`',
            value = {
                "SELECT a FROM t FETCH FIRST ROW ONLY~SELECT a FROM t FETCH FIRST 1 ROW ONLY",
                "SELECT a FROM t ORDER BY a FETCH NEXT ROWS WITH TIES~SELECT a FROM t ORDER BY a FETCH NEXT 1 ROWS WITH \"#TIES\"",
                "SELECT a FROM t ORDER BY a FETCH FIRST ($1) ROWS WITH TIES~SELECT a FROM t ORDER BY a FETCH FIRST ? ROWS WITH \"#TIES\"",
                "SELECT a FROM t FETCH FIRST 3 ROWS ONLY~SELECT a FROM t FETCH FIRST 3 ROWS ONLY"
            })
    void countsOfFetchedRowsAreWritten(String source, String expected) {
        assertThat(words(source)).isEqualTo(expected);
    }
}
