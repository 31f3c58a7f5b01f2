package dev.fulmar.sql.expression;

import dev.fulmar.engine.plan.Expression;
import dev.fulmar.engine.plan.ScalarFunction;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.Interval;
import dev.fulmar.foundation.data.IntervalShape;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.foundation.data.ZonedTime;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.sql.calcite.IntervalFunction;
import dev.fulmar.sql.calcite.TypeMapping;
import dev.fulmar.sql.text.SqlErrors;
import dev.fulmar.sql.text.StatementZone;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Calls of functions and operators of intervals. Instants have days in the time zone of the statement. */
final class IntervalCalls {
    private static final ColumnType INTERVAL = IntervalShape.ANY.type();
    private static final ColumnType DATE = ColumnType.of(TypeKind.DATE);
    private static final ColumnType TIMESTAMP = ColumnType.of(TypeKind.TIMESTAMP);
    private static final ColumnType INSTANT = ColumnType.of(TypeKind.TIMESTAMP_TZ);
    private static final ColumnType DOUBLE = ColumnType.of(TypeKind.DOUBLE);
    private static final ColumnType TEXT = ColumnType.varchar(TypeMapping.MAX_LENGTH);

    /** Arguments of MAKE_INTERVAL. */
    private static final int PARTS = 7;

    private IntervalCalls() {}

    /** @param operands as they are written, one for each argument */
    static Expression of(IntervalFunction function, List<Expression> operands, ColumnType type) {
        if (function.function() == ScalarFunction.CAST) {
            return IntervalRules.explicit(operands.getFirst(), type);
        }
        List<Expression> arguments = new ArrayList<>();
        for (int i = 0; i < operands.size(); i++) {
            arguments.add(argument(function, i, operands.get(i)));
        }
        return switch (function.function()) {
            case INTERVAL_BETWEEN -> call(ScalarFunction.INTERVAL_BETWEEN, moments(arguments), INTERVAL);
            case INTERVAL_AFTER, INTERVAL_BEFORE -> moved(function.function(), arguments, type);
            case MINUS -> days(arguments, type);
            case EXTRACT_DAY -> field(arguments, type);
            case AGE -> age(arguments);
            case DATE_BIN ->
                call(
                        ScalarFunction.DATE_BIN,
                        List.of(
                                arguments.getFirst(),
                                Conversion.cast(arguments.get(1), type),
                                Conversion.cast(arguments.get(2), type)),
                        type);
            case MAKE_INTERVAL -> call(ScalarFunction.MAKE_INTERVAL, withZeros(arguments), INTERVAL);
            default -> call(function.function(), arguments, type);
        };
    }

    private static Expression argument(IntervalFunction function, int place, Expression operand) {
        return switch (function.letter(place)) {
            case 'I' ->
                IntervalRules.interval(operand, operand.type().kind() == TypeKind.INTERVAL ? operand.type() : INTERVAL);
            case 'N' -> Conversion.cast(operand, DOUBLE);
            case 'W' -> Conversion.cast(operand, Expressions.BIGINT);
            case 'T' -> operand.type().kind().isCharacter() ? operand : Conversion.cast(operand, TEXT);
            default -> operand;
        };
    }

    private static Expression call(ScalarFunction function, List<Expression> arguments, ColumnType type) {
        return new Expression.Call(function, arguments, type, true);
    }

    private static Expression days(List<Expression> dates, ColumnType type) {
        List<Expression> numbers = dates.stream()
                .map(date -> Conversion.cast(date, Expressions.BIGINT))
                .toList();
        return Conversion.cast(call(ScalarFunction.MINUS, numbers, Expressions.BIGINT), type);
    }

    /** Moments in one type: instants if one is, times of day if all are, else timestamps. */
    private static List<Expression> moments(List<Expression> written) {
        boolean areTimes = written.stream().allMatch(moment -> moment.type().kind() == TypeKind.TIME);
        if (areTimes) {
            return written;
        }
        if (written.stream().anyMatch(moment -> moment.type().kind() == TypeKind.TIME)) {
            throw new FulmarException(
                    ErrorCode.UNDEFINED_OPERATION, "a TIME and a day have no difference; CAST the other one to TIME");
        }
        boolean areInstants = written.stream().anyMatch(moment -> moment.type().kind() == TypeKind.TIMESTAMP_TZ);
        return written.stream()
                .map(moment -> Conversion.cast(moment, areInstants ? INSTANT : TIMESTAMP))
                .toList();
    }

    private static Expression zone() {
        String name = ZonedTime.name(StatementZone.current());
        return new Expression.Literal(ColumnType.varchar(name.length()), name);
    }

    private static Expression moved(ScalarFunction function, List<Expression> arguments, ColumnType type) {
        Expression moment = arguments.getFirst();
        Expression interval = arguments.get(1);
        if (moment.type().kind() == TypeKind.DATE
                && interval instanceof Expression.Literal literal
                && literal.value() instanceof Interval known
                && known.micros() == 0
                && (known.months() == 0 || known.days() == 0)) {
            return Conversion.cast(ofDate(function, moment, known), type);
        }
        List<Expression> all = new ArrayList<>(List.of(Conversion.cast(moment, type), interval));
        if (type.kind() == TypeKind.TIMESTAMP_TZ) {
            all.add(zone());
        }
        return call(function, all, type);
    }

    /** A date so many months or days later or earlier, which indexes of dates know. */
    private static Expression ofDate(ScalarFunction function, Expression date, Interval interval) {
        boolean isBackwards = function == ScalarFunction.INTERVAL_BEFORE;
        long months = isBackwards ? -(long) interval.months() : interval.months();
        long days = isBackwards ? -(long) interval.days() : interval.days();
        return months == 0
                ? Expressions.strict(ScalarFunction.PLUS, DATE, date, new Expression.Literal(Expressions.BIGINT, days))
                : Expressions.strict(
                        ScalarFunction.ADD_MONTHS, DATE, date, new Expression.Literal(Expressions.BIGINT, months));
    }

    static Expression field(List<Expression> arguments, ColumnType type) {
        String unit =
                arguments.getFirst() instanceof Expression.Literal literal && literal.value() instanceof String name
                        ? name
                        : "";
        Expression interval = arguments.get(1);
        return switch (unit.toUpperCase(Locale.ROOT)) {
            case "YEAR" -> call(ScalarFunction.EXTRACT_YEAR, List.of(interval), type);
            case "QUARTER" -> call(ScalarFunction.EXTRACT_QUARTER, List.of(interval), type);
            case "MONTH" -> call(ScalarFunction.EXTRACT_MONTH, List.of(interval), type);
            case "DAY" -> call(ScalarFunction.EXTRACT_DAY, List.of(interval), type);
            case "HOUR" -> call(ScalarFunction.EXTRACT_HOUR, List.of(interval), type);
            case "MINUTE" -> call(ScalarFunction.EXTRACT_MINUTE, List.of(interval), type);
            case "SECOND" -> call(ScalarFunction.EXTRACT_SECOND, List.of(interval), type);
            case "MICROSECOND" -> call(ScalarFunction.EXTRACT_MICROSECOND, List.of(interval), type);
            case "DECADE" -> years(interval, 10, type);
            case "CENTURY" -> years(interval, 100, type);
            case "MILLENNIUM" -> years(interval, 1_000, type);
            case "EPOCH" ->
                Conversion.cast(
                        call(
                                ScalarFunction.TRUNCATE,
                                List.of(call(
                                        ScalarFunction.INTERVAL_EPOCH, List.of(interval), ColumnType.decimal(20, 6))),
                                ColumnType.decimal(20, 6)),
                        type);
            case "WEEK", "DOW", "DOY", "ISODOW", "ISOYEAR", "TIMEZONE", "TIMEZONE_HOUR", "TIMEZONE_MINUTE", "JULIAN" ->
                throw SqlErrors.notSupported("an INTERVAL has no " + unit + "; EXTRACT its days");
            default ->
                throw new FulmarException(
                        ErrorCode.INVALID_ARGUMENT,
                        "there is no field " + unit + " of an INTERVAL; docs/SQL.md lists them");
        };
    }

    private static Expression years(Expression interval, long span, ColumnType type) {
        Expression year = call(ScalarFunction.EXTRACT_YEAR, List.of(interval), type);
        return call(ScalarFunction.DIVIDE, List.of(year, new Expression.Literal(type, span)), type);
    }

    /** The time since a moment is that until the beginning of today. */
    private static Expression age(List<Expression> arguments) {
        List<Expression> all = new ArrayList<>(arguments);
        if (all.size() == 1) {
            Expression now = new Expression.Call(ScalarFunction.CURRENT_TIMESTAMP, List.of(), INSTANT, false);
            all.addFirst(Conversion.cast(now, DATE));
        }
        List<Expression> moments = new ArrayList<>(moments(all));
        if (moments.getFirst().type().kind() == TypeKind.TIME) {
            throw new FulmarException(ErrorCode.UNDEFINED_OPERATION, "AGE takes dates and timestamps, and no times");
        }
        if (moments.getFirst().type().kind() == TypeKind.TIMESTAMP_TZ) {
            moments.add(zone());
        }
        return call(ScalarFunction.AGE, moments, INTERVAL);
    }

    private static List<Expression> withZeros(List<Expression> arguments) {
        List<Expression> all = new ArrayList<>(arguments);
        while (all.size() < PARTS) {
            all.add(
                    all.size() + 1 < PARTS
                            ? new Expression.Literal(Expressions.BIGINT, 0L)
                            : new Expression.Literal(DOUBLE, 0.0));
        }
        return all;
    }
}
