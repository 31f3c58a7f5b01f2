package dev.fulmar.engine.execution.expression;

import dev.fulmar.engine.execution.value.IntervalArithmetic;
import dev.fulmar.engine.execution.value.NativeText;
import dev.fulmar.engine.execution.value.Temporals;
import dev.fulmar.engine.execution.value.ValueRange;
import dev.fulmar.engine.plan.ScalarFunction;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.InfiniteTime;
import dev.fulmar.foundation.data.Interval;
import dev.fulmar.foundation.data.IntervalShape;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.foundation.data.ZonedTime;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Evaluators of sums, products and differences with intervals, of their fields, and of CASTs to them. */
final class IntervalEvaluators {
    /** The years that PostgreSQL has on the way to a result. */
    private static final int FIRST_YEAR = -4_713;

    private static final int LAST_YEAR = 294_276;

    private IntervalEvaluators() {}

    /** Whether it is arithmetic of intervals. */
    static boolean haveOne(ScalarFunction function) {
        return switch (function) {
            case INTERVAL_PLUS,
                    INTERVAL_MINUS,
                    INTERVAL_NEGATE,
                    INTERVAL_TIMES,
                    INTERVAL_DIVIDE,
                    INTERVAL_BETWEEN,
                    INTERVAL_AFTER,
                    INTERVAL_BEFORE -> true;
            default -> false;
        };
    }

    /** @param zone of an instant that is moved; null for none */
    static Evaluator compile(
            ScalarFunction function,
            List<Evaluator> arguments,
            ColumnType first,
            ColumnType type,
            Zones.@Nullable Zone zone) {
        Evaluator left = arguments.getFirst();
        return switch (function) {
            case INTERVAL_NEGATE -> negated(interval(left));
            case INTERVAL_PLUS, INTERVAL_MINUS ->
                sum(interval(left), interval(arguments.get(1)), function == ScalarFunction.INTERVAL_MINUS);
            case INTERVAL_TIMES, INTERVAL_DIVIDE ->
                scaled(interval(left), number(arguments.get(1)), function == ScalarFunction.INTERVAL_DIVIDE);
            case INTERVAL_BETWEEN -> between(moment(left), moment(arguments.get(1)), first.kind());
            case INTERVAL_AFTER, INTERVAL_BEFORE ->
                moved(moment(left), interval(arguments.get(1)), type, zone, function == ScalarFunction.INTERVAL_BEFORE);
            default -> throw Invariants.breach(function + " is of intervals");
        };
    }

    private static WideEvaluator interval(Evaluator value) {
        if (value instanceof WideEvaluator interval) {
            return interval;
        }
        throw wrongType("an interval");
    }

    private static LongEvaluator moment(Evaluator value) {
        if (value instanceof LongEvaluator moment) {
            return moment;
        }
        throw wrongType("a date or time");
    }

    private static DoubleEvaluator number(Evaluator value) {
        if (value instanceof DoubleEvaluator number) {
            return number;
        }
        throw wrongType("a number");
    }

    private static FulmarException wrongType(String wanted) {
        return new FulmarException(
                ErrorCode.TYPE_MISMATCH, "arithmetic of intervals takes " + wanted + " here; CAST the value");
    }

    private static WideEvaluator negated(WideEvaluator interval) {
        return frame -> {
            interval.evaluate(frame);
            if (!frame.isNull) {
                IntervalArithmetic.negate(frame.wide);
            }
        };
    }

    private static WideEvaluator sum(WideEvaluator left, WideEvaluator right, boolean isDifference) {
        return frame -> {
            left.evaluate(frame);
            if (frame.isNull) {
                return;
            }
            long high = frame.wide.high();
            long low = frame.wide.low();
            right.evaluate(frame);
            if (frame.isNull) {
                return;
            }
            if (isDifference) {
                long otherHigh = frame.wide.high();
                long otherLow = frame.wide.low();
                frame.wide.set(high, low);
                IntervalArithmetic.subtract(frame.wide, otherHigh, otherLow);
            } else {
                IntervalArithmetic.add(frame.wide, high, low);
            }
        };
    }

    private static WideEvaluator scaled(WideEvaluator interval, DoubleEvaluator number, boolean isQuotient) {
        return frame -> {
            double factor = number.evaluate(frame);
            if (frame.isNull) {
                return;
            }
            interval.evaluate(frame);
            if (frame.isNull) {
                return;
            }
            if (isQuotient) {
                IntervalArithmetic.divide(frame.wide, factor);
            } else {
                IntervalArithmetic.multiply(frame.wide, factor);
            }
        };
    }

    /** Whole days and the rest, of the same sign; between times of day there is the rest alone. */
    private static WideEvaluator between(LongEvaluator to, LongEvaluator from, TypeKind kind) {
        boolean isOfDay = kind == TypeKind.TIME;
        return frame -> {
            long later = to.evaluate(frame);
            if (frame.isNull) {
                return;
            }
            long earlier = from.evaluate(frame);
            if (!frame.isNull) {
                if (InfiniteTime.is(later, kind) || InfiniteTime.is(earlier, kind)) {
                    throw Temporals.infinite("subtract infinite timestamps");
                }
                long micros = later - earlier; // of 9,999 years
                int days = isOfDay ? 0 : (int) (micros / Temporals.MICROS_PER_DAY);
                frame.wide.set(Interval.high(0, days), isOfDay ? micros : micros % Temporals.MICROS_PER_DAY);
            }
        };
    }

    private static LongEvaluator moved(
            LongEvaluator moment,
            WideEvaluator interval,
            ColumnType type,
            Zones.@Nullable Zone zone,
            boolean isBackwards) {
        boolean isOfDay = type.kind() == TypeKind.TIME;
        return frame -> {
            long micros = moment.evaluate(frame);
            if (frame.isNull) {
                return 0;
            }
            ZoneId place = zone == null ? ZoneOffset.UTC : zone.of(frame);
            if (frame.isNull) {
                return 0;
            }
            interval.evaluate(frame);
            if (frame.isNull) {
                return 0;
            }
            if (InfiniteTime.is(micros, type.kind())) {
                return micros;
            }
            long high = frame.wide.high();
            long low = frame.wide.low();
            if (isBackwards) {
                // As in PostgreSQL, the least number stays what it is.
                high = Interval.high(-Interval.months(high), -Interval.days(high));
                low = -low;
            }
            return isOfDay
                    ? Math.floorMod(micros + low % Temporals.MICROS_PER_DAY, Temporals.MICROS_PER_DAY)
                    : moved(micros, high, low, place, type);
        };
    }

    /** Months first, then days, both as clocks of the zone show them, then the rest. */
    private static long moved(long from, long high, long low, ZoneId zone, ColumnType type) {
        long micros = from;
        int months = Interval.months(high);
        int days = Interval.days(high);
        if (months != 0) {
            micros = ZonedTime.instant(withMonths(ZonedTime.local(micros, zone), months, type), zone);
        }
        if (days != 0) {
            micros = ZonedTime.instant(withDays(ZonedTime.local(micros, zone), days, type), zone);
        }
        try {
            return Temporals.checked(Math.addExact(micros, low), type.kind());
        } catch (ArithmeticException tooFar) {
            throw ValueRange.outOfRange("a sum of " + low + " microseconds", type);
        }
    }

    private static long withMonths(long local, int months, ColumnType type) {
        LocalDate day = LocalDate.ofEpochDay(Temporals.dayOf(local)).plusMonths(months);
        return at(day, local, type);
    }

    private static long withDays(long local, int days, ColumnType type) {
        LocalDate day = LocalDate.ofEpochDay(Temporals.dayOf(local)).plusDays(days);
        return at(day, local, type);
    }

    private static long at(LocalDate day, long local, ColumnType type) {
        if (day.getYear() < FIRST_YEAR || day.getYear() > LAST_YEAR) {
            throw ValueRange.outOfRange(day.toString(), type);
        }
        return day.toEpochDay() * Temporals.MICROS_PER_DAY + Temporals.timeOf(local);
    }

    /** A field of an interval. Its weeks and days of the week are not known. */
    static LongEvaluator extract(ScalarFunction function, Evaluator value) {
        WideEvaluator interval = interval(value);
        Field field = switch (function) {
            case EXTRACT_YEAR -> (months, days, micros) -> months / Interval.MONTHS_PER_YEAR;
            case EXTRACT_QUARTER -> (months, days, micros) -> months % Interval.MONTHS_PER_YEAR / 3 + 1;
            case EXTRACT_MONTH -> (months, days, micros) -> months % Interval.MONTHS_PER_YEAR;
            case EXTRACT_DAY -> (months, days, micros) -> days;
            case EXTRACT_HOUR -> (months, days, micros) -> micros / Interval.MICROS_PER_HOUR;
            case EXTRACT_MINUTE ->
                (months, days, micros) -> micros % Interval.MICROS_PER_HOUR / Interval.MICROS_PER_MINUTE;
            case EXTRACT_SECOND ->
                (months, days, micros) -> micros % Interval.MICROS_PER_MINUTE / Interval.MICROS_PER_SECOND;
            case EXTRACT_MICROSECOND -> (months, days, micros) -> micros % Interval.MICROS_PER_MINUTE;
            default ->
                throw new FulmarException(
                        ErrorCode.NOT_SUPPORTED,
                        "an interval has no "
                                + function.name().substring("EXTRACT_".length()).replace('_', ' ')
                                + "; extract its days");
        };
        return frame -> {
            interval.evaluate(frame);
            if (frame.isNull) {
                return 0;
            }
            long high = frame.wide.high();
            return field.of(Interval.months(high), Interval.days(high), frame.wide.low());
        };
    }

    /** CAST to an interval: of a text, of a time of day, or of an interval that keeps more. */
    static WideEvaluator cast(Evaluator value, ColumnType from, ColumnType to) {
        IntervalShape shape = IntervalShape.of(to);
        if (value instanceof BytesEvaluator text && from.kind().isCharacter()) {
            return frame -> {
                text.evaluate(frame);
                if (!frame.isNull) {
                    // A number without a unit is of the type's last field in literals only, as in PostgreSQL.
                    set(frame, shape.fitted(Interval.parse(NativeText.decode(frame.bytesAddress, frame.bytesLength))));
                }
            };
        }
        if (value instanceof LongEvaluator time && from.kind() == TypeKind.TIME) {
            return frame -> {
                long micros = time.evaluate(frame);
                if (!frame.isNull) {
                    set(frame, shape.fitted(new Interval(0, 0, micros)));
                }
            };
        }
        if (!(value instanceof WideEvaluator interval) || from.kind() != TypeKind.INTERVAL) {
            throw Casts.impossible(from, to);
        }
        return shape.equals(IntervalShape.ANY) || from.equals(to)
                ? interval
                : frame -> {
                    interval.evaluate(frame);
                    if (!frame.isNull) {
                        set(frame, shape.fitted(Interval.ofBits(frame.wide.high(), frame.wide.low())));
                    }
                };
    }

    private static void set(Frame frame, Interval interval) {
        frame.wide.set(interval.high(), interval.low());
    }

    @FunctionalInterface
    private interface Field {
        long of(int months, int days, long micros);
    }
}
