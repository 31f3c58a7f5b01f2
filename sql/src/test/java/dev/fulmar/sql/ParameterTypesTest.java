package dev.fulmar.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.spi.SqlFrontend;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The kinds that parameters have by their places, over a table of one INTEGER, one BIGINT and one text. */
class ParameterTypesTest {
    private static final String ROWS =
            "(SELECT CAST(1 AS INTEGER) AS A, CAST(1 AS BIGINT) AS B, CAST('' AS VARCHAR(9)) AS S) T";

    private static final Catalog TABLE = CatalogFixture.of(
            new SqlCompiler(),
            "CREATE TABLE T (A INTEGER NOT NULL PRIMARY KEY, B BIGINT, S VARCHAR(9), D DATE, TI TIME, TS TIMESTAMP, N DECIMAL(8, 2),"
                    + " F DOUBLE, C CHAR(4));");

    private final SqlCompiler compiler = new SqlCompiler();

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '"',
            value = {
                "SELECT A FROM T WHERE A = ? AND ? = B AND S < ?; INTEGER, BIGINT, VARCHAR",
                "SELECT A FROM T WHERE ? BETWEEN A AND ?; INTEGER, INTEGER",
                "SELECT A FROM T WHERE A IN (?, ?); INTEGER, INTEGER",
                "SELECT A FROM T WHERE ? IN (A, B); INTEGER",
                "SELECT A FROM T WHERE ? NOT IN (S, 'b'); VARCHAR",
                "SELECT A FROM T WHERE ? IN (?, B); BIGINT, BIGINT",
                "SELECT A FROM T WHERE ? IN (SELECT B FROM T); BIGINT",
                "SELECT A FROM T WHERE ? = ANY (SELECT A FROM T) AND ? > ALL (SELECT B FROM T); INTEGER, BIGINT",
                "SELECT A FROM T WHERE (A, B) > (?, ?); INTEGER, BIGINT",
                "SELECT A FROM T WHERE ? LIKE ? AND S LIKE ?; VARCHAR, VARCHAR, VARCHAR",
                "SELECT A FROM T WHERE ? ILIKE ? AND S NOT ILIKE ?; VARCHAR, VARCHAR, VARCHAR",
                "SELECT COALESCE(?, A), COALESCE(B, ?) FROM T; INTEGER, BIGINT",
                "SELECT A FROM T WHERE COALESCE(?, ?) = A; INTEGER, INTEGER",
                "SELECT CASE WHEN ? THEN B ELSE ? END, CASE A WHEN ? THEN 1 END FROM T; BOOLEAN, BIGINT, INTEGER",
                "SELECT S || ?, CONCAT(S, ?), CONCAT(?, ?) FROM T; VARCHAR, VARCHAR, VARCHAR, VARCHAR",
                "SELECT \"#CONCAT\"(?, A), CONCAT_WS(?, ?), BTRIM(?), LOG(?), TRUNC(?, ?) FROM T; VARCHAR, VARCHAR, VARCHAR, VARCHAR, DOUBLE, DECIMAL, INTEGER",
                "SELECT \"#GREATEST\"(?, B), \"#LEAST\"(?, A, ?), \"#LEAST\"(?, NULL) FROM T; BIGINT, INTEGER, INTEGER, VARCHAR",
                "SELECT CURRENT_TIMESTAMP AT TIME ZONE ?, TIMEZONE(?, CURRENT_TIMESTAMP), \"#TEXT\"((?)) FROM T; VARCHAR, VARCHAR, VARCHAR",
                "SELECT A + ?, ? * B, NULLIF(A, ?), GREATEST(?, B) FROM T; INTEGER, BIGINT, INTEGER, BIGINT",
                "SELECT UPPER(?), REVERSE(?), STRPOS(S, ?), TRANSLATE(S, ?, ?) FROM T; VARCHAR, VARCHAR, VARCHAR, VARCHAR, VARCHAR",
                "SELECT LPAD(S, ?, ?), LEFT(?, ?), REPEAT(?, ?) FROM T; INTEGER, VARCHAR, VARCHAR, INTEGER, VARCHAR, INTEGER",
                "SELECT CHR(?), SQRT(?), DEGREES(?), SUBSTRING(S, ?) FROM T; INTEGER, DOUBLE, DOUBLE, INTEGER",
                "SELECT SPLIT_PART(?, ?, ?), STARTS_WITH(S, ?), REGEXP_REPLACE(S, ?, ?) FROM T; VARCHAR, VARCHAR, INTEGER, VARCHAR, VARCHAR, VARCHAR",
                "SELECT DATE_TRUNC(?, CURRENT_TIMESTAMP), TO_CHAR(A, ?), TO_DATE(?, ?), FACTORIAL(?) FROM T; VARCHAR, VARCHAR, VARCHAR, VARCHAR, BIGINT",
                "SELECT A FROM T ORDER BY A LIMIT ? OFFSET ?; INTEGER, INTEGER",
                "SELECT SUM(A * ?) FROM T HAVING COUNT(*) > ?; INTEGER, BIGINT",
            })
    void parametersHaveTheKindOfTheirPlace(String statement, String kinds) {
        assertThat(kinds(statement.replace("FROM T", "FROM " + ROWS), Catalog.empty()))
                .isEqualTo(kinds);
    }

    /**
     * Most are as PostgreSQL 15 infers them; where it knows intervals, or refuses, they are of the type that stands
     * beside them.
     */
    @ParameterizedTest
    @CsvFileSource(resources = "/parameter-types.csv", delimiter = ';', quoteCharacter = '"')
    void everyFormHasTheKindOfItsPlace(String statement, String kinds) {
        assertThat(kinds(statement, TABLE)).isEqualTo(kinds);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT -? FROM t",
                "SELECT ? + INTERVAL '1' DAY FROM t",
                "SELECT ? - INTERVAL '1' DAY FROM t",
                "SELECT COUNT(?) FROM t",
                "SELECT SUM(?) FROM t",
                "SELECT AVG(?) FROM t",
                "SELECT EXTRACT(YEAR FROM ?) FROM t",
                "SELECT EXTRACT(HOUR FROM ?) FROM t",
                "SELECT ? + ? FROM t",
                "SELECT a FROM t WHERE a > (SELECT ?)",
                "SELECT a FROM (VALUES (?)) v (a)",
                "SELECT t.a FROM t JOIN (VALUES (?)) v (x) ON v.x = t.a",
                "SELECT x + 1 FROM (SELECT ? AS x) q",
                "SELECT ? + ?"
            })
    void whereNothingTellsTheMessageSaysHowTo(String statement) {
        assertThatThrownBy(() -> compiler.compile(statement, TABLE)).hasMessageContaining("CAST(? AS type)");
    }

    private String kinds(String statement, Catalog catalog) {
        SqlFrontend.Compiled compiled = compiler.compile(statement, catalog);
        return String.join(
                ", ",
                ((SqlFrontend.Compiled.Runnable) compiled)
                        .plan().parameters().stream()
                                .map(each -> each.kind().name())
                                .toList());
    }
}
