package dev.fulmar.sql.planner;

import dev.fulmar.engine.plan.Expression;
import dev.fulmar.engine.plan.Relation;
import dev.fulmar.engine.plan.ScalarFunction;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.sql.calcite.TypeMapping;
import dev.fulmar.sql.expression.Conversion;
import dev.fulmar.sql.expression.ExpressionConverter;
import dev.fulmar.sql.expression.Expressions;
import dev.fulmar.sql.text.SqlErrors;
import java.math.BigDecimal;
import java.util.List;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexWindow;
import org.apache.calcite.rex.RexWindowBound;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;

/**
 * Frames of {@code RANGE n PRECEDING | FOLLOWING}, whose ends are values: what the rows are ordered by, and n less or
 * more. Both have one type, in which a sum of a key and a number overflows for dates and wide DECIMALs only.
 */
final class RangeFrames {
    private final ExpressionConverter converter;
    private final RexBuilder rexBuilder;
    private final Relation.SortKey order;
    private final RexNode key;
    private final ColumnType type;

    private RangeFrames(
            ExpressionConverter converter,
            RexBuilder rexBuilder,
            Relation.SortKey order,
            RexNode key,
            ColumnType type) {
        this.converter = converter;
        this.rexBuilder = rexBuilder;
        this.order = order;
        this.key = key;
        this.type = type;
    }

    /** Whether an end of the window's frame is a value. */
    static boolean isOne(RexWindow window) {
        return !window.isRows() && (isValue(window.getLowerBound()) || isValue(window.getUpperBound()));
    }

    private static boolean isValue(RexWindowBound bound) {
        return !bound.isUnbounded() && !bound.isCurrentRow();
    }

    static Relation.WindowFrame of(
            RexWindow window,
            List<Relation.SortKey> order,
            Relation.Exclusion exclusion,
            ExpressionConverter converter,
            RexBuilder rexBuilder) {
        if (order.size() != 1) {
            throw SqlErrors.notSupported("a frame of RANGE n PRECEDING or FOLLOWING needs an ORDER BY of one value");
        }
        RexNode key = window.orderKeys.getFirst().left;
        ColumnType type = type(window, order.getFirst().value().type());
        RangeFrames frames = new RangeFrames(converter, rexBuilder, order.getFirst(), key, type);
        return new Relation.WindowFrame(
                true,
                frames.end(window.getLowerBound()),
                frames.end(window.getUpperBound()),
                exclusion,
                new Relation.SortKey(
                        Conversion.cast(order.getFirst().value(), type),
                        order.getFirst().descending(),
                        order.getFirst().nullsFirst()));
    }

    private static ColumnType type(RexWindow window, ColumnType key) {
        return switch (key.kind()) {
            case TINYINT, SMALLINT, INTEGER, BIGINT, DECIMAL ->
                ColumnType.decimal(
                        ColumnType.MAX_DECIMAL_DIGITS,
                        Math.max(
                                key.kind() == TypeKind.DECIMAL ? key.scale() : 0,
                                Math.max(scale(window.getLowerBound()), scale(window.getUpperBound()))));
            case REAL, DOUBLE -> ColumnType.of(TypeKind.DOUBLE);
            case DATE, TIMESTAMP -> ColumnType.of(TypeKind.TIMESTAMP);
            case TIMESTAMP_TZ -> key;
            case NUMERIC -> ColumnType.of(TypeKind.NUMERIC);
            case BOOLEAN, TIME, UUID, CHAR, VARCHAR, VARBINARY, JSON, JSONB, INTERVAL, ARRAY, ENUM ->
                throw SqlErrors.notSupported("RANGE n PRECEDING or FOLLOWING is for rows that are ordered by a number,"
                        + " a date or a timestamp, not by " + key);
        };
    }

    private static int scale(RexWindowBound bound) {
        return bound.getOffset() instanceof RexLiteral literal
                        && SqlTypeUtil.isExactNumeric(literal.getType())
                        && literal.getValueAs(BigDecimal.class) instanceof BigDecimal value
                ? Math.max(0, value.scale())
                : 0;
    }

    private Relation.FrameEnd end(RexWindowBound bound) {
        if (!isValue(bound)) {
            return new Relation.FrameEnd(bound.isUnbounded(), 0);
        }
        if (!(bound.getOffset() instanceof RexLiteral distance)
                || !(distance.getValueAs(BigDecimal.class) instanceof BigDecimal value)) {
            throw SqlErrors.notSupported("the distance of a frame of RANGE is a literal: a number, or an INTERVAL");
        }
        if (value.signum() < 0) {
            throw new FulmarException(
                    ErrorCode.VALUE_OUT_OF_RANGE, "the distance of a frame is not negative; FOLLOWING goes forward");
        }
        boolean isLess = bound.isPreceding() != order.descending();
        Expression limit =
                SqlTypeUtil.isInterval(distance.getType()) ? ofMoment(distance, isLess) : ofNumber(value, isLess);
        return new Relation.FrameEnd(false, bound.isPreceding() ? -1 : 1, limit);
    }

    private Expression ofNumber(BigDecimal distance, boolean isLess) {
        Object value = switch (type.kind()) {
            case DECIMAL -> distance.setScale(type.scale());
            case NUMERIC -> distance;
            default -> distance.doubleValue();
        };
        Expression key = Conversion.cast(order.value(), type);
        return Expressions.strict(
                isLess ? ScalarFunction.MINUS : ScalarFunction.PLUS, type, key, new Expression.Literal(type, value));
    }

    private Expression ofMoment(RexLiteral distance, boolean isLess) {
        RelDataType moment = rexBuilder
                .getTypeFactory()
                .createTypeWithNullability(TypeMapping.relDataType(rexBuilder.getTypeFactory(), type, true), true);
        RexNode from = key.getType().getSqlTypeName() == SqlTypeName.DATE ? rexBuilder.makeCast(moment, key) : key;
        return converter.convert(rexBuilder.makeCall(
                moment,
                isLess ? SqlStdOperatorTable.MINUS_DATE : SqlStdOperatorTable.DATETIME_PLUS,
                List.of(from, distance)));
    }
}
