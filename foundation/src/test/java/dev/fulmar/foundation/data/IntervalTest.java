package dev.fulmar.foundation.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Months, days and microseconds of texts, and texts of them, as PostgreSQL 15 has them. */
class IntervalTest {
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
        "1.5 weeks, 0, 10, 43200000000",
        "10, 0, 0, 10000000",
        "3 04:05:06, 0, 3, 14706000000",
        "-3 days +04:05, 0, -3, 14700000000",
        "1-2, 14, 0, 0",
        "-1-2, -14, 0, 0",
        "P1Y2M3DT4H5M6S, 14, 3, 14706000000",
        "P0001-02-03T04:05:06, 14, 3, 14706000000",
        "P00010203T040506, 14, 3, 14706000000",
        "P-1Y2M, -10, 0, 0",
        "PT1.5H, 0, 0, 5400000000",
        "500 ms, 0, 0, 500000",
        "1 century, 1200, 0, 0",
        "2 HOURS, 0, 0, 7200000000",
        "1:30.5, 0, 0, 90500000",
        "1d2h, 0, 1, 7200000000",
        "1 day 2, 0, 1, 2000000",
        "0 days, 0, 0, 0",
        "-2147483648 months, -2147483648, 0, 0",
        "-9223372036854775808 us, 0, 0, -9223372036854775808"
    })
    void textsAreReadAsPostgresReadsThem(String text, int months, int days, long micros) {
        assertThat(Interval.parse(text)).isEqualTo(new Interval(months, days, micros));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "x",
                "1 dayz",
                "-",
                "p",
                "P",
                "--1 day",
                "ago",
                "2020-01-01x",
                "1 2",
                "1 day 2 day",
                "1 quarter"
            })
    void otherTextsAreRefused(String text) {
        assertFails(text, ErrorCode.INVALID_DATETIME);
    }

    @ParameterizedTest
    @ValueSource(strings = {"1:75", "1-13", "3000000000 months", "99999999999999999999 s", "2147483648 days"})
    void numbersThatNoIntervalHasAreRefused(String text) {
        assertFails(text, ErrorCode.INTERVAL_OUT_OF_RANGE);
    }

    @Test
    void monthsThatDoNotFitAreOutOfRange() {
        assertFails("178956971 years", ErrorCode.DATETIME_OUT_OF_RANGE);
    }

    private static void assertFails(String text, ErrorCode code) {
        assertThatThrownBy(() -> Interval.parse(text))
                .isInstanceOfSatisfying(
                        FulmarException.class, e -> assertThat(e.code()).isEqualTo(code));
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0, 0, 00:00:00",
        "14, -3, 14706500000, 1 year 2 mons -3 days +04:05:06.5",
        "-14, 3, -1, -1 years -2 mons +3 days -00:00:00.000001",
        "1, 1, 0, 1 mon 1 day",
        "0, 0, 360000000000, 100:00:00",
        "-2147483648, -2147483648, -9223372036854775808, -178956970 years -8 mons -2147483648 days -2562047788:00:54.775808"
    })
    void textIsThatOfPostgres(int months, int days, long micros, String text) {
        assertThat(new Interval(months, days, micros)).hasToString(text);
    }

    @Test
    void textSaysAllOfAnInterval() {
        Random random = new Random(7);
        for (int i = 0; i < 20_000; i++) {
            Interval interval = new Interval(
                    random.nextInt() >> random.nextInt(32),
                    random.nextInt() >> random.nextInt(32),
                    random.nextLong() >> (1 + random.nextInt(63)));
            assertThat(Interval.parse(interval.toString())).isEqualTo(interval);
            assertThat(Interval.ofBits(interval.high(), interval.low())).isEqualTo(interval);
        }
    }

    @Test
    void noTextDoesHarm() {
        Random random = new Random(5);
        String letters = "0123456789+-.: dhmywsptago@'xPTe/";
        for (int i = 0; i < 50_000; i++) {
            StringBuilder text = new StringBuilder();
            for (int left = random.nextInt(12); left > 0; left--) {
                text.append(letters.charAt(random.nextInt(letters.length())));
            }
            try {
                Interval.parse(text.toString());
            } catch (FulmarException refused) {
                assertThat(refused.code().category()).isEqualTo(ErrorCode.Category.USER);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "YEAR, 12 0 0, INTERVAL YEAR, 327679",
        "MONTH, 14 0 0, INTERVAL MONTH, 196607",
        "DAY, 14 3 0, INTERVAL DAY, 589823",
        "day  to hour, 14 3 14400000000, INTERVAL DAY TO HOUR, 67698687",
        "HOUR TO MINUTE, 14 3 14700000000, INTERVAL HOUR TO MINUTE, 201392127",
        "second ( 1 ), 14 3 14706500000, INTERVAL SECOND(1), 268435457",
        "(0), 14 3 14707000000, INTERVAL(0), 2147418112",
        "DAY TO SECOND(2), 14 3 14706540000, INTERVAL DAY TO SECOND(2), 470286338",
        "'', 14 3 14706543210, INTERVAL, -1"
    })
    void shapesCutWhatTheyLack(String words, String kept, String text, int modifier) {
        IntervalShape shape = IntervalShape.ofWords(words).orElseThrow();
        Interval fitted = shape.fitted(new Interval(14, 3, 14_706_543_210L));

        assertThat(fitted.months() + " " + fitted.days() + " " + fitted.micros())
                .isEqualTo(kept);
        assertThat(shape).hasToString(text);
        assertThat(shape.modifier()).isEqualTo(modifier);
        assertThat(IntervalShape.of(shape.type())).isEqualTo(shape);
        assertThat(shape.type()).hasToString(text);
    }

    @ParameterizedTest
    @CsvSource({
        "DAY, 5, 0 5 0",
        "YEAR TO MONTH, 5, 5 0 0",
        "HOUR, 1 5, 0 1 18000000000",
        "MINUTE TO SECOND, 4:05, 0 0 245000000"
    })
    void theLastFieldIsTheUnitOfANumber(String words, String text, String expected) {
        Interval interval = IntervalShape.ofWords(words).orElseThrow().parse(text);

        assertThat(interval.months() + " " + interval.days() + " " + interval.micros())
                .isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"DAY(3)", "MONTH TO DAY", "SECOND(", "(x)", "FORTNIGHT", "SECOND TO DAY"})
    void otherWordsAreNoShape(String words) {
        assertThat(IntervalShape.ofWords(words)).isEmpty();
    }
}
