package dev.fulmar.sql.expression;

import dev.fulmar.engine.plan.Expression;
import dev.fulmar.engine.plan.ScalarFunction;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.sql.calcite.TypeMapping;
import java.util.List;
import org.apache.calcite.rex.RexCall;

/**
 * LEFT and RIGHT, as parts of the text. A negative count of PostgreSQL's clients leaves characters out at the other
 * end. In statements of others that of LEFT is an error, and that of RIGHT takes nothing.
 */
final class TextEnds {
    private static final ColumnType BIGINT = Expressions.BIGINT;
    private static final Expression ZERO = new Expression.Literal(BIGINT, 0L);
    private static final Expression ONE = new Expression.Literal(BIGINT, 1L);

    private TextEnds() {}

    /** @param operands text, count */
    static Expression first(List<Expression> operands, RexCall call) {
        return part(call, operands.getFirst(), ONE, count(operands));
    }

    /** @param operands text, count */
    static Expression last(List<Expression> operands, RexCall call) {
        return part(call, operands.getFirst(), begin(operands));
    }

    /** @param operands text, count, which may be negative */
    static Expression firstOrOthers(List<Expression> operands, RexCall call) {
        Expression count = count(operands);
        if (isNatural(count)) {
            return first(operands, call);
        }
        Expression left = strict(ScalarFunction.PLUS, length(operands), count);
        Expression others = new Expression.Call(ScalarFunction.GREATEST, List.of(ZERO, left), BIGINT, left.nullable());
        return part(call, operands.getFirst(), ONE, ifNegative(count, others, count));
    }

    /** @param operands text, count, which may be negative */
    static Expression lastOrOthers(List<Expression> operands, RexCall call) {
        Expression count = count(operands);
        if (isNatural(count)) {
            return last(operands, call);
        }
        Expression behind = strict(ScalarFunction.MINUS, ONE, count);
        return part(call, operands.getFirst(), ifNegative(count, behind, begin(operands)));
    }

    private static Expression count(List<Expression> operands) {
        return Conversion.cast(operands.get(1), BIGINT);
    }

    /** Whether an index of such an expression serves the call, whoever made it. */
    private static boolean isNatural(Expression count) {
        return count instanceof Expression.Literal(ColumnType _, Long number) && number >= 0;
    }

    private static Expression length(List<Expression> operands) {
        return strict(ScalarFunction.CHAR_LENGTH, operands.getFirst());
    }

    /** The place of the first of the last characters, which may be before the text. */
    private static Expression begin(List<Expression> operands) {
        return strict(ScalarFunction.PLUS, strict(ScalarFunction.MINUS, length(operands), count(operands)), ONE);
    }

    private static Expression ifNegative(Expression count, Expression value, Expression otherwise) {
        boolean nullable = value.nullable() || otherwise.nullable();
        Expression isNegative =
                new Expression.Call(ScalarFunction.LESS, List.of(count, ZERO), Expressions.BOOLEAN, count.nullable());
        return new Expression.Call(ScalarFunction.CASE, List.of(isNegative, value, otherwise), BIGINT, nullable);
    }

    private static Expression strict(ScalarFunction function, Expression... arguments) {
        return Expressions.strict(function, BIGINT, arguments);
    }

    private static Expression part(RexCall call, Expression... arguments) {
        return new Expression.Call(
                ScalarFunction.SUBSTRING,
                List.of(arguments),
                TypeMapping.columnType(call.getType()),
                call.getType().isNullable());
    }
}
