package dev.fulmar.sql.expression;

import dev.fulmar.engine.plan.Expression;
import dev.fulmar.engine.plan.ScalarFunction;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.TypeKind;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Questions to expressions, and changed copies of them. */
public final class Expressions {
    public static final ColumnType BOOLEAN = ColumnType.of(TypeKind.BOOLEAN);
    public static final ColumnType BIGINT = ColumnType.of(TypeKind.BIGINT);
    public static final Expression TRUE = new Expression.Literal(BOOLEAN, true);

    private Expressions() {}

    /**
     * The column of integers that a CAST to wider integers is of, or the expression as it is. Equality and order stay
     * the same, and indexes and partitions take a value that the column cannot hold for one that no row has.
     */
    public static Expression withoutWidening(Expression expression) {
        return expression instanceof Expression.Call call
                        && call.function() == ScalarFunction.CAST
                        && call.arguments().getFirst() instanceof Expression.ColumnReference column
                        && column.type().kind().isInteger()
                        && call.type().kind().isInteger()
                        && column.type().kind().compareTo(call.type().kind()) <= 0
                ? column
                : expression;
    }

    /** The columns that the expression reads. */
    public static BitSet columns(Expression expression) {
        BitSet columns = new BitSet();
        collect(expression, columns);
        return columns;
    }

    private static void collect(Expression expression, BitSet columns) {
        if (expression instanceof Expression.ColumnReference reference) {
            columns.set(reference.index());
        } else if (expression instanceof Expression.Call call) {
            call.arguments().forEach(argument -> collect(argument, columns));
        }
    }

    /**
     * Whether the value is the same for every row of a run. On the right of an Apply, a run is one for each row of the
     * left.
     */
    public static boolean isConstant(Expression expression) {
        return columns(expression).isEmpty();
    }

    /** A copy in which each column reference is what the operator makes of it. */
    public static Expression mapColumns(
            Expression expression, java.util.function.Function<Expression.ColumnReference, Expression> operator) {
        return switch (expression) {
            case Expression.ColumnReference reference -> operator.apply(reference);
            case Expression.Call call -> {
                List<Expression> arguments = new ArrayList<>(call.arguments().size());
                call.arguments().forEach(argument -> arguments.add(mapColumns(argument, operator)));
                yield new Expression.Call(call.function(), arguments, call.type(), call.nullable());
            }
            case Expression.OuterReference outer -> outer;
            case Expression.Parameter parameter -> parameter;
            case Expression.Literal literal -> literal;
        };
    }

    /** A copy that reads other columns. */
    public static Expression renumber(Expression expression, java.util.function.IntUnaryOperator operator) {
        return mapColumns(
                expression,
                reference -> new Expression.ColumnReference(
                        operator.applyAsInt(reference.index()), reference.type(), reference.nullable()));
    }

    /** The operands of nested ANDs; TRUE has none. */
    public static List<Expression> conjuncts(@Nullable Expression condition) {
        List<Expression> conjuncts = new ArrayList<>();
        addConjuncts(condition, conjuncts);
        return conjuncts;
    }

    private static void addConjuncts(@Nullable Expression condition, List<Expression> conjuncts) {
        if (condition == null || condition.equals(TRUE)) {
            return;
        }
        if (condition instanceof Expression.Call call && call.function() == ScalarFunction.AND) {
            call.arguments().forEach(argument -> addConjuncts(argument, conjuncts));
        } else if (!conjuncts.contains(condition)) {
            conjuncts.add(condition);
        }
    }

    /** All of the conditions; null for none. */
    public static @Nullable Expression and(List<Expression> conditions) {
        return switch (conditions.size()) {
            case 0 -> null;
            case 1 -> conditions.getFirst();
            default ->
                new Expression.Call(
                        ScalarFunction.AND,
                        conditions,
                        BOOLEAN,
                        conditions.stream().anyMatch(Expression::nullable));
        };
    }

    /** A call whose value can be null where an argument can. */
    public static Expression.Call strict(ScalarFunction function, ColumnType type, Expression... arguments) {
        List<Expression> list = List.of(arguments);
        return new Expression.Call(function, list, type, list.stream().anyMatch(Expression::nullable));
    }

    /** References to all columns of an input row, each nullable. */
    public static List<Expression> references(List<ColumnType> types) {
        List<Expression> references = new ArrayList<>(types.size());
        for (int i = 0; i < types.size(); i++) {
            references.add(new Expression.ColumnReference(i, types.get(i), true));
        }
        return references;
    }

    /** Whether each expression is the reference to the column of its place. */
    public static boolean isIdentity(List<Expression> expressions, int inputColumns) {
        if (expressions.size() != inputColumns) {
            return false;
        }
        for (int i = 0; i < inputColumns; i++) {
            if (!(expressions.get(i) instanceof Expression.ColumnReference reference) || reference.index() != i) {
                return false;
            }
        }
        return true;
    }

    /** Applies the operator to each, keeping null. */
    public static @Nullable Expression mapNullable(
            @Nullable Expression expression, UnaryOperator<Expression> operator) {
        return expression == null ? null : operator.apply(expression);
    }
}
