package dev.fulmar.engine.execution.function;

import dev.fulmar.engine.execution.value.Temporals;
import dev.fulmar.foundation.data.InfiniteTime;
import dev.fulmar.foundation.data.ZonedTime;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.time.temporal.IsoFields;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Fields of dates and times by their names, as EXTRACT of PostgreSQL has them (manual §9.9.1). */
final class MomentFields {
    /** The Julian day of 1970-01-01. */
    private static final long EPOCH_JULIAN_DAY = 2_440_588;

    private static final String TIME = "TIME";
    private static final int DECADE = 10;
    private static final int CENTURY = 100;
    private static final int MILLENNIUM = 1_000;
    private static final int JULIAN_SCALE = 20;
    private static final int SECONDS_PER_HOUR = 3_600;
    private static final int SIXTY = 60;

    private MomentFields() {}

    /**
     * name of the field, name of the moment's type, moment; and of an instant the zone. A day is given as the timestamp
     * at its begin. Infinity has infinite years, and of all that goes round no field but null.
     */
    static @Nullable Number of(Object[] arguments) {
        String field = ((String) arguments[0]).strip().toLowerCase(Locale.ROOT);
        String type = (String) arguments[1];
        long micros = (Long) arguments[2];
        boolean isInstant = arguments.length > 3;
        if (InfiniteTime.isMoment(micros) && !type.equals(TIME)) {
            return ofInfinity(field, type, micros);
        }
        ZoneId zone = ZonedTime.zone(isInstant ? (String) arguments[3] : "UTC").orElseThrow();
        long local = isInstant ? ZonedTime.local(micros, zone) : micros;
        return switch (field) {
            case "timezone", "timezone_hour", "timezone_h", "timezone_minute", "timezone_m" -> {
                if (!isInstant) {
                    throw notOf(field, type);
                }
                yield ofZone(field, micros, zone);
            }
            case "decade" -> ofYears(type, field, Math.floorDiv(year(local), DECADE));
            case "century" -> ofYears(type, field, Math.ceilDiv(year(local), CENTURY));
            case "millennium" -> ofYears(type, field, Math.ceilDiv(year(local), MILLENNIUM));
            case "isoyear" ->
                ofDay(type, field, LocalDate.ofEpochDay(Temporals.dayOf(local)).get(IsoFields.WEEK_BASED_YEAR));
            case "julian" -> julian(type, field, local);
            default -> throw unknown(field, type);
        };
    }

    private static long year(long local) {
        return LocalDate.ofEpochDay(Temporals.dayOf(local)).getYear();
    }

    private static @Nullable Number ofInfinity(String field, String type, long infinity) {
        return switch (field) {
            case "timezone", "timezone_hour", "timezone_h", "timezone_minute", "timezone_m" -> {
                if (type.equals("DATE")) {
                    throw notOf(field, type);
                }
                yield null;
            }
            case "decade", "century", "millennium", "isoyear", "julian" -> infinity(infinity);
            default -> throw unknown(field, type);
        };
    }

    static Double infinity(long micros) {
        return micros > 0 ? Double.POSITIVE_INFINITY : Double.NEGATIVE_INFINITY;
    }

    private static FulmarException unknown(String field, String type) {
        return TextValues.wrong("unit \"" + field + "\" not recognized for type " + type);
    }

    private static FulmarException notOf(String field, String type) {
        return new FulmarException(
                ErrorCode.NOT_SUPPORTED, "unit \"" + field + "\" not supported for type " + type + "; CAST it");
    }

    private static BigDecimal ofDay(String type, String field, long value) {
        return ofYears(type, field, value > 0 ? value : value - 1);
    }

    private static BigDecimal ofYears(String type, String field, long value) {
        if (type.equals(TIME)) {
            throw notOf(field, type);
        }
        return BigDecimal.valueOf(value);
    }

    private static BigDecimal ofZone(String field, long micros, ZoneId zone) {
        int offset = zone.getRules()
                .getOffset(ZonedTime.instant(micros).truncatedTo(ChronoUnit.SECONDS))
                .getTotalSeconds();
        return BigDecimal.valueOf(
                switch (field) {
                    case "timezone" -> offset;
                    case "timezone_hour", "timezone_h" -> offset / SECONDS_PER_HOUR;
                    default -> offset / SIXTY % SIXTY;
                });
    }

    private static BigDecimal julian(String type, String field, long local) {
        if (type.equals(TIME)) {
            throw notOf(field, type);
        }
        BigDecimal day = BigDecimal.valueOf(Temporals.dayOf(local) + EPOCH_JULIAN_DAY);
        BigDecimal part = BigDecimal.valueOf(Temporals.timeOf(local))
                .divide(BigDecimal.valueOf(Temporals.MICROS_PER_DAY), JULIAN_SCALE, RoundingMode.HALF_UP);
        return type.equals("DATE") ? day : day.add(part);
    }
}
