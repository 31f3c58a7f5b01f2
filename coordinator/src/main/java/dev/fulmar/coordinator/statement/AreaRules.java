package dev.fulmar.coordinator.statement;

import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.Index;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.execution.SoughtRow;
import dev.fulmar.engine.plan.Expression;
import dev.fulmar.engine.plan.Operation;
import dev.fulmar.engine.plan.Relation;
import dev.fulmar.engine.plan.StatementPlan;
import dev.fulmar.foundation.data.TypeKind;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Tests whether a statement's result depends on the rows of its area alone. It does not if it may fail for a row beside
 * them, or if it tells where rows lie: a write that is left out takes no place.
 */
final class AreaRules {
    private AreaRules() {}

    static boolean hold(StatementPlan plan, Table table, Catalog catalog) {
        return switch (plan.fragments().getFirst().operation()) {
            case Operation.Query(Relation relation) ->
                SoughtRow.isAllOf(plan, catalog)
                        || (hold(relation, table)
                                && plan.merge().map(merge -> hold(merge, table)).orElse(true));
            case Operation.Insert _ -> true;
            case Operation.Update update -> hold(update.target(), table);
            case Operation.Delete delete -> hold(delete.target(), table);
        };
    }

    private static boolean hold(Relation relation, Table table) {
        return switch (relation) {
            case Relation.TableScan scan -> neverFails(scan.filter());
            case Relation.IndexScan scan -> isOneRow(scan, table) || neverFails(scan.filter());
            case Relation.Filter filter -> neverFails(filter.condition()) && hold(filter.input(), table);
            case Relation.Project project -> hold(project.input(), table);
            case Relation.Receive _ -> true; // of the fragment
            case Relation.Aggregate aggregate ->
                aggregate.calls().stream().allMatch(AreaRules::isOfAnyOrder) && hold(aggregate.input(), table);
            default -> false;
        };
    }

    /** By a unique key: no other row is looked at. */
    private static boolean isOneRow(Relation.IndexScan scan, Table table) {
        return table.indexes().stream()
                .anyMatch(index -> index.id() == scan.key().index()
                        && index.isConstraint()
                        && isWhole(index, scan.key().equal()));
    }

    private static boolean isWhole(Index index, List<Expression> equal) {
        return index.columns().size() == equal.size();
    }

    /** Sums of floating-point numbers, and lists, are not. */
    private static boolean isOfAnyOrder(Relation.AggregateCall call) {
        Expression argument = call.argument();
        boolean isFloat = argument != null
                && (argument.type().kind() == TypeKind.REAL || argument.type().kind() == TypeKind.DOUBLE);
        boolean isKnown = neverFails(call.filter()) && (argument == null || neverFails(argument));
        return isKnown
                && switch (call.function()) {
                    case COUNT, MIN, MAX -> true;
                    case SUM, AVG -> !isFloat;
                    default -> false;
                };
    }

    /** Whether it only compares columns and constants. */
    private static boolean neverFails(@Nullable Expression expression) {
        return switch (expression) {
            case null -> true;
            case Expression.Literal _, Expression.Parameter _, Expression.ColumnReference _ -> true;
            case Expression.OuterReference _ -> false;
            case Expression.Call call ->
                switch (call.function()) {
                    case AND,
                            OR,
                            NOT,
                            EQUAL,
                            NOT_EQUAL,
                            LESS,
                            LESS_OR_EQUAL,
                            GREATER,
                            GREATER_OR_EQUAL,
                            IS_NOT_DISTINCT_FROM,
                            IS_NULL,
                            IS_NOT_NULL,
                            IS_TRUE,
                            IS_NOT_TRUE,
                            IS_FALSE,
                            IS_NOT_FALSE,
                            IN -> call.arguments().stream().allMatch(AreaRules::neverFails);
                    default -> false;
                };
        };
    }
}
