package dev.fulmar.engine.execution.function;

import dev.fulmar.engine.execution.value.Temporals;
import dev.fulmar.foundation.data.InfiniteTime;
import dev.fulmar.foundation.data.Interval;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.foundation.data.ZonedTime;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Functions of moments that PostgreSQL has besides those of calendars. */
final class MomentValues {
    private static final Pattern OFFSET = Pattern.compile("([+-])(\\d{1,4})(?::(\\d{0,2})(?::(\\d{0,2}))?)?");
    private static final int MOST_OFFSET_HOURS = 15;
    private static final int SIXTY = 60;

    private MomentValues() {}

    /** interval, moment, origin: the begin of the part of that length in which the moment is. */
    static Long bin(Object[] arguments) {
        Interval stride = (Interval) arguments[0];
        long moment = (Long) arguments[1];
        if (InfiniteTime.isMoment(moment)) {
            return moment; // whatever the interval is, as in PostgreSQL
        }
        long origin = (Long) arguments[2];
        if (InfiniteTime.isMoment(origin)) {
            throw outOfRange("origin out of range; give a finite one");
        }
        if (stride.months() != 0) {
            throw new FulmarException(
                    ErrorCode.NOT_SUPPORTED, "timestamps cannot be binned into intervals containing months or years");
        }
        try {
            long micros = Math.addExact(Math.multiplyExact(stride.days(), Temporals.MICROS_PER_DAY), stride.micros());
            if (micros <= 0) {
                throw outOfRange("stride must be greater than zero; give an interval that is positive");
            }
            long distance = Math.subtractExact(moment, origin);
            return Temporals.checked(
                    Math.addExact(origin, Math.multiplyExact(Math.floorDiv(distance, micros), micros)),
                    TypeKind.TIMESTAMP);
        } catch (ArithmeticException e) {
            throw outOfRange("interval out of range; give a shorter one");
        }
    }

    private static FulmarException outOfRange(String message) {
        return new FulmarException(ErrorCode.DATETIME_OUT_OF_RANGE, message);
    }

    /** timestamp, zone: the instant at which clocks show it there. The zone may be an offset, with its usual sign. */
    static Long inZone(Object[] arguments) {
        long local = (Long) arguments[0];
        String name = ((String) arguments[1]).strip();
        return InfiniteTime.isMoment(local)
                ? local
                : (Long) Temporals.checked(ZonedTime.instant(local, zone(name)), TypeKind.TIMESTAMP_TZ);
    }

    private static ZoneId zone(String name) {
        char first = name.isEmpty() ? ' ' : name.charAt(0);
        if (first == '+' || first == '-') {
            return offset(name);
        }
        if (first >= '0' && first <= '9') {
            throw TextValues.wrong("invalid input syntax for type numeric time zone: \"" + name
                    + "\"; numeric time zones must have \"-\" or \"+\" as first character");
        }
        return ZonedTime.writtenZone(name)
                .orElseThrow(() -> TextValues.wrong("time zone \"" + name + "\" not recognized; write its name"));
    }

    private static ZoneOffset offset(String text) {
        Matcher parts = OFFSET.matcher(text);
        if (!parts.matches()) {
            throw TextValues.wrong("invalid input syntax for type time zone: \"" + text + "\"; write +02:00");
        }
        int hours = number(parts.group(2));
        int minutes = number(parts.group(3));
        int seconds = number(parts.group(4));
        if (parts.group(3) == null && parts.group(2).length() > 2) {
            minutes = hours % 100;
            hours /= 100;
        }
        if (hours > MOST_OFFSET_HOURS || minutes >= SIXTY || seconds >= SIXTY) {
            throw TextValues.wrong("numeric time zone \"" + text + "\" out of range; write at most +15:59");
        }
        int total = (hours * SIXTY + minutes) * SIXTY + seconds;
        return ZoneOffset.ofTotalSeconds(parts.group(1).equals("-") ? -total : total);
    }

    private static int number(@Nullable String digits) {
        return digits == null || digits.isEmpty() ? 0 : Integer.parseInt(digits);
    }
}
