package dev.fulmar.engine.execution.value;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.InfiniteTime;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.time.ZoneId;
import java.time.ZoneOffset;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Dates and timestamps at the ends of their range, and infinities behind them. */
class TemporalsTest {
    private static void isOutOfRange(ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        FulmarException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.DATETIME_OUT_OF_RANGE));
    }

    @Test
    void infinitiesAreReadAndWritten() {
        assertThat(Temporals.parseDate(" Infinity ")).isEqualTo(InfiniteTime.DAY);
        assertThat(Temporals.parseDate("-infinity")).isEqualTo(-InfiniteTime.DAY);
        assertThat(Temporals.parseTimestamp("infinity")).isEqualTo(InfiniteTime.MICROS);
        assertThat(Temporals.parseTimestampTz("-infinity", ZoneId.of("Asia/Tokyo")))
                .isEqualTo(-InfiniteTime.MICROS);
        assertThat(Temporals.formatDate(-InfiniteTime.DAY)).isEqualTo("-infinity");
        assertThat(Temporals.formatTimestamp(InfiniteTime.MICROS)).isEqualTo("infinity");
        assertThat(Temporals.parseTimestampTz("epoch", ZoneOffset.UTC)).isZero();
        assertThatThrownBy(() -> Temporals.parseDate("inf")).isInstanceOf(FulmarException.class);
        assertThatThrownBy(() -> Temporals.parseTime("infinity")).isInstanceOf(FulmarException.class);
    }

    @Test
    void roundingKeepsThemAndMakesNone() {
        ColumnType seconds = ColumnType.ofDigits(TypeKind.TIMESTAMP, 0);
        assertThat(Temporals.rounded(InfiniteTime.MICROS, seconds)).isEqualTo(InfiniteTime.MICROS);
        isOutOfRange(() -> Temporals.rounded(Temporals.MAX_TIMESTAMP, seconds));
    }

    /** Else a sum that is too large, or an infinity in another zone, would be another value in silence. */
    @Test
    void whatIsComputedIsFinite() {
        for (long day : new long[] {InfiniteTime.DAY, -InfiniteTime.DAY, InfiniteTime.DAY - 1, Temporals.MAX_DAY + 1}) {
            isOutOfRange(() -> Temporals.checked(day, TypeKind.DATE));
            isOutOfRange(() -> Temporals.checked(day * Temporals.MICROS_PER_DAY, TypeKind.TIMESTAMP));
        }
        isOutOfRange(() -> Temporals.checked(InfiniteTime.MICROS - 3_600_000_000L, TypeKind.TIMESTAMP_TZ));
        isOutOfRange(() -> Temporals.finite(InfiniteTime.DAY, TypeKind.DATE, "do this"));
        assertThat(Temporals.finite(InfiniteTime.DAY, TypeKind.BIGINT, "do this"))
                .isEqualTo(InfiniteTime.DAY);
    }

    @Test
    void valuesAreTheRangeAndBothInfinities() {
        assertThat(Temporals.isValue(InfiniteTime.DAY, TypeKind.DATE)).isTrue();
        assertThat(Temporals.isValue(-InfiniteTime.DAY, TypeKind.DATE)).isTrue();
        assertThat(Temporals.isValue(Temporals.MAX_DAY, TypeKind.DATE)).isTrue();
        assertThat(Temporals.isValue(Temporals.MAX_DAY + 1, TypeKind.DATE)).isFalse();
        assertThat(Temporals.isValue(InfiniteTime.DAY + 1, TypeKind.DATE)).isFalse();
        assertThat(Temporals.isValue(InfiniteTime.MICROS, TypeKind.TIMESTAMP_TZ))
                .isTrue();
        assertThat(Temporals.isValue(Temporals.MIN_TIMESTAMP - 1, TypeKind.TIMESTAMP))
                .isFalse();
        assertThat(Temporals.isValue(InfiniteTime.MICROS, TypeKind.TIME)).isFalse();
    }
}
