package dev.fulmar.foundation.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ZonedTimeTest {
    private static final ZoneId OSLO = ZoneId.of("Europe/Oslo");

    @ParameterizedTest
    @CsvSource({
        "2024-07-01 12:00, 2024-07-01T10:00:00Z",
        "2024-07-01T12:00:00.123456789, 2024-07-01T10:00:00.123456Z",
        "2024-07-01, 2024-06-30T22:00:00Z",
        "2024-07-01 12:00Z, 2024-07-01T12:00:00Z",
        "2024-07-01 12:00:00+0530, 2024-07-01T06:30:00Z",
        "2024-07-01 12:00:00 -03, 2024-07-01T15:00:00Z",
        "2024-07-01 12:00:00-00:30:15, 2024-07-01T12:30:15Z",
        "2024-07-01 12:00 america/new_york, 2024-07-01T16:00:00Z",
        "2024-07-01 12:00 CET, 2024-07-01T11:00:00Z",
        "2024-07-01 12:00 cest, 2024-07-01T10:00:00Z",
        "2024-07-01 12:00 PST, 2024-07-01T20:00:00Z",
        "2024-07-01 12:00 Japan, 2024-07-01T03:00:00Z",
        "2024-07-01 UTC, 2024-07-01T00:00:00Z",
        // Clocks leave out this hour, and show that one twice.
        "2024-03-31 02:30, 2024-03-31T01:30:00Z",
        "2024-10-27 02:30, 2024-10-27T01:30:00Z"
    })
    void textsAreInstants(String text, String instant) {
        assertThat(ZonedTime.instant(ZonedTime.parse(text, OSLO))).isEqualTo(Instant.parse(instant));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "2024-02-30",
                "2024-07-01 25:00",
                "2024-07-01 12:00+19",
                "2024-07-01 12:00 Mars/Base",
                "12:00+02",
                "2024-07-01 12:00+02 x",
                "999999999-01-01"
            })
    void otherTextsAreNone(String text) {
        assertThatThrownBy(() -> ZonedTime.parse(text, OSLO)).isInstanceOf(DateTimeException.class);
    }

    @Test
    void localTimesAndInstantsBelongToEachOther() {
        for (String text : new String[] {"2024-01-15T12:00:00Z", "2024-07-15T12:00:00.5Z", "0001-01-01T00:00:00Z"}) {
            long instant = ZonedTime.micros(Instant.parse(text));
            for (ZoneId zone : new ZoneId[] {OSLO, ZoneOffset.UTC, ZoneOffset.ofHours(-3)}) {
                assertThat(ZonedTime.instant(ZonedTime.local(instant, zone), zone))
                        .isEqualTo(instant);
                assertThat(ZonedTime.parse(ZonedTime.text(instant, zone), ZoneOffset.MAX))
                        .isEqualTo(instant);
            }
        }
    }

    @Test
    void textsShowTheOffset() {
        long instant = ZonedTime.micros(Instant.parse("2024-07-01T10:00:00.25Z"));
        assertThat(ZonedTime.text(instant, ZoneOffset.UTC)).isEqualTo("2024-07-01 10:00:00.25+00");
        assertThat(ZonedTime.text(instant, ZoneId.of("Asia/Kolkata"))).isEqualTo("2024-07-01 15:30:00.25+05:30");
        assertThat(ZonedTime.text(-1, ZoneOffset.UTC)).isEqualTo("1969-12-31 23:59:59.999999+00");
    }

    /** The zone CET has summer time, the abbreviation has none. */
    @Test
    void abbreviationsAreNoNames() {
        assertThat(ZonedTime.zone("PST")).isEmpty();
        assertThat(ZonedTime.zone("cet")).contains(ZoneId.of("CET"));
        assertThat(ZonedTime.writtenZone(" cet ")).contains(ZoneOffset.ofHours(1));
        assertThat(ZonedTime.writtenZone("europe/oslo")).contains(OSLO);
        assertThat(ZonedTime.writtenZone("Mars/Base")).isEmpty();
    }

    @Test
    void zonesHaveNamesAndOffsetsOnlyThoseThatAreMade() {
        assertThat(ZonedTime.zone(" europe/oslo ")).contains(OSLO);
        assertThat(ZonedTime.zone("utc")).contains(ZoneOffset.UTC);
        assertThat(ZonedTime.zone("+02:00")).isEmpty();
        assertThat(ZonedTime.zone("Z+19:00")).isEmpty();
        for (ZoneId zone :
                new ZoneId[] {OSLO, ZoneOffset.UTC, ZoneOffset.ofHoursMinutes(5, 30), ZoneOffset.ofHours(-3)}) {
            assertThat(ZonedTime.zone(ZonedTime.name(zone))).contains(zone);
        }
    }
}
