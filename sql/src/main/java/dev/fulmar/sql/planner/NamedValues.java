package dev.fulmar.sql.planner;

import dev.fulmar.engine.plan.Expression;
import dev.fulmar.engine.plan.Relation;
import dev.fulmar.engine.plan.ScalarFunction;
import dev.fulmar.foundation.data.ColumnType;
import java.util.ArrayList;
import java.util.List;

/**
 * Wraps computed values that a write stores in a function, so that an error in computing one names its column and row.
 * The engine evaluates the function, {@link ScalarFunction#NAMED}.
 */
final class NamedValues {
    private NamedValues() {}

    /**
     * The relation, whose computed values have their places; of several rows that a statement spells out, each has the
     * number of its row, too.
     *
     * @param places what messages call the columns that store the relation's columns, empty for none
     */
    static Relation of(Relation relation, List<String> places) {
        return switch (relation) {
            case Relation.Values values -> {
                List<List<Expression>> rows = new ArrayList<>();
                for (List<Expression> row : values.rows()) {
                    String number = values.rows().size() == 1 ? "" : "row " + (rows.size() + 1) + ": ";
                    rows.add(named(row, places, number));
                }
                yield new Relation.Values(values.columns(), rows);
            }
            case Relation.Project project ->
                new Relation.Project(project.input(), named(project.expressions(), places, ""));
            default -> relation;
        };
    }

    private static List<Expression> named(List<Expression> values, List<String> places, String row) {
        List<Expression> named = new ArrayList<>(values);
        for (int i = 0; i < Math.min(values.size(), places.size()); i++) {
            if (!places.get(i).isEmpty()) {
                named.set(i, named(values.get(i), row + places.get(i)));
            }
        }
        return named;
    }

    /** The value with the place that an error of it tells; a value that is only read has no errors. */
    static Expression named(Expression value, String place) {
        boolean isComputed = value instanceof Expression.Call call && call.function() != ScalarFunction.NEXT_VALUE;
        if (place.isEmpty() || !isComputed) {
            return value;
        }
        Expression text = new Expression.Literal(ColumnType.varchar(place.length()), place);
        return new Expression.Call(ScalarFunction.NAMED, List.of(value, text), value.type(), value.nullable());
    }
}
