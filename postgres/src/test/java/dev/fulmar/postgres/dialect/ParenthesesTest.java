package dev.fulmar.postgres.dialect;

import static dev.fulmar.postgres.dialect.FixedFacts.translated;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
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
    @ValueSource(strings = {"(", "a[", "ARRAY[", "1::int", "1^1"})
    void whatIsTooDeepIsRefusedWithoutWork(String part) {
        String sql = part.startsWith("1")
                ? "SELECT 1" + part.substring(1).repeat(10_000)
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
                "END ^ 1, ",
                "+",
                "x.tableoid, pg_catalog.pg_class c, ",
                "ARRAY(SELECT 1), ",
                "information_schema._pg_expandarray(a), ",
                "= ANY (a) ",
                "CAST(1), ",
                "CAST(1 AS text), ",
                "a LIKE CASE ",
                "a LIKE CASE END, ",
                "+ LIKE "
            })
    void aLongStatementTakesNoMoreThanItsLength(String part) {
        int words = Lexer.lexemes(part).size() - 1;
        for (String first : List.of("SELECT pg_catalog.now(), ", "SELECT ")) { // functions of the catalog have rules
            String sql = first + part.repeat(148_000 / words) + "a::int";
            assertThat(translated(sql).sql()).isNotEmpty();
        }
        assertThatThrownBy(() -> translated("SELECT " + part.repeat(151_000 / words)))
                .isInstanceOfSatisfying(
                        FulmarException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.STATEMENT_TOO_COMPLEX));
    }

    @Test
    @Timeout(20)
    void theOptionsOfASequenceAreLookedAtOnce() {
        String options = "x ".repeat(140_000);
        assertThat(translated("CREATE TABLE t (a int GENERATED ALWAYS AS IDENTITY (" + options + "))")
                        .sql())
                .contains("x x");
    }

    /** Words that count how often one of them is looked at. */
    private static final class CountedWords extends Words {
        private long looks;

        CountedWords(String sql) {
            super(Lexer.lexemes(sql));
        }

        @Override
        Lexeme at(int place) {
            looks++;
            return super.at(place);
        }
    }

    private static long looks(String sql, Consumer<Words> rules) {
        CountedWords words = new CountedWords(sql);
        rules.accept(words);
        return words.looks;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "CAST(1), ",
                "a LIKE CASE ",
                "a LIKE CASE END ",
                "(a LIKE CASE), ",
                "a LIKE CASE (END) ",
                "+ LIKE ",
                "LIKE CASE CASE END "
            })
    void wordsAreLookedAtAsOftenInALongStatement(String part) {
        for (int count : List.of(1_000, 4_000)) {
            String sql = "SELECT " + part.repeat(count) + "1";
            long most = 1_000L * Lexer.lexemes(sql).size();
            assertThat(looks(sql, TextCasts::replace)).isLessThan(most);
            assertThat(looks(sql, words -> PatternWords.replace(sql, words))).isLessThan(most);
        }
    }

    private static final String ENDED = " a LIKE CASE WHEN (b LIKE 'x') THEN CASE WHEN c THEN 'd' END END || 'e'";

    @Test
    void theEndOfACaseIsTheEndOfAPattern() {
        assertThat(translated("SELECT" + ENDED + " FROM t").sql()).contains("END END || 'e' ESCAPE '\\'");
    }
}
