package dev.fulmar.foundation.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class InfiniteTimeTest {
    private static final long LAST_DAY = LocalDate.of(9999, 12, 31).toEpochDay();
    private static final long FIRST_DAY = LocalDate.of(1, 1, 1).toEpochDay();

    /** So that nothing which compares or casts needs to know them. */
    @Test
    void theyLieBeyondAllValuesAndMeetAsDaysAndAsMicroseconds() {
        assertThat(InfiniteTime.DAY).isGreaterThan(LAST_DAY);
        assertThat(-InfiniteTime.DAY).isLessThan(FIRST_DAY);
        assertThat(Math.multiplyExact(InfiniteTime.DAY, 86_400_000_000L)).isEqualTo(InfiniteTime.MICROS);
        assertThat(Math.floorDiv(-InfiniteTime.MICROS, 86_400_000_000L)).isEqualTo(-InfiniteTime.DAY);
        assertThat(Math.subtractExact(InfiniteTime.MICROS, -InfiniteTime.MICROS))
                .isPositive();
    }

    @Test
    void theyAreTheGreatestAndTheLeastObjects() {
        assertThat(CellValues.date(InfiniteTime.DAY)).isEqualTo(LocalDate.MAX);
        assertThat(CellValues.date(-InfiniteTime.DAY)).isEqualTo(LocalDate.MIN);
        assertThat(CellValues.timestamp(InfiniteTime.MICROS)).isEqualTo(LocalDateTime.MAX);
        assertThat(CellValues.timestamp(-InfiniteTime.MICROS)).isEqualTo(LocalDateTime.MIN);
        assertThat(ZonedTime.instant(InfiniteTime.MICROS)).isEqualTo(Instant.MAX);
        assertThat(ZonedTime.instant(-InfiniteTime.MICROS)).isEqualTo(Instant.MIN);
        assertThat(CellValues.days(LocalDate.MIN)).isEqualTo(-InfiniteTime.DAY);
        assertThat(CellValues.micros(LocalDateTime.MAX)).isEqualTo(InfiniteTime.MICROS);
        assertThat(ZonedTime.micros(Instant.MIN)).isEqualTo(-InfiniteTime.MICROS);
        assertThat(InfiniteTime.ofUtc(LocalDateTime.MAX)).isEqualTo(Instant.MAX);
        assertThat(InfiniteTime.inUtc(Instant.MIN)).isEqualTo(LocalDateTime.MIN);
        assertThat(InfiniteTime.inUtc(Instant.EPOCH)).isEqualTo(LocalDateTime.of(1970, 1, 1, 0, 0));
    }

    /** Else a date in the year 138,865 would become infinity. */
    @Test
    void aDateWithTheirNumberIsRefused() {
        LocalDate day = LocalDate.ofEpochDay(InfiniteTime.DAY);
        assertThatThrownBy(() -> CellValues.days(day))
                .isInstanceOfSatisfying(
                        FulmarException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.DATETIME_OUT_OF_RANGE));
        assertThatThrownBy(() -> CellValues.micros(day.atStartOfDay()))
                .isInstanceOfSatisfying(
                        FulmarException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.DATETIME_OUT_OF_RANGE));
        assertThat(CellValues.days(day.plusDays(1))).isEqualTo(InfiniteTime.DAY + 1);
        assertThat(CellValues.days(LocalDate.MAX.minusDays(1))).isGreaterThan(InfiniteTime.DAY);
    }

    @Test
    void noZoneMovesThem() {
        ZoneId zone = ZoneId.of("Asia/Tokyo");
        for (long infinity : new long[] {InfiniteTime.MICROS, -InfiniteTime.MICROS}) {
            assertThat(ZonedTime.local(infinity, zone)).isEqualTo(infinity);
            assertThat(ZonedTime.instant(infinity, zone)).isEqualTo(infinity);
            assertThat(ZonedTime.text(infinity, zone)).isEqualTo(InfiniteTime.text(infinity));
        }
    }

    @Test
    void textsAreThoseOfPostgres() {
        List<Object> values = Arrays.asList(
                LocalDate.MAX, LocalDate.MIN, LocalDateTime.MAX, LocalDateTime.MIN, Instant.MAX, Instant.MIN, 7L);
        List<String> texts = List.of("infinity", "-infinity", "infinity", "-infinity", "infinity", "-infinity", "7");
        for (int i = 0; i < values.size(); i++) {
            assertThat(CellValues.text(values.get(i))).isEqualTo(texts.get(i));
            assertThat(InfiniteTime.textOf(values.get(i))).isEqualTo(texts.get(i));
        }
        assertThat(InfiniteTime.ofText("Infinity")).isEqualTo(1);
        assertThat(InfiniteTime.ofText("-INFINITY")).isEqualTo(-1);
        assertThat(InfiniteTime.ofText("+infinity")).isZero();
    }

    @Test
    void onlyDatesAndTimestampsHaveThem() {
        assertThat(InfiniteTime.is(InfiniteTime.DAY, TypeKind.DATE)).isTrue();
        assertThat(InfiniteTime.is(-InfiniteTime.MICROS, TypeKind.TIMESTAMP)).isTrue();
        assertThat(InfiniteTime.is(InfiniteTime.MICROS, TypeKind.TIMESTAMP_TZ)).isTrue();
        assertThat(InfiniteTime.is(InfiniteTime.DAY, TypeKind.BIGINT)).isFalse();
        assertThat(InfiniteTime.is(InfiniteTime.MICROS, TypeKind.DATE)).isFalse();
        assertThat(InfiniteTime.is(InfiniteTime.DAY, TypeKind.TIMESTAMP)).isFalse();
    }

    /** A zone does not move a moment onto an infinity, and what no timestamp holds is an error of its own. */
    @Test
    void noOtherMomentBecomesAnInfinity() {
        ZoneId tokyo = ZoneId.of("Asia/Tokyo");
        long nine = 9 * 3_600_000_000L;
        assertThatThrownBy(() -> ZonedTime.instant(InfiniteTime.MICROS + nine, tokyo))
                .isInstanceOf(FulmarException.class);
        assertThatThrownBy(() -> ZonedTime.local(InfiniteTime.MICROS - nine, tokyo))
                .isInstanceOf(FulmarException.class);
        assertThat(ZonedTime.instant(InfiniteTime.MICROS, tokyo)).isEqualTo(InfiniteTime.MICROS);
        assertThatThrownBy(() -> InfiniteTime.inUtc(Instant.MAX.minusNanos(1))).isInstanceOf(FulmarException.class);
    }
}
