package dev.fulmar.postgres.dialect;

import static dev.fulmar.postgres.dialect.FixedFacts.translated;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ParenthesesTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "SELECT concat('a', 'b'|1:14: '(' is not closed",
                "SELECT a[1|1:9: '[' is not closed",
                "CREATE TABLE numeric WITH (|1:27: '(' is not closed",
                "SELECT (a])|1:10: ']' closes nothing",
                "SELECT a)|1:9: ')' closes nothing"
            })
    void namesTheOneThatHasNoPartner(String sql, String message) {
        assertThatThrownBy(() -> translated(sql))
                .hasMessageStartingWith(message)
                .isInstanceOfSatisfying(
                        FulmarException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.SYNTAX));
    }

    @ParameterizedTest
    @ValueSource(strings = {"(", "a[", "ARRAY[", "1::int"})
    void whatIsTooDeepIsRefusedWithoutWork(String part) {
        String sql = part.startsWith("1")
                ? "SELECT 1" + "::int".repeat(10_000)
                : "SELECT " + part.repeat(10_000) + "1" + (part.endsWith("(") ? ")" : "]").repeat(10_000);
        assertThatThrownBy(() -> translated(sql))
                .isInstanceOfSatisfying(
                        FulmarException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.STATEMENT_TOO_COMPLEX));
    }

    /** Each of these once took time with the square of its length, or ended the stack. */
    @ParameterizedTest
    @Timeout(20)
    @ValueSource(
            strings = {
                "a[1]",
                "a.",
                "SELECT ",
                "a LIKE ",
                "generate_series(1, 2), ",
                "a::int, ",
                "END::int ",
                "x.tableoid, pg_catalog.pg_class c, ",
                "ARRAY(SELECT 1), ",
                "information_schema._pg_expandarray(a), ",
                "= ANY (a) "
            })
    void aLongStatementTakesNoMoreThanItsLength(String part) {
        int words = Lexer.lexemes(part).size() - 1;
        String sql = "SELECT pg_catalog.now(), " + part.repeat(48_000 / words) + "a::int";
        assertThat(translated(sql).sql()).isNotEmpty();
        assertThatThrownBy(() -> translated("SELECT " + part.repeat(51_000 / words)))
                .isInstanceOfSatisfying(
                        FulmarException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.STATEMENT_TOO_COMPLEX));
    }
}
