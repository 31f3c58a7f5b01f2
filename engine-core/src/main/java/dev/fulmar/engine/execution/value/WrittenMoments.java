package dev.fulmar.engine.execution.value;

import dev.fulmar.foundation.data.DateOrder;
import dev.fulmar.foundation.data.InfiniteTime;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.foundation.data.WrittenDatetime;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.time.DateTimeException;
import java.time.ZoneId;

/**
 * Reads texts in any form that PostgreSQL takes as dates and times of the engine. Each fails with a {@link
 * DateTimeException} if the text is none, and with an error if the engine has no such value.
 */
public final class WrittenMoments {
    private WrittenMoments() {}

    /** The day, whatever its time is. */
    public static long date(String text, DateOrder order) {
        WrittenDatetime written = WrittenDatetime.parse(text, order);
        return switch (written.form()) {
            case EPOCH -> 0;
            case INFINITY -> InfiniteTime.DAY;
            case NEGATIVE_INFINITY -> -InfiniteTime.DAY;
            case DATE, NOW, FROM_TODAY -> Temporals.checked(known(written).days(), TypeKind.DATE);
        };
    }

    /** The time of the day, whatever its zone is. */
    public static long time(String text, DateOrder order) {
        return Temporals.checked(known(WrittenDatetime.parseTime(text, order)).timeMicros(), TypeKind.TIME);
    }

    /** The date and time as they are written, whatever their zone is. */
    public static long timestamp(String text, DateOrder order) {
        WrittenDatetime written = WrittenDatetime.parse(text, order);
        return isMoment(written)
                ? Temporals.checked(known(written).localMicros(), TypeKind.TIMESTAMP)
                : special(written);
    }

    /** The instant, in the zone that the text names, or in the given one. */
    public static long instant(String text, ZoneId zone, DateOrder order) {
        WrittenDatetime written = WrittenDatetime.parse(text, order);
        return isMoment(written)
                ? Temporals.checked(known(written).instantMicros(zone), TypeKind.TIMESTAMP_TZ)
                : special(written);
    }

    /** Whether it has a date and a time, and is no moment by a name that is always the same. */
    private static boolean isMoment(WrittenDatetime written) {
        return switch (written.form()) {
            case DATE, NOW, FROM_TODAY -> true;
            case EPOCH, INFINITY, NEGATIVE_INFINITY -> false;
        };
    }

    private static long special(WrittenDatetime written) {
        return switch (written.form()) {
            case INFINITY -> InfiniteTime.MICROS;
            case NEGATIVE_INFINITY -> -InfiniteTime.MICROS;
            case DATE, NOW, FROM_TODAY, EPOCH -> 0;
        };
    }

    private static WrittenDatetime known(WrittenDatetime written) {
        return switch (written.form()) {
            case DATE, EPOCH -> written;
            case NOW, FROM_TODAY ->
                throw new FulmarException(
                        ErrorCode.NOT_SUPPORTED,
                        "a text that is computed cannot be a time by its name, as now or today; use CURRENT_TIMESTAMP");
            case INFINITY, NEGATIVE_INFINITY ->
                throw new FulmarException(
                        ErrorCode.DATETIME_OUT_OF_RANGE, "no time of the day is infinite; choose one before 24:00:00");
        };
    }
}
