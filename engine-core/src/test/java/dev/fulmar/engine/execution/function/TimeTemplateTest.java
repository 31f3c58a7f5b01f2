package dev.fulmar.engine.execution.function;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.engine.execution.value.Temporals;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.time.LocalDateTime;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Dates and times are written and read as PostgreSQL 15 does. */
class TimeTemplateTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            ignoreLeadingAndTrailingWhitespace = false,
            value = {
                "YYYY-MM-DD HH24:MI:SS.US;[2024-02-09 15:04:05.678901]",
                "FMMonth FMDDth, Y,YYY;[February 9th, 2,024]",
                "\"week\" IW ID Dy DAY|day|Day;[week 06 5 Fri FRIDAY   |friday   |Friday   ]",
                "Q CC J DDD D WW W RM|fmrm MS FF3 SSSS;[1 21 2460350 040 6 06 2 II  |ii 678 678 54245]",
                "HH12 HH a.m. AD b.c. YYY YY Y IYYY IYY IDDD;[03 03 p.m. AD a.d. 024 24 4 2024 024 040]"
            })
    void writesAsPostgresDoes(String template, String expected) {
        LocalDateTime moment = LocalDateTime.parse("2024-02-09T15:04:05.678901");
        assertThat("[" + TimeTemplate.of(template).text(moment, null) + "]").isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            ignoreLeadingAndTrailingWhitespace = false,
            value = {
                "2024-02-29;YYYY-MM-DD;2024-02-29 00:00:00",
                "20240229;YYYYMMDD;2024-02-29 00:00:00",
                "29 feb 2024;DD Mon YYYY;2024-02-29 00:00:00",
                "February 9th, 2024;Month FMDDth, YYYY;2024-02-09 00:00:00",
                "24/2/9;YY/MM/DD;2024-02-09 00:00:00",
                "99-12-31;YY-MM-DD;1999-12-31 00:00:00",
                "2024 060;YYYY DDD;2024-02-29 00:00:00",
                "2024-W09-4;IYYY-\"W\"IW-ID;2024-02-29 00:00:00",
                "2024-02-29 03:04:05 pm;YYYY-MM-DD HH12:MI:SS am;2024-02-29 15:04:05",
                "2024-02-29 13:04:05.25;YYYY-MM-DD HH24:MI:SS.MS;2024-02-29 13:04:05.25",
                "  2024 -  2;YYYY-MM;2024-02-01 00:00:00",
                "2,024/12;Y,YYY/MM;2024-12-01 00:00:00",
                "20 24 03;CC YY MM;1924-03-01 00:00:00",
                "54245 2024;SSSS YYYY;2024-01-01 15:04:05",
                "2024X15;YYYYRMDD;2024-10-15 00:00:00"
            })
    void readsAsPostgresDoes(String text, String template, String expected) {
        LocalDateTime moment = TimeTemplate.of(template).read(text);
        assertThat(Temporals.formatTimestamp(Temporals.micros(moment))).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "2024-13-01;YYYY-MM-DD;DATETIME_OUT_OF_RANGE",
                "2023-02-29;YYYY-MM-DD;DATETIME_OUT_OF_RANGE",
                "2024-xx-01;YYYY-MM-DD;INVALID_DATETIME",
                "2024-Foo-01;YYYY-Mon-DD;INVALID_DATETIME",
                "2024 2025;YYYY YYYY;INVALID_DATETIME",
                "2024 02 10;IYYY MM DD;INVALID_DATETIME",
                "060;DDD;INVALID_DATETIME",
                "13:00 pm;HH12:MI am;INVALID_DATETIME",
                "99999999999;YYYY;DATETIME_OUT_OF_RANGE",
                "+01;OF;NOT_SUPPORTED"
            })
    void refusesWrongTexts(String text, String template, ErrorCode code) {
        assertThatThrownBy(() -> TimeTemplate.of(template).read(text))
                .isInstanceOfSatisfying(
                        FulmarException.class, e -> assertThat(e.code()).isEqualTo(code));
    }
}
