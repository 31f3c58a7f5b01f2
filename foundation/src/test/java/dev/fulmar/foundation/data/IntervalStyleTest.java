package dev.fulmar.foundation.data;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Intervals as PostgreSQL 15 writes them in its styles. */
class IntervalStyleTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "0|@ 0|0|PT0S",
                "1 min|@ 1 min|0:01:00|PT1M",
                "-14 secs|@ 14 secs ago|-0:00:14|PT-14S",
                "5 mons 12 hours|@ 5 mons 12 hours|+0-5 +0 +12:00:00|P5MT12H",
                "1 day 2 hours 3 mins 4 secs|@ 1 day 2 hours 3 mins 4 secs|1 2:03:04|P1DT2H3M4S",
                "1 year 2 months|@ 1 year 2 mons|1-2|P1Y2M",
                "-1 year -2 months|@ 1 year 2 mons ago|-1-2|P-1Y-2M",
                "1 day -1 hours|@ 1 day -1 hours|+0-0 +1 -1:00:00|P1DT-1H",
                "-1 days +1 hours|@ 1 day -1 hours ago|+0-0 -1 +1:00:00|P-1DT1H",
                "1 years 2 months -3 days 4 hours 5 minutes 6.789 seconds|"
                        + "@ 1 year 2 mons -3 days 4 hours 5 mins 6.789 secs|+1-2 -3 +4:05:06.789|P1Y2M-3DT4H5M6.789S",
                "0.7 secs|@ 0.7 secs|0:00:00.7|PT0.7S",
                "PT-2562047788H-54.775808S|@ 2562047788 hours 54.775808 secs ago|-2562047788:00:54.775808|"
                        + "PT-2562047788H-54.775808S"
            })
    void styles(String text, String verbose, String standard, String iso) {
        Interval interval = Interval.parse(text);

        assertThat(IntervalStyle.POSTGRES_VERBOSE.text(interval)).isEqualTo(verbose);
        assertThat(IntervalStyle.SQL_STANDARD.text(interval)).isEqualTo(standard);
        assertThat(IntervalStyle.ISO_8601.text(interval)).isEqualTo(iso);
    }

    @Test
    void theSignOfTheFirstNumberCountsForAllInTheStandardAlone() {
        String text = "-1 day 23 hours 45 min 12.34 sec";

        assertThat(IntervalShape.ANY.parse(text)).hasToString("-1 days +23:45:12.34");
        assertThat(IntervalShape.ANY.parse(text, IntervalStyle.SQL_STANDARD)).hasToString("-1 days -23:45:12.34");
        assertThat(IntervalShape.ANY.parse("-1 day +23 hours", IntervalStyle.SQL_STANDARD))
                .hasToString("-1 days +23:00:00");
    }
}
