package dev.fulmar.postgres.dialect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.Map;
import org.junit.jupiter.api.Test;

class WordsTest {
    private final Words words = new Words(Lexer.lexemes("SELECT a FROM b"));

    @Test
    void aStatementDoesNotGrowWithoutBound() {
        int[] count = {words.count()};
        assertThatThrownBy(() -> {
                    for (; count[0] < 100_000; count[0] *= 2) {
                        words.replace(0, 0, words.between(0, count[0]));
                    }
                })
                .isInstanceOfSatisfying(
                        FulmarException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.STATEMENT_TOO_COMPLEX));
        assertThatThrownBy(() -> {
                    for (int i = 0; i < 100_000; i++) {
                        words.insert(0, "x");
                    }
                })
                .isInstanceOf(FulmarException.class);
        assertThat(words.count()).isLessThan(2_000);
    }

    @Test
    void textsOfTheEngineDoNotGrowWithoutBound() {
        assertThatThrownBy(() -> {
                    for (int i = 0; i < 100; i++) {
                        words.replace(0, 1, "x".repeat(1 << 20));
                    }
                })
                .isInstanceOfSatisfying(
                        FulmarException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.STATEMENT_TOO_COMPLEX));
    }

    /** Each name of the table stands for the texts of all settings. */
    @Test
    void aTableOfTheSessionIsNotNamedTooOften() {
        FixedFacts facts = new FixedFacts(Map.of("app.text", "y".repeat(10_000)));
        String tables = "pg_settings a" + ", pg_settings b".repeat(4_000);
        assertThatThrownBy(() -> Translator.translate(new Translator.Part("SELECT 1 FROM " + tables, 0), facts))
                .isInstanceOfSatisfying(
                        FulmarException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.STATEMENT_TOO_COMPLEX));
    }
}
