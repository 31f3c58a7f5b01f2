package dev.fulmar.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.spi.SqlFrontend;
import dev.fulmar.foundation.data.ColumnType;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The kinds that parameters have by their places, over a table of one INTEGER, one BIGINT and one text. */
class ParameterTypesTest {
    private static final String ROWS =
            "(SELECT CAST(1 AS INTEGER) AS A, CAST(1 AS BIGINT) AS B, CAST('' AS VARCHAR(9)) AS S) T";

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
                "SELECT COALESCE(?, A), COALESCE(B, ?) FROM T; INTEGER, BIGINT",
                "SELECT A FROM T WHERE COALESCE(?, ?) = A; INTEGER, INTEGER",
                "SELECT CASE WHEN ? THEN B ELSE ? END, CASE A WHEN ? THEN 1 END FROM T; BOOLEAN, BIGINT, INTEGER",
                "SELECT S || ?, CONCAT(S, ?), CONCAT(?, ?) FROM T; VARCHAR, VARCHAR, VARCHAR, VARCHAR",
                "SELECT A + ?, ? * B, NULLIF(A, ?), GREATEST(?, B) FROM T; INTEGER, BIGINT, INTEGER, BIGINT",
                "SELECT UPPER(?), REVERSE(?), STRPOS(S, ?), TRANSLATE(S, ?, ?) FROM T; VARCHAR, VARCHAR, VARCHAR, VARCHAR, VARCHAR",
                "SELECT LPAD(S, ?, ?), LEFT(?, ?), REPEAT(?, ?) FROM T; INTEGER, VARCHAR, VARCHAR, INTEGER, VARCHAR, INTEGER",
                "SELECT CHR(?), SQRT(?), DEGREES(?), SUBSTRING(S, ?) FROM T; INTEGER, DOUBLE, DOUBLE, INTEGER",
                "SELECT A FROM T ORDER BY A LIMIT ? OFFSET ?; INTEGER, INTEGER",
                "SELECT SUM(A * ?) FROM T HAVING COUNT(*) > ?; INTEGER, BIGINT",
            })
    void parametersHaveTheKindOfTheirPlace(String statement, String kinds) {
        SqlFrontend.Compiled compiled = compiler.compile(statement.replace("FROM T", "FROM " + ROWS), Catalog.empty());
        List<ColumnType> parameters =
                ((SqlFrontend.Compiled.Runnable) compiled).plan().parameters();
        assertThat(String.join(
                        ", ",
                        parameters.stream().map(each -> each.kind().name()).toList()))
                .isEqualTo(kinds);
    }

    @ParameterizedTest
    @ValueSource(strings = {"SELECT ?", "SELECT ? + ?", "SELECT 1 WHERE ? < ?", "SELECT 1 UNION ALL SELECT ?"})
    void whereNothingTellsTheMessageSaysHowTo(String statement) {
        assertThatThrownBy(() -> compiler.compile(statement, Catalog.empty())).hasMessageContaining("CAST(? AS type)");
    }
}
