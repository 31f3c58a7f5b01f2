package dev.fulmar.sql.expression;

import dev.fulmar.engine.plan.Expression;
import dev.fulmar.engine.plan.ScalarFunction;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.sql.calcite.TypeMapping;
import dev.fulmar.sql.text.SqlErrors;
import java.math.BigDecimal;
import java.util.List;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;

/**
 * Converts arithmetic with intervals, which exist inside expressions only: as a number of months or of milliseconds.
 */
final class IntervalConverter {
    private static final long MILLIS_PER_DAY = 86_400_000;
    private static final long MICROS_PER_MILLI = 1_000;
    private static final long MICROS_PER_DAY = MILLIS_PER_DAY * MICROS_PER_MILLI;
    private static final ColumnType TIMESTAMP = ColumnType.of(TypeKind.TIMESTAMP);

    private final ExpressionConverter converter;

    IntervalConverter(ExpressionConverter converter) {
        this.converter = converter;
    }

    static boolean isInterval(RexNode node) {
        return SqlTypeUtil.isInterval(node.getType());
    }

    private static boolean isMonths(RelDataType type) {
        return SqlTypeName.YEAR_INTERVAL_TYPES.contains(type.getSqlTypeName());
    }

    /** A date or time plus or minus an interval. */
    Expression moved(RexCall call) {
        RexNode first = call.getOperands().getFirst();
        RexNode second = call.getOperands().get(1);
        boolean intervalFirst = isInterval(first);
        RexNode interval = intervalFirst ? first : second;
        Expression moment = converter.convertExpanded(intervalFirst ? second : first);
        boolean backwards = call.getKind() == SqlKind.MINUS;
        ColumnType type = TypeMapping.columnType(call.getType());
        boolean nullable = call.getType().isNullable();
        Expression amount = amount(interval);
        if (type.kind() == TypeKind.TIMESTAMP_TZ && (isMonths(interval.getType()) || isWholeDays(interval.getType()))) {
            // A day later clocks show the same time, whether the day has 24 hours or not.
            Expression local =
                    movedDays(ZonedConversion.local(Conversion.cast(moment, type)), interval, amount, backwards);
            return Conversion.cast(local, type);
        }
        if (isMonths(interval.getType())) {
            Expression months = backwards ? negated(amount) : amount;
            Expression from = type.kind() == moment.type().kind() ? moment : Conversion.cast(moment, type);
            return new Expression.Call(ScalarFunction.ADD_MONTHS, List.of(from, months), type, nullable);
        }
        ScalarFunction function = backwards ? ScalarFunction.MINUS : ScalarFunction.PLUS;
        if (type.kind() == TypeKind.TIME) {
            return aroundMidnight(function, moment, times(amount, MICROS_PER_MILLI));
        }
        if (type.kind() == TypeKind.DATE && !isWholeDays(interval.getType())) {
            throw SqlErrors.notSupported(
                    "a DATE has no hours, minutes and seconds to add to; CAST it to TIMESTAMP first");
        }
        if (type.kind() == TypeKind.DATE) {
            return new Expression.Call(function, List.of(moment, divided(amount, MILLIS_PER_DAY)), type, nullable);
        }
        Expression from = type.kind() == moment.type().kind() ? moment : Conversion.cast(moment, type);
        return new Expression.Call(function, List.of(from, times(amount, MICROS_PER_MILLI)), type, nullable);
    }

    private static Expression movedDays(Expression local, RexNode interval, Expression amount, boolean backwards) {
        if (isMonths(interval.getType())) {
            Expression months = backwards ? negated(amount) : amount;
            return Expressions.strict(ScalarFunction.ADD_MONTHS, TIMESTAMP, local, months);
        }
        return Expressions.strict(
                backwards ? ScalarFunction.MINUS : ScalarFunction.PLUS,
                TIMESTAMP,
                local,
                times(amount, MICROS_PER_MILLI));
    }

    private static boolean isWholeDays(RelDataType interval) {
        return interval.getSqlTypeName() == SqlTypeName.INTERVAL_DAY;
    }

    /** The hours of a day begin again after its last (ISO 9075-2, 6.35: the result is taken modulo 24 hours). */
    private static Expression aroundMidnight(ScalarFunction function, Expression time, Expression micros) {
        Expression day = literal(MICROS_PER_DAY);
        Expression within = strict(ScalarFunction.MODULO, micros, day);
        Expression moved = strict(function, Conversion.cast(time, Expressions.BIGINT), within);
        Expression positive = strict(ScalarFunction.PLUS, moved, day);
        return Conversion.cast(strict(ScalarFunction.MODULO, positive, day), ColumnType.of(TypeKind.TIME));
    }

    /** The months or milliseconds of an interval. */
    Expression amount(RexNode node) {
        if (node instanceof RexLiteral literal) {
            BigDecimal value = literal.getValueAs(BigDecimal.class);
            return new Expression.Literal(Expressions.BIGINT, value == null ? null : value.longValueExact());
        }
        if (node instanceof RexCall call) {
            return switch (call.getKind()) {
                case TIMES -> product(call);
                case DIVIDE -> quotient(call);
                case MINUS_PREFIX -> negated(amount(call.getOperands().getFirst()));
                case PLUS -> both(ScalarFunction.PLUS, call);
                case MINUS -> difference(call);
                case CAST, REINTERPRET -> cast(call);
                default -> throw refused();
            };
        }
        throw refused();
    }

    private Expression product(RexCall call) {
        RexNode first = call.getOperands().getFirst();
        RexNode second = call.getOperands().get(1);
        return isInterval(first)
                ? strict(ScalarFunction.TIMES, amount(first), whole(second))
                : strict(ScalarFunction.TIMES, whole(first), amount(second));
    }

    private Expression quotient(RexCall call) {
        return strict(
                ScalarFunction.DIVIDE,
                amount(call.getOperands().getFirst()),
                whole(call.getOperands().get(1)));
    }

    private Expression both(ScalarFunction function, RexCall call) {
        return strict(
                function,
                amount(call.getOperands().getFirst()),
                amount(call.getOperands().get(1)));
    }

    /** Of two intervals, or of two dates or times. */
    private Expression difference(RexCall call) {
        if (isInterval(call.getOperands().getFirst())) {
            return both(ScalarFunction.MINUS, call);
        }
        boolean ofInstants =
                !isMonths(call.getType()) && call.getOperands().stream().anyMatch(IntervalConverter::isInstant);
        ColumnType type = ofInstants ? ColumnType.of(TypeKind.TIMESTAMP_TZ) : TIMESTAMP;
        Expression to = moment(call.getOperands().getFirst(), type);
        Expression from = moment(call.getOperands().get(1), type);
        return isMonths(call.getType())
                ? strict(ScalarFunction.MONTHS_BETWEEN, to, from)
                : divided(strict(ScalarFunction.MINUS, to, from), MICROS_PER_MILLI);
    }

    private static boolean isInstant(RexNode node) {
        return node.getType().getSqlTypeName() == SqlTypeName.TIMESTAMP_WITH_LOCAL_TIME_ZONE;
    }

    private Expression moment(RexNode node, ColumnType type) {
        return Conversion.cast(converter.convertExpanded(node), type);
    }

    /** Between intervals of one kind nothing changes; of a number, it counts the interval's units. */
    private Expression cast(RexCall call) {
        RexNode operand = call.getOperands().getFirst();
        if (isInterval(operand)) {
            return amount(operand);
        }
        if (call.getKind() == SqlKind.REINTERPRET) {
            return whole(operand);
        }
        if (!SqlTypeUtil.isNumeric(operand.getType()) || call.getType().getIntervalQualifier() == null) {
            throw refused();
        }
        long unit = call.getType().getIntervalQualifier().getUnit().multiplier.longValue();
        return times(whole(operand), unit);
    }

    private Expression whole(RexNode node) {
        return Conversion.cast(converter.convertExpanded(node), Expressions.BIGINT);
    }

    private static Expression strict(ScalarFunction function, Expression left, Expression right) {
        return ConstantFolding.fold(Expressions.strict(function, Expressions.BIGINT, left, right));
    }

    private static Expression times(Expression amount, long factor) {
        return factor == 1 ? amount : strict(ScalarFunction.TIMES, amount, literal(factor));
    }

    private static Expression divided(Expression amount, long divisor) {
        return amount instanceof Expression.Literal known && known.value() instanceof Long value
                ? literal(value / divisor)
                : strict(ScalarFunction.DIVIDE, amount, literal(divisor));
    }

    private static Expression negated(Expression amount) {
        return strict(ScalarFunction.MINUS, literal(0), amount);
    }

    private static Expression literal(long value) {
        return new Expression.Literal(Expressions.BIGINT, value);
    }

    private static RuntimeException refused() {
        return SqlErrors.notSupported(
                "this interval is not supported; add literals of INTERVAL, or numbers times them, to dates and times");
    }
}
