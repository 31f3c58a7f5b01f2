package dev.fulmar.engine.execution.function;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Formats put texts together as PostgreSQL 15 does. */
class TextFormatTest {
    private static String format(String format, String... values) {
        Stream<String> given = Stream.of(values).map(value -> value.equals("NULL") ? "-" : "+" + value);
        return TextFormat.of(Stream.concat(Stream.of(format), given).toArray());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            ignoreLeadingAndTrailingWhitespace = false,
            value = {
                "Hello %s|Hello a",
                "%s %s %s|a b 7",
                "%3$s, %1$s, %s|7, a, b",
                "%10s;|         a;",
                "%-10s;|a         ;",
                "%2$-4s;|b   ;",
                "%2$4s;|   b;",
                "100%%|100%",
                "none|none",
                "%I %L|a 'b'"
            })
    void putsValuesIntoPlaces(String format, String expected) {
        assertThat(format(format, "a", "b", "7")).isEqualTo(expected);
    }

    @Test
    void widthsAreArgumentsToo() {
        assertThat(format("%*s;", "4", "a")).isEqualTo("   a;");
        assertThat(format("%*s;", "-4", "a")).isEqualTo("a   ;");
        assertThat(format("%1$*2$s;", "a", "4")).isEqualTo("   a;");
        assertThat(format("%*s;", "NULL", "a")).isEqualTo("a;");
        assertThat(format("%3s;", "\ud83d\ude00")).isEqualTo("  \ud83d\ude00;");
    }

    @Test
    void nullsAreShown() {
        assertThat(format("[%s] [%L] [%5s] [%6L]", "NULL", "NULL", "NULL", "NULL"))
                .isEqualTo("[] [NULL] [     ] [  NULL]");
        assertThatThrownBy(() -> format("%I", "NULL")).hasMessageContaining("null values cannot be formatted");
    }

    @Test
    void namesAndTextsAreQuoted() {
        assertThat(format("%I.%I %I %I", "ab_1", "Order", "select", "a\"b"))
                .isEqualTo("ab_1.\"Order\" \"select\" \"a\"\"b\"");
        assertThat(format("%L %L", "it's", "a\\b")).isEqualTo("'it''s' E'a\\\\b'");
    }

    @ParameterizedTest
    @ValueSource(strings = {"%", "%1", "%1$", "%s%s", "%d", "%0$s", "%5$s", "%*1s", "%-", "%10-s", "%1$%"})
    void refusesWrongFormats(String format) {
        assertThatThrownBy(() -> format(format, "7"))
                .isInstanceOfSatisfying(
                        FulmarException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_ARGUMENT));
    }

    /** A width costs memory that no argument has. */
    @Test
    void aTextHasALimit() {
        for (String format : new String[] {"%2147483647s", "%99999999999s", "%1000000s%1000000s"}) {
            assertThatThrownBy(() -> format(format, "a", "b"))
                    .isInstanceOfSatisfying(
                            FulmarException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.VALUE_OUT_OF_RANGE));
        }
        assertThatThrownBy(() -> format("%*s", "x", "a"))
                .isInstanceOfSatisfying(
                        FulmarException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_TEXT));
    }
}
