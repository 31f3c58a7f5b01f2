package dev.fulmar.engine.execution.function;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.math.BigDecimal;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Numbers are read as PostgreSQL 15 reads them. */
class NumberReaderTest {
    private static BigDecimal read(String text, String template) {
        return NumberReader.read(NumberTemplate.of(template), text);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            ignoreLeadingAndTrailingWhitespace = false,
            value = {
                "-34,338,492;99,999,999;-34338492",
                "12.345;99.99;12.34",
                "12.5-;99.9S;-12.5",
                "-12;S999;-12",
                "12-;999MI;-12",
                "<12>;99PR;-12",
                "12;99V9;1.2000000000000000",
                "$12;L999;12",
                "12th;99th;12",
                "x12;\"x\"99;12",
                " 12;999;12",
                "- 12;SG99;-12",
                "1,234.56;9G999D99;1234.56",
                "1,234;FM9,999;123",
                "12345;999;123",
                ".5;99.9;0.5",
                "12.;99.9;12",
                "+7;9;7",
                "12 34;9999;1234"
            })
    void readsNumbersAsPostgresDoes(String text, String template, BigDecimal expected) {
        assertThat(read(text, template)).isEqualByComparingTo(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            value = {
                "abc;999;INVALID_TEXT",
                "-;S999;INVALID_TEXT",
                "``;999;INVALID_TEXT",
                "XII;RN;NOT_SUPPORTED",
                "1e2;9EEEE;NOT_SUPPORTED"
            })
    void refusesOthers(String text, String template, ErrorCode code) {
        assertThatThrownBy(() -> read(text, template))
                .isInstanceOfSatisfying(
                        FulmarException.class, e -> assertThat(e.code()).isEqualTo(code));
    }
}
