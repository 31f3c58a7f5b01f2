package dev.fulmar.postgres.dialect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LexerTest {
    private static void isTooComplex(Throwable error) {
        assertThat(error)
                .isInstanceOfSatisfying(
                        FulmarException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.STATEMENT_TOO_COMPLEX));
    }

    /** 150,000 words with the end; the place of the first one too many is told. */
    @ParameterizedTest
    @ValueSource(strings = {"(", "x ", "+ ", "'' ", "$1 "})
    void aStatementHasAMostNumberOfWords(String word) {
        String longest = word.repeat(Lexer.MOST_WORDS - 1);
        assertThat(Lexer.lexemes(longest)).hasSize(Lexer.MOST_WORDS);
        String tooLong = longest + word + word;
        assertThatThrownBy(() -> Lexer.lexemes(tooLong))
                .satisfies(LexerTest::isTooComplex)
                .hasMessageStartingWith("1:" + (word.length() * Lexer.MOST_WORDS + 1) + ": ");
        assertThatThrownBy(() -> Translator.statements("SELECT 1;\n" + tooLong))
                .satisfies(LexerTest::isTooComplex)
                .hasMessageStartingWith("2:" + (word.length() * Lexer.MOST_WORDS + 1) + ": ");
    }

    @ParameterizedTest
    @Timeout(60)
    @ValueSource(strings = {"(", "+", "-+", ","})
    void aMessageOfOneStatementIsReadNoFurther(String word) {
        String message = "SELECT 1" + word.repeat((15 << 20) / word.length());
        assertThatThrownBy(() -> Translator.statements(message)).satisfies(LexerTest::isTooComplex);
    }

    @Test
    @Timeout(60)
    void aMessageOfNothingHasNoStatement() {
        assertThat(Translator.statements(";".repeat(15 << 20))).isEmpty();
    }

    @Test
    void aScriptHasAMostNumberOfStatements() {
        assertThat(Translator.statements("a;".repeat(150_000))).hasSize(150_000);
        assertThatThrownBy(() -> Translator.statements("a;".repeat(150_001)))
                .satisfies(LexerTest::isTooComplex)
                .hasMessageStartingWith("1:300001: ")
                .hasMessageContaining("send it in parts");
    }

    @Test
    void eachObjectOfAListIsAStatementOfItsScript() {
        String list = "DROP TABLE a" + ",a".repeat(999) + ";";
        assertThat(Translator.statements(list.repeat(150))).hasSize(150);
        assertThatThrownBy(() -> Translator.statements(list.repeat(150) + "SELECT 1"))
                .satisfies(LexerTest::isTooComplex)
                .hasMessageContaining("send it in parts");
    }

    /** The operators of a text as the manual has them, each found by itself. */
    private static List<String> operators(String text) {
        List<String> operators = new ArrayList<>();
        int start = 0;
        while (start < text.length()) {
            int end = start + 1;
            while (end < text.length() && !text.startsWith("--", end) && !text.startsWith("/*", end)) {
                end++;
            }
            boolean mayEndInSign =
                    text.substring(start, end).chars().anyMatch(symbol -> "~!@#%^&|`?".indexOf(symbol) >= 0);
            while (!mayEndInSign && end > start + 1 && "+-".indexOf(text.charAt(end - 1)) >= 0) {
                end--;
            }
            operators.add(text.substring(start, end));
            start = text.startsWith("--", end) || text.startsWith("/*", end) ? text.length() : end;
        }
        return operators;
    }

    @Test
    void operatorsAreAsLongAsTheManualSays() {
        String symbols = "+-*/<>=~!@";
        Random random = new Random(5);
        for (int i = 0; i < 100_000; i++) {
            StringBuilder drawn = new StringBuilder("=");
            for (int length = random.nextInt(12); length > 0; length--) {
                drawn.append(symbols.charAt(random.nextInt(symbols.length())));
            }
            String text = drawn.toString();
            int comment = text.indexOf("/*");
            int line = text.indexOf("--");
            boolean hasOpenComment = comment >= 0 && (line < 0 || comment < line);
            if (!hasOpenComment) {
                List<String> words = Lexer.lexemes(text).stream()
                        .map(Lexeme::text)
                        .filter(word -> !word.isEmpty())
                        .toList();
                assertThat(words).as(text).isEqualTo(operators(text));
            }
        }
    }
}
