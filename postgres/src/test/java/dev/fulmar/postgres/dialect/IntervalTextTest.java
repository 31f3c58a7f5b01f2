package dev.fulmar.postgres.dialect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Months, days and microseconds of texts, as PostgreSQL 15 has them. */
class IntervalTextTest {
    private static final long SECOND_MICROS = 1_000_000;

    @ParameterizedTest
    @CsvSource({
        "7 days, 0, 7, 0",
        "1 year 2 mons -3 days 04:05:06.5, 14, -3, 14706500000",
        "'  @ 1 hour 3 mins ', 0, 0, 3780000000",
        "3 days ago, 0, -3, 0",
        "1.5 days, 0, 1, 43200000000",
        "1.5 months, 1, 15, 0",
        "1.5 years, 18, 0, 0",
        "1 week 2 days, 0, 9, 0",
        "10, 0, 0, 10000000",
        "3 04:05:06, 0, 3, 14706000000",
        "-3 days +04:05, 0, -3, 14700000000",
        "1-2, 14, 0, 0",
        "P1Y2M3DT4H5M6S, 14, 3, 14706000000",
        "500 ms, 0, 0, 500000",
        "1 century, 1200, 0, 0",
        "2 HOURS, 0, 0, 7200000000",
        "1:30.5, 0, 0, 90500000",
        "1d2h, 0, 1, 7200000000",
        "1 day 2, 0, 1, 2000000",
        "0 days, 0, 0, 0"
    })
    void textsAreReadAsPostgresReadsThem(String text, long months, long days, long micros) {
        assertThat(IntervalText.parse(text)).isEqualTo(new IntervalText(months, days, micros));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "x",
                "1 dayz",
                "1 day day",
                "-",
                "1:",
                "p",
                "--1 day",
                "ago",
                "2020-01-01",
                "1:75",
                "1 2",
                "1 day 2 day",
                "1-13"
            })
    void otherTextsAreRefused(String text) {
        assertThatThrownBy(() -> IntervalText.parse(text))
                .isInstanceOfSatisfying(
                        FulmarException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_DATETIME));
    }

    @Test
    void monthsAndSecondsAreLiteralsOfTheirOwn() {
        IntervalText both = new IntervalText(-14, 3, 1_500_000);
        assertThat(both.literals("-"))
                .isEqualTo("INTERVAL '-14' MONTH(2) - INTERVAL '3' DAY(2) - INTERVAL '1.5' SECOND(2, 6)");
        assertThatThrownBy(() -> both.literals("")).hasMessageContaining("months, days and hours");
        assertThat(new IntervalText(0, 0, -SECOND_MICROS / 10).literals("")).isEqualTo("INTERVAL '-0.1' SECOND(2, 6)");
        assertThat(new IntervalText(0, 0, 0).literals("")).isEqualTo("INTERVAL '0' SECOND(2, 6)");
        assertThatThrownBy(() -> new IntervalText(0, 0, 20_000_000_000L * SECOND_MICROS).literals(""))
                .hasMessageContaining("10 digits");
    }

    @Test
    void noTextDoesHarm() {
        Random random = new Random(5);
        String letters = "0123456789+-.: dhmywsptago@'x";
        for (int i = 0; i < 20_000; i++) {
            StringBuilder text = new StringBuilder();
            for (int left = random.nextInt(12); left > 0; left--) {
                text.append(letters.charAt(random.nextInt(letters.length())));
            }
            try {
                IntervalText.parse(text.toString()).literals("+");
            } catch (FulmarException refused) {
                assertThat(refused.code().category()).isEqualTo(ErrorCode.Category.USER);
            }
        }
    }

    /** The seconds between two moments are those of the one less those of the other. */
    @Test
    void theEpochOfADifferenceIsTheDifferenceOfEpochs() {
        assertThat(FixedFacts.words("SELECT extract(epoch FROM a - min(b - c)) FROM t"))
                .isEqualTo("SELECT CAST(\"#EPOCH\"( a , min(b - c) ) AS NUMERIC(20, 6)) FROM t");
        assertThat(FixedFacts.words("SELECT extract(epoch FROM a - interval '1 day') FROM t"))
                .isEqualTo("SELECT CAST(\"#EPOCH\"( a - INTERVAL '1' DAY(2) ) AS NUMERIC(20, 6)) FROM t");
        assertThat(FixedFacts.words("SELECT to_timestamp(a), to_timestamp(a, 'YYYY') FROM t"))
                .isEqualTo("SELECT \"#MOMENT\" (a), to_timestamp(a, 'YYYY') FROM t");
    }
}
