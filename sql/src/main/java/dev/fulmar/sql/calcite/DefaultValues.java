package dev.fulmar.sql.calcite;

import dev.fulmar.engine.plan.Expression;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.TypeKind;
import java.math.BigDecimal;
import org.apache.calcite.avatica.util.ByteString;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.util.DateString;
import org.apache.calcite.util.NlsString;
import org.apache.calcite.util.TimeString;
import org.apache.calcite.util.TimestampString;

/** Turns a column's default, which the catalog keeps in our form, into Calcite's. */
final class DefaultValues {
    private static final long MICROS_PER_SECOND = 1_000_000;
    private static final int NANOS_PER_MICRO = 1_000;

    private final RexBuilder rexBuilder;

    DefaultValues(RexBuilder rexBuilder) {
        this.rexBuilder = rexBuilder;
    }

    RexNode rex(Expression expression, RelDataType type) {
        return switch (expression) {
            case Expression.Literal literal -> literal(literal, type);
            case Expression.Call call -> call(call, type);
            case Expression.ColumnReference reference -> throw notConstant(reference);
            case Expression.OuterReference outer -> throw notConstant(outer);
            case Expression.Parameter parameter -> throw notConstant(parameter);
        };
    }

    private static RuntimeException notConstant(Expression expression) {
        return Invariants.breach("a default is constant, not " + expression);
    }

    private RexNode call(Expression.Call call, RelDataType type) {
        RexNode value = switch (call.function()) {
            case CURRENT_TIMESTAMP -> rexBuilder.makeCall(DialectFunctions.NOW);
            case CURRENT_DATE -> rexBuilder.makeCall(SqlStdOperatorTable.CURRENT_DATE);
            case CURRENT_TIME -> rexBuilder.makeCall(SqlStdOperatorTable.LOCALTIME);
            case CAST -> rex(call.arguments().getFirst(), type);
            default -> throw notConstant(call);
        };
        return rexBuilder.makeCast(type, value, true, false);
    }

    private RexNode literal(Expression.Literal literal, RelDataType type) {
        Object value = literal.value();
        if (value == null) {
            return rexBuilder.makeNullLiteral(type);
        }
        Object known = switch (value) {
            case Long number -> ofLong(number, literal.type());
            case String text -> new NlsString(text, null, null);
            case byte[] bytes -> new ByteString(bytes);
            default -> value;
        };
        return rexBuilder.makeLiteral(known, type, true, true);
    }

    private static Object ofLong(long number, ColumnType type) {
        if (type.kind() == TypeKind.DATE) {
            return DateString.fromDaysSinceEpoch(Math.toIntExact(number));
        }
        if (type.kind() == TypeKind.TIME) {
            return TimeString.fromMillisOfDay(Math.toIntExact(number / MICROS_PER_SECOND) * 1_000)
                    .withNanos(Math.toIntExact(number % MICROS_PER_SECOND) * NANOS_PER_MICRO);
        }
        if (type.kind() == TypeKind.TIMESTAMP) {
            return TimestampString.fromMillisSinceEpoch(Math.floorDiv(number, MICROS_PER_SECOND) * 1_000)
                    .withNanos(Math.toIntExact(Math.floorMod(number, MICROS_PER_SECOND)) * NANOS_PER_MICRO);
        }
        return BigDecimal.valueOf(number);
    }
}
