package dev.fulmar.engine.execution.function;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.math.BigDecimal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Numbers are written as PostgreSQL 15 writes them. */
class NumberTemplateTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            ignoreLeadingAndTrailingWhitespace = false,
            value = {
                "1234.567;9,999.99;[ 1,234.57]",
                "-1234.567;9,999.99;[-1,234.57]",
                "0.1;9.99;[  .10]",
                "0.1;0.99;[ 0.10]",
                "0.1;FM9.99;[.1]",
                "12;099;[ 012]",
                "12;FM099.90;[012.00]",
                "-12;S99;[-12]",
                "12;99S;[12+]",
                "-12;99MI;[12-]",
                "12;FM99MI;[12]",
                "-12;<99>PR;[<<12>>]",
                "-12;99PR;[<12>]",
                "12;PL99;[+ 12]",
                "485;999th;[ 485th]",
                "3;9TH;[ 3RD]",
                "485;L999;[  485]",
                "12.45;99V9;[ 125]",
                "485;RN;[        CDLXXXV]",
                "485;FMrn;[cdlxxxv]",
                "4000;RN;[###############]",
                "0.0004859;9.99EEEE;[ 4.86e-04]",
                "-48.59;9.9EEEE;[-4.9e+01]",
                "148.5;\"Good number:\"999;[Good number: 149]",
                "12345;999;[ ###]",
                "1234567;9G999G999;[ 1,234,567]",
                "100;FM999.009;[100.00]",
                "0;FM9.9;[0.]",
                "-0.01;FM9.99;[-.01]",
                "1485;9,999MI;[1,485 ]",
                "-0.04;9.9;[  .0]"
            })
    void writesNumbersAsPostgresDoes(String number, String template, String expected) {
        assertThat("[" + NumberTemplate.of(template).text(new BigDecimal(number)) + "]")
                .isEqualTo(expected);
    }

    /** The double nearest to a number half-way between two texts is below or above it. */
    @Test
    void aDoubleIsRoundedAsItIs() {
        assertThat(NumberTemplate.of("9.9").text(0.25)).isEqualTo("  .2");
        assertThat(NumberTemplate.of("0.99").text(1.005)).isEqualTo(" 1.00");
        assertThat(NumberTemplate.of("9.9").text(-0.04)).isEqualTo(" -.0");
    }

    @ParameterizedTest
    @ValueSource(strings = {"9.9.9", "S9S", "9PR9", "SMI9", "9V9.9", "EEEE9", "FM9EEEE"})
    void refusesWrongTemplates(String template) {
        assertThatThrownBy(() -> NumberTemplate.of(template))
                .isInstanceOfSatisfying(
                        FulmarException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.SYNTAX));
    }
}
