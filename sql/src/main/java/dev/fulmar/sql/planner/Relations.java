package dev.fulmar.sql.planner;

import dev.fulmar.engine.plan.Expression;
import dev.fulmar.engine.plan.Relation;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.sql.expression.Expressions;
import java.util.ArrayList;
import java.util.List;

/** Builds operators, merging neighbours where that saves one. */
final class Relations {
    private Relations() {}

    /** The expressions over the input's rows. */
    static Relation project(Relation input, List<Expression> expressions) {
        if (Expressions.isIdentity(expressions, input.columns().size())) {
            return input;
        }
        if (input instanceof Relation.Project below
                && below.expressions().stream().allMatch(Relations::isCheap)) {
            return project(below.input(), through(expressions, below));
        }
        if (input instanceof Relation.Values values) {
            return new Relation.Values(
                    types(expressions),
                    values.rows().stream().map(row -> through(expressions, row)).toList());
        }
        return new Relation.Project(input, expressions);
    }

    /** The input's columns in another order or choice. */
    static Relation select(Relation input, List<Integer> columns) {
        List<ColumnType> types = input.columns();
        List<Expression> references = new ArrayList<>(columns.size());
        columns.forEach(column -> references.add(new Expression.ColumnReference(column, types.get(column), true)));
        return project(input, references);
    }

    /** The expressions over a projection, changed to stand over its input. */
    static List<Expression> through(List<Expression> expressions, Relation.Project project) {
        return through(expressions, project.expressions());
    }

    private static List<Expression> through(List<Expression> expressions, List<Expression> below) {
        return expressions.stream()
                .map(expression -> Expressions.mapColumns(expression, reference -> below.get(reference.index())))
                .toList();
    }

    private static boolean isCheap(Expression expression) {
        return !(expression instanceof Expression.Call);
    }

    /** The rows of the input that meet all conditions. */
    static Relation filter(Relation input, List<Expression> conditions) {
        Expression condition = Expressions.and(conditions);
        return condition == null ? input : new Relation.Filter(input, condition);
    }

    static List<ColumnType> types(List<Expression> expressions) {
        return expressions.stream().map(Expression::type).toList();
    }
}
