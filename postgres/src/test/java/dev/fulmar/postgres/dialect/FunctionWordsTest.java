package dev.fulmar.postgres.dialect;

import static dev.fulmar.postgres.dialect.FixedFacts.translated;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FunctionWordsTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "SELECT greatest(a, b), concat(a), least(1)|SELECT \"#GREATEST\" (a, b), \"#CONCAT\" (a), \"#LEAST\" (1)",
                "SELECT a FROM t JOIN u ON greatest(a, b) = c|SELECT a FROM t JOIN u ON \"#GREATEST\" (a, b) = c",
                "SELECT pg_catalog.concat(a, b), concat(a)|SELECT \"#CONCAT\" (a, b), \"#CONCAT\" (a)",
                "SELECT t.concat(a), \"concat\"(a)|SELECT t.concat(a), \"CONCAT\"(a)",
                "SELECT left(a, -1), right(a, b), left(a, 3), right(a, 2)|SELECT \"#LEFT\" (a, -1), \"#RIGHT\" (a, b), left(a, 3), right(a, 2)",
                "SELECT a FROM t LEFT JOIN u ON round(a) = b|SELECT a FROM t LEFT JOIN u ON \"#ROUND EVEN\" (a) = b",
                "SELECT encode(a, 'hex'), decode(a, 'hex')|SELECT \"#ENCODE\" (a, 'hex'), \"#DECODE\" (a, 'hex')",
                "CREATE FUNCTION f(a float8) RETURNS float8 RETURN round(a)|CREATE FUNCTION f(a float8) RETURNS float8 RETURN round(a)",
                "CREATE TABLE concat (n int)|CREATE TABLE concat (n int)",
                "CREATE TABLE IF NOT EXISTS least (n int REFERENCES greatest (n))|CREATE TABLE IF NOT EXISTS least (n int REFERENCES greatest (n))",
                "INSERT INTO greatest (n) VALUES (least(1, 2))|INSERT INTO greatest (n) VALUES ( \"#LEAST\" (1, 2))",
                "CREATE INDEX i ON concat (n)|CREATE INDEX i ON concat (n)",
                "CREATE VIEW concat (n) AS SELECT 1|CREATE VIEW concat (n) AS SELECT 1",
                "WITH least (n) AS (SELECT 1), concat (n) AS (SELECT 2) SELECT n FROM t AS greatest (n)|WITH least (n) AS (SELECT 1), concat (n) AS (SELECT 2) SELECT n FROM t AS greatest (n)"
            })
    void callsAreReplacedAndOtherNamesAreNot(String source, String expected) {
        assertThat(translated(source).sql().strip()).isEqualTo(expected);
    }

    /** A translation that copied arguments would grow by a factor with each level. */
    @ParameterizedTest
    @ValueSource(strings = {"concat", "concat_ws", "greatest", "least", "btrim"})
    void nestedCallsDoNotGrow(String function) {
        String sql = "SELECT " + (function + "(").repeat(50) + "x" + ", 1, 1, 1)".repeat(50);

        assertThat(translated(sql).sql()).hasSizeLessThan(2 * sql.length());
    }
}
