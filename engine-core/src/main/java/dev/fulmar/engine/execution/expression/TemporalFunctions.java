package dev.fulmar.engine.execution.expression;

import dev.fulmar.engine.execution.value.Temporals;
import dev.fulmar.engine.execution.value.ValueRange;
import dev.fulmar.engine.plan.ScalarFunction;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.data.ColumnType;
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
            case TIMESTAMP -> apply(value, micros -> ofTime.applyAsLong(Temporals.timeOf(micros)));
            case DATE -> apply(value, day -> 0);
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
        return switch (type.kind()) {
            case DATE -> apply(value, ofDay);
            case TIMESTAMP -> apply(value, micros -> ofDay.applyAsLong(Temporals.dayOf(micros)));
            default -> throw impossible(function, type);
        };
    }

    static LongEvaluator addMonths(LongEvaluator value, ColumnType type, LongEvaluator months, ColumnType result) {
        boolean isDate = type.kind() == TypeKind.DATE;
        if (!isDate && type.kind() != TypeKind.TIMESTAMP) {
            throw new FulmarException(
                    ErrorCode.TYPE_MISMATCH, "a " + type + " has no months; CAST it to DATE or TIMESTAMP first");
        }
        return Arithmetic.inRange(
                frame -> {
                    long x = value.evaluate(frame);
                    if (frame.isNull) {
                        return 0;
                    }
                    long count = months.evaluate(frame);
                    if (frame.isNull) {
                        return 0;
                    }
                    if (Math.abs(count) > MOST_MONTHS) {
                        throw ValueRange.outOfRange(count + " months", result);
                    }
                    if (isDate) {
                        return LocalDate.ofEpochDay(x).plusMonths(count).toEpochDay();
                    }
                    LocalDate day = LocalDate.ofEpochDay(Temporals.dayOf(x)).plusMonths(count);
                    return day.toEpochDay() * Temporals.MICROS_PER_DAY + Temporals.timeOf(x);
                },
                result);
    }

    /** Of timestamps; a part of a month does not count. */
    static LongEvaluator monthsBetween(LongEvaluator later, LongEvaluator earlier) {
        return frame -> {
            long to = later.evaluate(frame);
            if (frame.isNull) {
                return 0;
            }
            long from = earlier.evaluate(frame);
            return frame.isNull ? 0 : ChronoUnit.MONTHS.between(Temporals.dateTime(from), Temporals.dateTime(to));
        };
    }

    static LongEvaluator lastDay(LongEvaluator timestamp) {
        return apply(timestamp, micros -> {
            LocalDate day = LocalDate.ofEpochDay(Temporals.dayOf(micros));
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
