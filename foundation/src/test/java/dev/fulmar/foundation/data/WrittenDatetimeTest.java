package dev.fulmar.foundation.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.foundation.error.ErrorCode;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Texts of dates and times mean what they mean to PostgreSQL, whose answers these are. */
class WrittenDatetimeTest {
    /** The date and time, the error's code, or the form if it is no date. */
    private static String read(String text, DateOrder order) {
        try {
            WrittenDatetime written = WrittenDatetime.parse(text, order);
            return switch (written.form()) {
                case DATE ->
                    LocalDateTime.of(
                                    LocalDate.ofEpochDay(written.days()),
                                    LocalTime.ofNanoOfDay(written.timeMicros() * 1000))
                            + (written.zone() == null ? "" : " " + written.zone());
                case FROM_TODAY -> "today " + written.days();
                case NOW, EPOCH, INFINITY, NEGATIVE_INFINITY -> written.form().toString();
            };
        } catch (DatetimeTextException e) {
            return e.code().toString();
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "January 8, 1999     |1999-01-08           |1999-01-08           |1999-01-08",
                "1999-01-08          |1999-01-08           |1999-01-08           |1999-01-08",
                "1/8/1999            |1999-01-08           |1999-08-01           |DATETIME_OUT_OF_RANGE",
                "1/18/1999           |1999-01-18           |DATETIME_OUT_OF_RANGE|DATETIME_OUT_OF_RANGE",
                "18/1/1999           |DATETIME_OUT_OF_RANGE|1999-01-18           |DATETIME_OUT_OF_RANGE",
                "01/02/03            |2003-01-02           |2003-02-01           |2001-02-03",
                "19990108            |1999-01-08           |1999-01-08           |1999-01-08",
                "990108              |1999-01-08           |1999-01-08           |1999-01-08",
                "1999.008            |1999-01-08           |1999-01-08           |1999-01-08",
                "J2451187            |1999-01-08           |1999-01-08           |1999-01-08",
                "January 8, 99 BC    |-0098-01-08          |-0098-01-08          |DATETIME_OUT_OF_RANGE",
                "99-Jan-08           |DATETIME_OUT_OF_RANGE|DATETIME_OUT_OF_RANGE|1999-01-08",
                "08-Jan-99           |1999-01-08           |1999-01-08           |DATETIME_OUT_OF_RANGE",
                "08-Jan-1999         |1999-01-08           |1999-01-08           |1999-01-08",
                "Jan-08-99           |1999-01-08           |1999-01-08           |DATETIME_OUT_OF_RANGE",
                "1999 08 Jan         |1999-01-08           |1999-01-08           |1999-01-08",
                "99-01-08            |DATETIME_OUT_OF_RANGE|DATETIME_OUT_OF_RANGE|1999-01-08",
                "99 Jan 08           |INVALID_DATETIME     |DATETIME_OUT_OF_RANGE|1999-01-08",
                "y2001m02d04         |2001-02-04           |2001-02-04           |2001-02-04",
                "1999-13-01          |DATETIME_OUT_OF_RANGE|DATETIME_OUT_OF_RANGE|DATETIME_OUT_OF_RANGE",
                "1999-02-29          |DATETIME_OUT_OF_RANGE|DATETIME_OUT_OF_RANGE|DATETIME_OUT_OF_RANGE",
                "0000-01-01          |DATETIME_OUT_OF_RANGE|DATETIME_OUT_OF_RANGE|DATETIME_OUT_OF_RANGE",
                "somewhen            |INVALID_DATETIME     |INVALID_DATETIME     |INVALID_DATETIME"
            })
    void dates(String text, String monthFirst, String dayFirst, String yearFirst) {
        assertThat(read(text, DateOrder.MDY).replace("T00:00", "")).isEqualTo(monthFirst);
        assertThat(read(text, DateOrder.DMY).replace("T00:00", "")).isEqualTo(dayFirst);
        assertThat(read(text, DateOrder.YMD).replace("T00:00", "")).isEqualTo(yearFirst);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Mon Feb 10 17:32:01 1997 PST      |1997-02-10T17:32:01 -08:00",
                "Mon Feb 10 17:32:01.4 1997        |1997-02-10T17:32:01.400",
                "19970210 173201 -0800             |1997-02-10T17:32:01 -08:00",
                "2001-09-22T18:19:20               |2001-09-22T18:19:20",
                "2000-03-15 08:14:01 GMT+8         |2000-03-15T08:14:01 -08:00",
                "2000-03-15 02:14:05 MST+7:00      |2000-03-15T02:14:05 -07:00",
                "Feb 10 5:32PM 1997                |1997-02-10T17:32",
                "1997.041 17:32:01 UTC             |1997-02-10T17:32:01 Z",
                "19970210 173201 America/New_York  |1997-02-10T17:32:01 America/New_York",
                "19970710 173201 America/Nowhere   |INVALID_ARGUMENT",
                "1997-02-10 12:00 AM               |1997-02-10T00:00",
                "1997-02-10 13:00 PM               |DATETIME_OUT_OF_RANGE",
                "1997-02-10 25:00                  |DATETIME_OUT_OF_RANGE",
                "Feb 16 17:32:01 5097 BC           |-5096-02-16T17:32:01",
                "1997-02-10 10:00 MET DST          |1997-02-10T10:00 +02:00",
                "now                               |NOW",
                "epoch                             |EPOCH",
                "infinity                          |INFINITY",
                "-infinity                         |NEGATIVE_INFINITY",
                "tomorrow EST                      |today 1",
                "10:00                             |INVALID_DATETIME"
            })
    void timestamps(String text, String expected) {
        assertThat(read(text, DateOrder.MDY)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "02:03 PST                          |02:03",
                "11:59:59.99 PM                     |23:59:59.990",
                "2003-03-07 15:36:39 America/New_York|15:36:39",
                "040506                             |04:05:06",
                "allballs                           |00:00",
                "15:36:39 America/New_York          |INVALID_DATETIME",
                "24:00:01                           |DATETIME_OUT_OF_RANGE",
                "today                              |INVALID_DATETIME"
            })
    void times(String text, String expected) {
        String found;
        try {
            long micros = WrittenDatetime.parseTime(text, DateOrder.MDY).timeMicros();
            found = LocalTime.ofNanoOfDay(micros * 1000).toString();
        } catch (DatetimeTextException e) {
            found = e.code().toString();
        }
        assertThat(found).isEqualTo(expected);
    }

    @Test
    void theWholeDayEndsAtItsLastMidnight() {
        assertThat(WrittenDatetime.parseTime("23:59:60", DateOrder.MDY).timeMicros())
                .isEqualTo(86_400_000_000L);
        WrittenDatetime midnight = WrittenDatetime.parse("1999-12-31 24:00", DateOrder.MDY);
        assertThat(midnight.localMicros())
                .isEqualTo(WrittenDatetime.parse("2000-01-01", DateOrder.MDY).localMicros());
    }

    /** Moscow's clocks went an hour ahead for three years, and its abbreviation with them. */
    @ParameterizedTest
    @CsvSource({
        "2011-03-27 01:59:59 MSK, 2011-03-26 22:59:59 UTC",
        "2011-03-27 02:00:00 MSK, 2011-03-26 22:00:00 UTC",
        "2011-03-27 04:00:00 MSK, 2011-03-27 00:00:00 UTC",
        "2014-10-26 00:59:59 MSK, 2014-10-25 20:59:59 UTC",
        "2014-10-26 01:00:00 MSK, 2014-10-25 22:00:00 UTC"
    })
    void anAbbreviationHasTheOffsetOfItsTime(String text, String instant) {
        assertThat(WrittenDatetime.parse(text, DateOrder.MDY).instantMicros(ZoneOffset.UTC))
                .isEqualTo(WrittenDatetime.parse(instant, DateOrder.MDY).instantMicros(ZoneOffset.UTC));
    }

    @Test
    void aTextWithoutAZoneIsInTheOneOfTheSession() {
        WrittenDatetime summer = WrittenDatetime.parse("2024-07-01 12:00", DateOrder.MDY);

        assertThat(summer.localMicros() - summer.instantMicros(ZoneId.of("Europe/Oslo")))
                .isEqualTo(7_200_000_000L);
    }

    @Test
    void longTextsAreRefused() {
        assertThatThrownBy(() -> WrittenDatetime.parse("1".repeat(10_000), DateOrder.MDY))
                .isInstanceOfSatisfying(
                        DatetimeTextException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_DATETIME));
        assertThatThrownBy(() -> WrittenDatetime.parse("a ".repeat(40), DateOrder.MDY))
                .isInstanceOf(DatetimeTextException.class);
    }
}
