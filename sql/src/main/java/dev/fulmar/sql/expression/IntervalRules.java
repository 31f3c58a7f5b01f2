package dev.fulmar.sql.expression;

import dev.fulmar.engine.plan.Expression;
import dev.fulmar.engine.plan.ScalarFunction;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.IntervalShape;
import dev.fulmar.foundation.data.IntervalStyle;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.sql.calcite.TypeMapping;
import dev.fulmar.sql.text.StatementZone;
import java.util.List;

/** The operations and conversions that intervals have; others are refused. */
final class IntervalRules {
    private static final ColumnType INTERVAL = IntervalShape.ANY.type();

    private IntervalRules() {}

    private static boolean isInterval(Expression expression) {
        return expression.type().kind() == TypeKind.INTERVAL;
    }

    /** Refuses a CAST of an interval to what is neither text nor a time of day, nor an interval. */
    static void checkCast(ColumnType from, ColumnType to) {
        boolean isPossible = switch (to.kind()) {
            case INTERVAL, TIME, CHAR, VARCHAR -> true;
            default -> false;
        };
        if (from.kind() == TypeKind.INTERVAL && !isPossible) {
            throw new FulmarException(
                    ErrorCode.TYPE_MISMATCH,
                    "a " + from + " cannot be CAST to " + to + "; EXTRACT(EPOCH FROM interval) yields its seconds");
        }
    }

    /** CAST to an interval as a statement writes it. */
    static Expression explicit(Expression value, ColumnType type) {
        TypeKind kind = value.type().kind();
        boolean isNull = value instanceof Expression.Literal literal && literal.value() == null;
        if (!isNull && kind != TypeKind.INTERVAL && kind != TypeKind.TIME && !kind.isCharacter()) {
            throw new FulmarException(
                    ErrorCode.TYPE_MISMATCH,
                    "a " + value.type() + " cannot be CAST to " + type + "; multiply INTERVAL '1 day' by a number");
        }
        return converted(value, type);
    }

    private static Expression converted(Expression value, ColumnType type) {
        if (value.type().equals(type)) {
            return value;
        }
        if (value instanceof Expression.Literal literal && value.type().kind() != TypeKind.TIME) {
            return LiteralConversion.convert(literal, type)
                    .orElseThrow(() -> new FulmarException(
                            ErrorCode.TYPE_MISMATCH, "a " + literal.type() + " is no " + type + "; write '1 day'"));
        }
        return new Expression.Call(ScalarFunction.CAST, List.of(value), type, value.nullable());
    }

    /** An interval, a time of day or a literal as an interval of the type that is wanted. */
    static Expression interval(Expression value, ColumnType type) {
        boolean isOpen = value instanceof Expression.Literal || value instanceof Expression.Parameter;
        boolean fits = isOpen || isInterval(value) || value.type().kind() == TypeKind.TIME;
        if (!fits) {
            throw new FulmarException(
                    ErrorCode.TYPE_MISMATCH, "a " + value.type() + " stands where an INTERVAL is expected; CAST it");
        }
        return converted(value, type);
    }

    /** The operands of a comparison, where a literal beside an interval becomes one. */
    static List<Expression> comparable(List<Expression> operands) {
        if (operands.stream().noneMatch(IntervalRules::isInterval)) {
            return operands;
        }
        for (Expression operand : operands) {
            boolean isAlike = operand instanceof Expression.Literal
                    || operand instanceof Expression.Parameter
                    || isInterval(operand);
            if (!isAlike) {
                throw new FulmarException(
                        ErrorCode.UNDEFINED_OPERATION,
                        "a " + operand.type() + " does not compare with an INTERVAL; CAST one of them");
            }
        }
        return operands.stream()
                .map(operand -> isInterval(operand) ? operand : converted(operand, INTERVAL))
                .toList();
    }

    /** The call, unless it is a function of texts to which an interval is given. */
    static Expression checked(Expression expression) {
        return TakenTypes.isBesideText(expression)
                ? inStyle(expression)
                : TakenTypes.checked(
                        expression,
                        IntervalRules::isInterval,
                        IntervalRules::takesIntervals,
                        "does not take intervals; CAST yields their text");
    }

    /** The call, where an interval beside a text has the style of the statement. */
    private static Expression inStyle(Expression expression) {
        if (StatementZone.intervalStyle() == IntervalStyle.POSTGRES || !(expression instanceof Expression.Call call)) {
            return expression;
        }
        List<Expression> arguments = call.arguments().stream()
                .map(argument -> isInterval(argument)
                        ? Conversion.cast(argument, ColumnType.varchar(TypeMapping.MAX_LENGTH))
                        : argument)
                .toList();
        return new Expression.Call(call.function(), arguments, call.type(), call.nullable());
    }

    private static boolean takesIntervals(ScalarFunction function) {
        return switch (function) {
            case GREATEST,
                    LEAST,
                    GREATEST_KNOWN,
                    LEAST_KNOWN,
                    CONCAT_KNOWN,
                    TO_JSON,
                    DATE_TRUNC,
                    DATE_BIN,
                    INTERVAL_TEXT,
                    EXTRACT_YEAR,
                    EXTRACT_QUARTER,
                    EXTRACT_MONTH,
                    EXTRACT_DAY,
                    EXTRACT_HOUR,
                    EXTRACT_MINUTE,
                    EXTRACT_SECOND,
                    EXTRACT_MICROSECOND,
                    INTERVAL_PLUS,
                    INTERVAL_MINUS,
                    INTERVAL_NEGATE,
                    INTERVAL_TIMES,
                    INTERVAL_DIVIDE,
                    INTERVAL_AFTER,
                    INTERVAL_BEFORE,
                    INTERVAL_EPOCH,
                    JUSTIFY_HOURS,
                    JUSTIFY_DAYS,
                    JUSTIFY_INTERVAL -> true;
            default -> false;
        };
    }
}
