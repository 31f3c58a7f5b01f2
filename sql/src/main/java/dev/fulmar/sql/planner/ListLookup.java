package dev.fulmar.sql.planner;

import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.plan.Expression;
import dev.fulmar.engine.plan.Relation;
import dev.fulmar.engine.plan.ScalarFunction;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.sql.expression.Expressions;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Answers {@code column IN (values)}, of a column or what is computed from some, by one index look-up per value: the
 * distinct values, joined with the index.
 */
final class ListLookup {
    /** Below a look-up of one row, above everything else. */
    private static final int PENALTY = 1;

    private ListLookup() {}

    private record Choice(Expression.Call list, AccessPath path) {}

    /** The table's rows, or null where a plain scan is as good. */
    static @Nullable Relation plan(Table table, List<Expression> conditions) {
        Choice choice = choose(table, conditions);
        if (choice == null) {
            return null;
        }
        Relation keys = distinct(choice.list(), table);
        List<Expression> open = new ArrayList<>(conditions);
        open.remove(choice.list());
        choice.path().served().forEach(served -> open.remove(Expressions.renumber(served.original(), c -> c - 1)));
        Relation.IndexScan scan = new Relation.IndexScan(
                table.id(), JoinInput.types(table), choice.path().key(), false, Expressions.and(open));
        Relation joined = new Relation.IndexJoin(keys, scan, Relation.JoinKind.INNER, null);
        int columns = scan.columns().size();
        return Relations.select(
                joined, IntStream.rangeClosed(1, columns).boxed().toList());
    }

    static int score(Table table, List<Expression> conditions) {
        Choice choice = choose(table, conditions);
        return choice == null ? 0 : choice.path().score() - PENALTY;
    }

    private static @Nullable Choice choose(Table table, List<Expression> conditions) {
        AccessPath plain = AccessPath.choose(table, conditions, 0, List.of());
        Choice best = null;
        int bestScore = plain == null ? 0 : plain.score();
        for (Expression condition : conditions) {
            if (condition instanceof Expression.Call list
                    && list.function() == ScalarFunction.IN
                    && !Expressions.isConstant(list.arguments().getFirst())) {
                AccessPath path = path(table, conditions, list, list.arguments().getFirst());
                if (path != null && path.dependsOnOuterRow() && path.score() - PENALTY > bestScore) {
                    best = new Choice(list, path);
                    bestScore = path.score() - PENALTY;
                }
            }
        }
        return best;
    }

    /** The best path if the subject equals the one column of an outer row. */
    private static @Nullable AccessPath path(
            Table table, List<Expression> conditions, Expression.Call list, Expression subject) {
        List<Expression> moved = new ArrayList<>();
        for (Expression condition : conditions) {
            if (!condition.equals(list)) {
                moved.add(Expressions.renumber(condition, c -> c + 1));
            }
        }
        moved.add(Expressions.strict(
                ScalarFunction.EQUAL,
                Expressions.BOOLEAN,
                Expressions.renumber(subject, c -> c + 1),
                new Expression.ColumnReference(0, subject.type(), true)));
        return AccessPath.choose(table, moved, 1, List.of());
    }

    /** One row per value; values that are written twice, or that two parameters happen to share, count once. */
    private static Relation distinct(Expression.Call list, Table table) {
        Expression subject = list.arguments().getFirst();
        ColumnType type = subject instanceof Expression.ColumnReference column
                ? table.columns().get(column.index()).type()
                : subject.type();
        List<Expression> values = list.arguments().subList(1, list.arguments().size()).stream()
                .distinct()
                .toList();
        Relation rows =
                new Relation.Values(List.of(type), values.stream().map(List::of).toList());
        boolean areKnown = values.stream()
                .allMatch(value -> value instanceof Expression.Literal literal && Objects.nonNull(literal.value()));
        return areKnown
                ? rows
                : new Relation.Aggregate(rows, List.of(new Expression.ColumnReference(0, type, true)), List.of());
    }
}
