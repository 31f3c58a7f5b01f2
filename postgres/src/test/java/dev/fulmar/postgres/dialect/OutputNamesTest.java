package dev.fulmar.postgres.dialect;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Columns without a name get the one that PostgreSQL 15 gives them. */
class OutputNamesTest {
    private static List<String> names(String sql) {
        return OutputNames.of(Lexer.lexemes(sql));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "count(*)|count",
                "pg_catalog.count(*)|count",
                "MAX(a)|max",
                "\"Own\"(a)|Own",
                "a + 1|?column?",
                "1|?column?",
                "'x'|?column?",
                "'1'::int|int4",
                "a::text|a",
                "t.a::numeric(5, 2)|a",
                "upper(a)::varchar|upper",
                "1 + 2::int|?column?",
                "CAST(a AS bigint)|a",
                "CAST('1' AS bigint)|int8",
                "CASE WHEN a THEN 1 END|case",
                "coalesce(a, (b))|coalesce",
                "count(*) FILTER (WHERE a > 1)|count",
                "sum(a) OVER (PARTITION BY b)|sum",
                "sum(a) OVER w|sum",
                "sum(a) FILTER (WHERE b) OVER w|sum",
                "sum(a) OVER w AS n|``",
                "string_agg(a, ',' ORDER BY b)|string_agg",
                "percentile_cont(0.5) WITHIN GROUP (ORDER BY a)|percentile_cont",
                "mode() WITHIN GROUP (ORDER BY a) FILTER (WHERE b)|mode",
                "mode() WITHIN GROUP (ORDER BY a) m|``",
                "EXISTS (SELECT 1)|exists",
                "true|bool",
                "bool 't'|bool",
                "'1'::int2::numeric|numeric",
                "a::int2::numeric|a",
                "CASE WHEN a THEN 1 END::text|text",
                "double precision '1'|float8",
                "interval '1' year|interval",
                "interval '1.5' second(2)|interval",
                "interval '1' year n|``",
                "a AT TIME ZONE 'UTC'|timezone",
                "'2011-03-27'::timestamp AT TIME ZONE 'MSK'|timezone",
                "a AT TIME ZONE 'UTC' + b|?column?",
                "current_date|current_date",
                "count(*) + sum(a)|?column?",
                "a IS NULL|?column?",
                "NOT a|?column?",
                "a|``",
                "s.t.a|``",
                "count(*) AS n|``",
                "count(*) n|``",
                "a + 1 \"N\"|``",
                "'x' y|``"
            })
    void namesAnItem(String item, String name) {
        assertThat(names("SELECT " + item + " FROM t")).containsExactly(name);
        assertThat(names("SELECT DISTINCT " + item)).containsExactly(name);
    }

    @Test
    void namesEachItemOfTheOuterQuery() {
        assertThat(names("WITH x AS (SELECT count(*) FROM t) SELECT a, max(b), c + 1 AS d FROM x GROUP BY a"))
                .containsExactly("", "max", "");
        assertThat(names("SELECT 1 UNION SELECT count(*)")).containsExactly("?column?");
        assertThat(names("VALUES (1, 'a'), (2, 'b')")).containsExactly("column1", "column2");
    }

    @Test
    void namesNothingWhereColumnsCannotBeCounted() {
        assertThat(names("SELECT *, count(*) FROM t")).isEmpty();
        assertThat(names("SELECT t.* FROM t")).isEmpty();
        assertThat(names("INSERT INTO t SELECT count(*) FROM s")).isEmpty();
        assertThat(names("UPDATE t SET a = 1")).isEmpty();
        assertThat(names("SELECT")).containsExactly("");
    }

    @Test
    void theKeysOfDistinctOnAreNoItems() {
        assertThat(names("SELECT DISTINCT ON (a, b + 1) count(*), a FROM t")).containsExactly("count", "");
        assertThat(names("SELECT DISTINCT a + 1 FROM t")).containsExactly("?column?");
    }
}
