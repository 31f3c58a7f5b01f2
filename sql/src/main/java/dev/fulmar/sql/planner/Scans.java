package dev.fulmar.sql.planner;

import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.plan.Expression;
import dev.fulmar.engine.plan.Relation;
import dev.fulmar.engine.plan.ScalarFunction;
import dev.fulmar.sql.estimate.Estimates;
import dev.fulmar.sql.expression.Expressions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads one table: by index where conditions or the wanted order allow, from the partitions that the conditions leave.
 */
final class Scans {
    private Scans() {}

    /** The rows of the table that meet the conditions; all of its columns. */
    static PlannedRelation read(
            Table table, List<Expression> conditions, List<OrderKey> wanted, @Nullable Estimates estimates) {
        Relation byList = ListLookup.plan(table, conditions);
        return byList == null
                ? scan(table, conditions, wanted, estimates)
                : PlannedRelation.unordered(byList, distribution(table, conditions));
    }

    private static PlannedRelation scan(
            Table table, List<Expression> conditions, List<OrderKey> wanted, @Nullable Estimates estimates) {
        AccessPath path = AccessPath.choose(table, conditions, 0, wanted, estimates);
        Relation relation = path == null
                ? new Relation.TableScan(table.id(), JoinInput.types(table), Expressions.and(conditions))
                : indexScan(table, path, conditions);
        boolean ordered = path != null && path.ordered() && !wanted.isEmpty();
        return new PlannedRelation(relation, distribution(table, conditions), ordered);
    }

    /** The scan of a path; the conditions that the index does not answer become its filter. */
    static Relation.IndexScan indexScan(Table table, AccessPath path, List<Expression> conditions) {
        List<Expression> open = new ArrayList<>(conditions);
        path.served().forEach(served -> open.remove(served.original()));
        return new Relation.IndexScan(
                table.id(), JoinInput.types(table), path.key(), path.backwards(), Expressions.and(open));
    }

    /** The score of the best path without an outer row. */
    static int score(Table table, List<Expression> conditions) {
        AccessPath path = AccessPath.choose(table, conditions, 0, List.of());
        int score = path == null ? Math.min(1, conditions.size()) : path.score();
        return Math.max(score, ListLookup.score(table, conditions));
    }

    static Distribution distribution(Table table, List<Expression> conditions) {
        if (table.partitioningColumn().isEmpty()) {
            return new Distribution.Everywhere();
        }
        int column = table.partitioningColumn().getAsInt();
        // A hidden row id is none of the scan's columns: its place is that of another relation's once they are joined.
        boolean isRead = column < table.visibleColumns().size();
        return isRead
                ? new Distribution.Spread(Set.of(column), keys(column, conditions))
                : new Distribution.Spread(Set.of(), null);
    }

    /** The parameters and literals that the conditions allow for the column; null if any value may be. */
    private static @Nullable List<Expression> keys(int column, List<Expression> conditions) {
        List<Expression> keys = null;
        for (Expression condition : conditions) {
            if (condition instanceof Expression.Call call
                    && (call.function() == ScalarFunction.EQUAL || call.function() == ScalarFunction.IN)) {
                List<Expression> values = valuesFor(column, call);
                if (values != null && (keys == null || values.size() < keys.size())) {
                    keys = values;
                }
            }
        }
        return keys;
    }

    private static @Nullable List<Expression> valuesFor(int column, Expression.Call call) {
        List<Expression> arguments = call.arguments();
        List<Expression> values;
        if (isColumn(arguments.getFirst(), column)) {
            values = arguments.subList(1, arguments.size());
        } else if (call.function() == ScalarFunction.EQUAL && isColumn(arguments.get(1), column)) {
            values = arguments.subList(0, 1);
        } else {
            return null;
        }
        return values.stream().allMatch(Scans::isKey) ? values : null;
    }

    private static boolean isColumn(Expression expression, int column) {
        return Expressions.withoutWidening(expression) instanceof Expression.ColumnReference reference
                && reference.index() == column;
    }

    private static boolean isKey(Expression expression) {
        return expression instanceof Expression.Parameter || expression instanceof Expression.Literal;
    }
}
