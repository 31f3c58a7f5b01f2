package dev.fulmar.sql.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.engine.spi.SqlFrontend.Generalised;
import dev.fulmar.engine.spi.SqlFrontend.Literal;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What may become a parameter, and what must stay as it is written. */
class LiteralSearchTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "SELECT a FROM t WHERE id = 5 | SELECT a FROM t WHERE id = ?",
                "SELECT a FROM t WHERE t.id=5; | SELECT a FROM t WHERE t.id=?;",
                "select a from t where (\"Id\" >= -5 or b <> 'x') and c < 1.5 | select a from t where (\"Id\" >= ? or b <> ?) and c < ?",
                "SELECT a FROM t JOIN s ON s.x = 3 WHERE NOT id = 5 GROUP BY a | SELECT a FROM t JOIN s ON s.x = ? WHERE NOT id = ? GROUP BY a",
                "SELECT 1, 'b' FROM t WHERE id = 5 ORDER BY 1 LIMIT 3 | SELECT 1, 'b' FROM t WHERE id = ? ORDER BY 1 LIMIT 3",
                "SELECT a FROM t WHERE id IN (SELECT x FROM s WHERE y = 2) | SELECT a FROM t WHERE id IN (SELECT x FROM s WHERE y = ?)",
                "UPDATE t SET a = 1, b = b + 1, c = 'z' WHERE id = 5 | UPDATE t SET a = ?, b = b + 1, c = ? WHERE id = ?",
                "DELETE FROM t WHERE id = 5 RETURNING a | DELETE FROM t WHERE id = ? RETURNING a",
                "INSERT INTO t VALUES (1, 'a', NULL, -2.5, ABS(-3), DATE '2024-01-01') | INSERT INTO t VALUES (?, ?, NULL, ?, ABS(-3), DATE '2024-01-01')",
                "UPSERT INTO t (a, b) VALUES (1, 2), (3, 4) | UPSERT INTO t (a, b) VALUES (?, ?), (?, ?)",
            })
    void valuesOfColumnsBecomeParameters(String sql, String expected) {
        assertThat(LiteralSearch.generalise(sql).map(Generalised::sql)).contains(expected);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT a FROM t",
                "SELECT a FROM t WHERE id = ? AND b = 5",
                "SELECT a FROM t WHERE id + 1 = 5",
                "SELECT a FROM t WHERE 5 = id",
                "SELECT a FROM t WHERE id = 5 + 1",
                "SELECT a FROM t WHERE id = 5 || 'x'",
                "SELECT a FROM t WHERE id BETWEEN 1 AND 5",
                "SELECT a = 5 FROM t",
                "SELECT CASE WHEN id = 5 THEN 1 ELSE 2 END FROM t",
                "SELECT COUNT(*) FROM t HAVING COUNT(*) = 5",
                "SELECT f(id = 5) FROM t",
                "SELECT a FROM t WHERE d = DATE '2024-01-01'",
                "SELECT a FROM t WHERE b = X'CAFE'",
                "SELECT a FROM t WHERE b LIKE 'x'",
                "SELECT a FROM t WHERE id = 1e5",
                "SELECT a FROM t WHERE id = 12345678901234567890",
                "SELECT a FROM t WHERE id = 'not closed",
                "SELECT a FROM t WHERE id = 5 -- LIMIT ?\n + 1",
                "EXPLAIN SELECT a FROM t WHERE id = 5",
                "CREATE TABLE t (a INT DEFAULT 5)",
                "CREATE VIEW v AS SELECT a FROM t WHERE id = 5",
                "",
            })
    void whatMayMeanSomethingElseStays(String sql) {
        assertThat(LiteralSearch.generalise(sql)).isEmpty();
    }

    @Test
    void theValuesAreWhatIsWritten() {
        Optional<Generalised> general =
                LiteralSearch.generalise("INSERT INTO t VALUES (-7, 'it''s', 0.50, 999999999999999999)");
        assertThat(general.orElseThrow().literals())
                .isEqualTo(List.of(
                        new Literal.Whole(-7),
                        new Literal.Text("it's"),
                        new Literal.Fraction(new BigDecimal("0.50")),
                        new Literal.Whole(999_999_999_999_999_999L)));
    }

    @Test
    void longTextsAreLeftToTheCompiler() {
        String list = "(1, 'x'), ".repeat(2_000);
        assertThat(LiteralSearch.generalise("INSERT INTO t VALUES " + list + "(2, 'y')"))
                .isEmpty();
    }
}
