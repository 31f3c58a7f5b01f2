package dev.fulmar.postgres.dialect;

import static dev.fulmar.postgres.dialect.FixedFacts.translated;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ColumnTypesTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "CREATE TABLE x AS SELECT name, id FROM users",
                "CREATE TABLE x AS SELECT DISTINCT name FROM users",
                "CREATE TABLE x AS SELECT id, u.a name FROM users",
                "CREATE TABLE x (a int, CONSTRAINT name CHECK (a > 0))",
                "CREATE TABLE x (a int REFERENCES name)",
                "ALTER TABLE x DROP CONSTRAINT name"
            })
    void namesThatAreNoTypesStay(String sql) {
        assertThat(translated(sql).sql().strip()).isEqualTo(sql);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "CREATE TABLE t (a name) |CREATE TABLE t (a VARCHAR(63) )",
                "SELECT b::varchar(10), b::character varying, cast(b as char(5))|SELECT CAST ( \"#TEXT\" ( b ) AS varchar(10) ) , CAST ( \"#TEXT\" ( b ) AS character varying ) , cast( \"#TEXT\" ( b ) as char(5))",
                "SELECT b::name, b::text[], $1::varchar(5)|SELECT CAST ( \"#TEXT\" ( b ) AS VARCHAR(63) ) , CAST ( b AS text[] ) , CAST ( ? AS varchar(5) )"
            })
    void typesOfTextTakeTheTextOfPostgres(String source, String expected) {
        assertThat(translated(source).sql().strip()).isEqualTo(expected);
    }
}
