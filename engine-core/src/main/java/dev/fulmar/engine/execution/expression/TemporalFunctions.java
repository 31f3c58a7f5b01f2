package dev.fulmar.engine.execution.expression;

import dev.fulmar.engine.execution.value.Temporals;
import dev.fulmar.engine.execution.value.ValueRange;
import dev.fulmar.engine.plan.ScalarFunction;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.InfiniteTime;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.time.LocalDate;
import java.time.temporal.ChronoUnit;
import java.time.temporal.IsoFields;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/** EXTRACT and the time of the transaction. Sunday is day 1 of the week; weeks count as in ISO 8601. */
final class TemporalFunctions {
    /** More than all years have. */
    private static final long MOST_MONTHS = 12 * 20_000;

    private TemporalFunctions() {}

    static LongEvaluator now(ScalarFunction function) {
        return switch (function) {
            case CURRENT_TIMESTAMP ->
                frame -> {
                    frame.isNull = false;
                    return frame.transactionMicros;
                };
            case CURRENT_DATE ->
                frame -> {
                    frame.isNull = false;
                    return Temporals.dayOf(frame.transactionMicros);
                };
            case CURRENT_TIME ->
                frame -> {
                    frame.isNull = false;
                    return Temporals.timeOf(frame.transactionMicros);
                };
            default -> throw Invariants.breach(function + " is a current time");
        };
    }

    static LongEvaluator extract(ScalarFunction function, LongEvaluator value, ColumnType type) {
        @Nullable LongUnaryOperator ofTime = switch (function) {
            case EXTRACT_HOUR -> micros -> micros / (3600 * Temporals.MICROS_PER_SECOND);
            case EXTRACT_MINUTE -> micros -> micros / (60 * Temporals.MICROS_PER_SECOND) % 60;
            case EXTRACT_MICROSECOND -> micros -> micros % (60 * Temporals.MICROS_PER_SECOND);
            case EXTRACT_SECOND -> micros -> micros / Temporals.MICROS_PER_SECOND % 60;
            default -> null;
        };
        if (ofTime == null) {
            return extractFromDay(function, value, type);
        }
        return switch (type.kind()) {
            case TIME -> apply(value, ofTime);
            case TIMESTAMP -> field(value, type, micros -> ofTime.applyAsLong(Temporals.timeOf(micros)));
            case DATE -> field(value, type, day -> 0);
            default -> throw impossible(function, type);
        };
    }

    private static LongEvaluator extractFromDay(ScalarFunction function, LongEvaluator value, ColumnType type) {
        LongUnaryOperator ofDay = switch (function) {
            case EXTRACT_YEAR -> day -> LocalDate.ofEpochDay(day).getYear();
            case EXTRACT_MONTH -> day -> LocalDate.ofEpochDay(day).getMonthValue();
            case EXTRACT_DAY -> day -> LocalDate.ofEpochDay(day).getDayOfMonth();
            case EXTRACT_DAY_OF_WEEK -> day -> Math.floorMod(day + 4, 7L) + 1;
            case EXTRACT_DAY_OF_YEAR -> day -> LocalDate.ofEpochDay(day).getDayOfYear();
            case EXTRACT_WEEK -> day -> LocalDate.ofEpochDay(day).get(IsoFields.WEEK_OF_WEEK_BASED_YEAR);
            case EXTRACT_QUARTER -> day -> LocalDate.ofEpochDay(day).get(IsoFields.QUARTER_OF_YEAR);
            default -> throw Invariants.breach(function + " extracts a field");
        };
        LongUnaryOperator field = switch (type.kind()) {
            case DATE -> ofDay;
            case TIMESTAMP -> micros -> ofDay.applyAsLong(Temporals.dayOf(micros));
            default -> throw impossible(function, type);
        };
        return function == ScalarFunction.EXTRACT_YEAR
                ? frame -> {
                    long x = value.evaluate(frame);
                    return frame.isNull
                            ? 0
                            : field.applyAsLong(Temporals.finite(x, type.kind(), "tell the year of infinity"));
                }
                : field(value, type, field);
    }

    /** A field of which infinity has none, so that it is null, as in PostgreSQL. */
    private static LongEvaluator field(LongEvaluator value, ColumnType type, LongUnaryOperator operator) {
        TypeKind kind = type.kind();
        return frame -> {
            long x = value.evaluate(frame);
            if (frame.isNull || InfiniteTime.is(x, kind)) {
                frame.isNull = true;
                return 0;
            }
            return operator.applyAsLong(x);
        };
    }

    /** The year as a floating-point number, which of an infinity is infinite. */
    static DoubleEvaluator year(LongEvaluator value, ColumnType type) {
        TypeKind kind = type.kind();
        if (kind != TypeKind.DATE && kind != TypeKind.TIMESTAMP) {
            throw impossible(ScalarFunction.EXTRACT_YEAR, type);
        }
        return frame -> {
            long x = value.evaluate(frame);
            if (frame.isNull) {
                return 0;
            }
            if (InfiniteTime.is(x, kind)) {
                return x > 0 ? Double.POSITIVE_INFINITY : Double.NEGATIVE_INFINITY;
            }
            return LocalDate.ofEpochDay(kind == TypeKind.DATE ? x : Temporals.dayOf(x))
                    .getYear();
        };
    }

    static LongEvaluator addMonths(LongEvaluator value, ColumnType type, LongEvaluator months, ColumnType result) {
        boolean isDate = type.kind() == TypeKind.DATE;
        if (!isDate && type.kind() != TypeKind.TIMESTAMP) {
            throw new FulmarException(
                    ErrorCode.TYPE_MISMATCH, "a " + type + " has no months; CAST it to DATE or TIMESTAMP first");
        }
        return frame -> {
            long x = value.evaluate(frame);
            if (frame.isNull) {
                return 0;
            }
            long count = months.evaluate(frame);
            if (frame.isNull) {
                return 0;
            }
            if (InfiniteTime.is(x, type.kind())) {
                return x;
            }
            if (Math.abs(count) > MOST_MONTHS) {
                throw ValueRange.outOfRange(count + " months", result);
            }
            return Temporals.checked(
                    isDate
                            ? plusMonths(x, count)
                            : plusMonths(Temporals.dayOf(x), count) * Temporals.MICROS_PER_DAY + Temporals.timeOf(x),
                    result.kind());
        };
    }

    private static long plusMonths(long day, long count) {
        return LocalDate.ofEpochDay(day).plusMonths(count).toEpochDay();
    }

    /** Of timestamps; a part of a month does not count. */
    static LongEvaluator monthsBetween(LongEvaluator later, LongEvaluator earlier) {
        return frame -> {
            long to = later.evaluate(frame);
            if (frame.isNull) {
                return 0;
            }
            long from = earlier.evaluate(frame);
            if (frame.isNull) {
                return 0;
            }
            if (InfiniteTime.isMoment(to) || InfiniteTime.isMoment(from)) {
                throw Temporals.infinite("count the months to infinity");
            }
            return ChronoUnit.MONTHS.between(Temporals.dateTime(from), Temporals.dateTime(to));
        };
    }

    static LongEvaluator lastDay(LongEvaluator timestamp) {
        return apply(timestamp, micros -> {
            long finite = Temporals.finite(micros, TypeKind.TIMESTAMP, "tell the last day of infinity's month");
            LocalDate day = LocalDate.ofEpochDay(Temporals.dayOf(finite));
            return day.withDayOfMonth(day.lengthOfMonth()).toEpochDay();
        });
    }

    private static LongEvaluator apply(LongEvaluator value, LongUnaryOperator operator) {
        return frame -> {
            long x = value.evaluate(frame);
            return frame.isNull ? 0 : operator.applyAsLong(x);
        };
    }

    private static FulmarException impossible(ScalarFunction function, ColumnType type) {
        String field = function.name().substring("EXTRACT_".length());
        return new FulmarException(
                ErrorCode.NOT_SUPPORTED, "a " + type + " has no " + field + "; CAST it to TIMESTAMP first");
    }

    static boolean isCurrent(ScalarFunction function) {
        return function == ScalarFunction.CURRENT_TIMESTAMP
                || function == ScalarFunction.CURRENT_DATE
                || function == ScalarFunction.CURRENT_TIME;
    }

    static boolean takes(ColumnType type) {
        return type.kind() == TypeKind.DATE
                || type.kind() == TypeKind.TIME
                || type.kind() == TypeKind.TIMESTAMP
                || type.kind() == TypeKind.TIMESTAMP_TZ;
    }
}
