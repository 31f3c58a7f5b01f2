package dev.fulmar.sql.planner;

import dev.fulmar.engine.plan.Expression;
import dev.fulmar.engine.plan.ScalarFunction;
import dev.fulmar.sql.expression.Expressions;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The columns of a join's row that are equal to each other, or to constants, in every row of its result. */
final class EqualColumns {
    private final int[] parents;
    private final @Nullable Expression[] constants;
    private final Expression.@Nullable ColumnReference[] references;

    EqualColumns(int columns, List<Expression> conditions) {
        parents = new int[columns];
        constants = new Expression[columns];
        references = new Expression.ColumnReference[columns];
        for (int i = 0; i < columns; i++) {
            parents[i] = i;
        }
        for (Expression condition : conditions) {
            if (condition instanceof Expression.Call call && call.function() == ScalarFunction.EQUAL) {
                accept(
                        Expressions.withoutWidening(call.arguments().getFirst()),
                        Expressions.withoutWidening(call.arguments().get(1)));
            }
        }
    }

    private void accept(Expression left, Expression right) {
        if (left instanceof Expression.ColumnReference a && right instanceof Expression.ColumnReference b) {
            references[a.index()] = a;
            references[b.index()] = b;
            union(a.index(), b.index());
        } else if (left instanceof Expression.ColumnReference a && Expressions.isConstant(right)) {
            references[a.index()] = a;
            setConstant(find(a.index()), right);
        } else if (right instanceof Expression.ColumnReference b && Expressions.isConstant(left)) {
            references[b.index()] = b;
            setConstant(find(b.index()), left);
        }
    }

    private void setConstant(int root, Expression constant) {
        if (constants[root] == null) {
            constants[root] = constant;
        }
    }

    private void union(int a, int b) {
        int kept = find(a);
        int joined = find(b);
        parents[joined] = kept;
        Expression constant = constants[joined];
        if (constant != null) {
            setConstant(kept, constant);
        }
    }

    private int find(int column) {
        int root = column;
        while (parents[root] != root) {
            root = parents[root];
        }
        return root;
    }

    boolean areEqual(int a, int b) {
        return find(a) == find(b);
    }

    @Nullable Expression constant(int column) {
        return constants[find(column)];
    }

    /** Whether {@link #implied} compares the column with its constant. */
    boolean impliesConstant(Expression.ColumnReference reference) {
        Expression constant = constant(reference.index());
        return constant != null && holdsAlike(reference, constant);
    }

    /** Equalities with constants that follow from the conditions, of columns that a condition names. */
    List<Expression> implied() {
        List<Expression> implied = new ArrayList<>();
        for (int column = 0; column < parents.length; column++) {
            Expression.ColumnReference reference = references[column];
            Expression constant = constant(column);
            if (reference != null && constant != null && holdsAlike(reference, constant)) {
                implied.add(Expressions.strict(ScalarFunction.EQUAL, Expressions.BOOLEAN, reference, constant));
            }
        }
        return implied;
    }

    private static boolean holdsAlike(Expression reference, Expression constant) {
        return reference.type().kind() == constant.type().kind()
                && reference.type().scale() == constant.type().scale()
                && Objects.equals(reference.type().storage(), constant.type().storage());
    }
}
