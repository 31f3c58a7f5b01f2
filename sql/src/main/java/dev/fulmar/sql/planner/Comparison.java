package dev.fulmar.sql.planner;

import dev.fulmar.engine.catalog.IndexColumn;
import dev.fulmar.engine.plan.Expression;
import dev.fulmar.engine.plan.RandomNumbers;
import dev.fulmar.engine.plan.ScalarFunction;
import dev.fulmar.sql.expression.Expressions;
import dev.fulmar.sql.expression.PaddedText;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A condition of a query that an index can serve: equality or a bound for a column or a computed value. It compares a
 * column of a table, or a value computed from some, with a value that does not depend on the table's row.
 *
 * @param column position in the table, or {@link IndexColumn#COMPUTED}
 * @param subject what is compared, over the table's columns
 * @param function EQUAL, LESS, LESS_OR_EQUAL, GREATER or GREATER_OR_EQUAL, with the subject on its left
 * @param original the condition as it was, or one that follows from it, which leaves it to be checked
 */
record Comparison(int column, Expression subject, ScalarFunction function, Expression value, Expression original) {
    boolean isEquality() {
        return function == ScalarFunction.EQUAL;
    }

    boolean isLowerBound() {
        return function == ScalarFunction.GREATER || function == ScalarFunction.GREATER_OR_EQUAL;
    }

    boolean isInclusive() {
        return function == ScalarFunction.GREATER_OR_EQUAL || function == ScalarFunction.LESS_OR_EQUAL;
    }

    /** Whether it is about the key. */
    boolean isOf(IndexColumn key) {
        return key.expression()
                .map(computed -> column == IndexColumn.COMPUTED && SameExpression.of(computed.expression(), subject))
                .orElse(column == key.column());
    }

    /** Whether the value changes with the outer row. */
    boolean dependsOnOuterRow() {
        return !Expressions.isConstant(value);
    }

    /**
     * The comparisons among the conditions.
     *
     * @param base where the table's columns begin in the row that the conditions read; before it are those of the outer
     *     row
     */
    static List<Comparison> among(List<Expression> conditions, int base) {
        List<Comparison> comparisons = new ArrayList<>();
        for (Expression condition : conditions) {
            if (condition instanceof Expression.Call call && call.arguments().size() == 2) {
                Expression left = Expressions.withoutWidening(call.arguments().getFirst());
                Expression right = Expressions.withoutWidening(call.arguments().get(1));
                add(comparisons, call, call.function(), left, right, base);
                add(comparisons, call, mirrored(call.function()), right, left, base);
                if (call.function() == ScalarFunction.LIKE) {
                    LikePrefix.bounds(left, right)
                            .forEach(bound -> add(
                                    comparisons,
                                    bound,
                                    bound.function(),
                                    PaddedText.without(left),
                                    bound.arguments().get(1),
                                    base));
                }
            }
        }
        return comparisons;
    }

    private static void add(
            List<Comparison> comparisons,
            Expression original,
            @Nullable ScalarFunction function,
            Expression subject,
            Expression value,
            int base) {
        int first = Expressions.columns(subject).nextSetBit(0);
        if (function != null && isServed(function) && first >= base && isOuter(value, base)) {
            Expression own = base == 0 ? subject : Expressions.renumber(subject, column -> column - base);
            int column = own instanceof Expression.ColumnReference reference ? reference.index() : IndexColumn.COMPUTED;
            comparisons.add(new Comparison(column, own, function, value, original));
        }
    }

    /** Whether it is one value for all rows of the table. A random value is another one for each row. */
    private static boolean isOuter(Expression value, int base) {
        BitSet columns = Expressions.columns(value);
        return columns.nextSetBit(base) < 0 && !RandomNumbers.areIn(value);
    }

    private static boolean isServed(ScalarFunction function) {
        return function == ScalarFunction.EQUAL
                || function == ScalarFunction.LESS
                || function == ScalarFunction.LESS_OR_EQUAL
                || function == ScalarFunction.GREATER
                || function == ScalarFunction.GREATER_OR_EQUAL;
    }

    private static @Nullable ScalarFunction mirrored(ScalarFunction function) {
        return switch (function) {
            case EQUAL -> ScalarFunction.EQUAL;
            case LESS -> ScalarFunction.GREATER;
            case LESS_OR_EQUAL -> ScalarFunction.GREATER_OR_EQUAL;
            case GREATER -> ScalarFunction.LESS;
            case GREATER_OR_EQUAL -> ScalarFunction.LESS_OR_EQUAL;
            default -> null;
        };
    }
}
