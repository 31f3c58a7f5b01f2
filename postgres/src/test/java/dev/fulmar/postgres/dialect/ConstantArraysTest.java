package dev.fulmar.postgres.dialect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Arrays of constants in statements about the catalog become texts in PostgreSQL's form. */
class ConstantArraysTest {
    private static final String FROM = " FROM PG_CATALOG.\"PG_CLASS\"";

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "string_to_array('a, b,,c', ',')|'{a,\" b\",\"\",c}'",
                "string_to_array('it''s', 's')|'{it'',\"\"}'",
                "string_to_array('', ',')|'{}'",
                "string_to_array('a,b', '')|'{\"a,b\"}'",
                "pg_catalog.string_to_array('null{\"\\', '{')|'{\"null\",\"\\\"\\\\\"}'",
                "parse_ident('Sales.Item')|'{sales,item}'",
                "parse_ident(' \"It''s \"\"x\"\"\" . a$1 ')|'{\"It''s \\\"x\\\"\",a$1}'",
                "parse_ident('größe')|'{größe}'",
                "array_lower(string_to_array('a,b', ','), 1)|1",
                "array_upper(string_to_array('a,b', ','), 1)|2",
                "array_length(parse_ident('a.b.c'), 1)|3",
                "array_upper(string_to_array('', ','), 1)|CAST(NULL AS INTEGER)"
            })
    void areTexts(String call, String expected) {
        assertThat(FixedFacts.words("SELECT " + call + " FROM pg_class")).isEqualTo("SELECT " + expected + FROM);
    }

    @ParameterizedTest
    @ValueSource(strings = {"string_to_array('x%s', '.')", "parse_ident('x%s')"})
    void haveAMostNumberOfElements(String call) {
        String elements = ".x".repeat(999);
        assertThat(FixedFacts.words("SELECT " + String.format(call, elements) + " FROM pg_class"))
                .contains("{x,x");
        assertThatThrownBy(() -> FixedFacts.words("SELECT " + String.format(call, elements + ".x") + " FROM pg_class"))
                .isInstanceOfSatisfying(
                        FulmarException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.STATEMENT_TOO_COMPLEX));
    }

    @Test
    void areTablesOfOneRow() {
        assertThat(FixedFacts.words(
                        "SELECT s[i] FROM pg_catalog.generate_series(1, array_upper(string_to_array('a,b', ','), 1))"
                                + " AS i, string_to_array('a,b', ',') s"))
                .isEqualTo("SELECT s[i] FROM generate_series(1, 2 ) AS \"I\" , (VALUES ('{a,b}')) s(s)");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a.", ".a", "a b", "1a", "\"a", "\"\"", "a..b", "a-b"})
    void namesThatAreNoneAreRefused(String name) {
        assertThatThrownBy(() -> FixedFacts.words("SELECT parse_ident('" + name + "') FROM pg_class"))
                .hasMessageContaining("string is not a valid identifier: \"" + name + "\"");
    }

    /** Columns are no constants, and other statements have no arrays. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT string_to_array(relname, ',') FROM pg_class",
                "SELECT string_to_array('a', ',', 'b') FROM pg_class",
                "SELECT string_to_array('a', ',') FROM t"
            })
    void othersStay(String sql) {
        assertThat(FixedFacts.words(sql)).containsIgnoringCase("string_to_array");
    }

    /** A long name costs no more than its length. */
    @Test
    void aLongNameIsRead() {
        String name = "\"" + "\"\"".repeat(100_000) + "\"." + "a".repeat(100_000);
        assertThat(FixedFacts.words("SELECT array_length(parse_ident('" + name + "'), 1) FROM pg_class"))
                .isEqualTo("SELECT 2" + FROM);
    }
}
