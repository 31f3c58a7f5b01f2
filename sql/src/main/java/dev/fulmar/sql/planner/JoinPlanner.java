package dev.fulmar.sql.planner;

import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.plan.Expression;
import dev.fulmar.engine.plan.Relation;
import dev.fulmar.engine.plan.Relation.JoinKind;
import dev.fulmar.engine.plan.ScalarFunction;
import dev.fulmar.sql.estimate.Estimates;
import dev.fulmar.sql.expression.Expressions;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Joins two relations: by an index of the right table, by a hash table, or row by row. Says nothing about where. */
final class JoinPlanner {
    private JoinPlanner() {}

    /**
     * The right side of a join, before it is known how it will be read.
     *
     * @param table null if {@code relation} is all there is
     * @param conditions of the table, not yet applied; none without table
     * @param relation the right side read by itself
     * @param estimates what is known of the table; null if nothing may be
     */
    record RightSide(
            @Nullable Table table,
            List<Expression> conditions,
            Relation relation,
            @Nullable Estimates estimates) {
        /** A right side that is no table. */
        static RightSide of(Relation relation) {
            return new RightSide(null, List.of(), relation, null);
        }
    }

    /** The score of the look-up per left row, or -1 where no index serves. */
    static int indexScore(int leftWidth, RightSide right, List<Expression> conditions) {
        AccessPath path = path(leftWidth, right, conditions);
        return path == null ? -1 : path.score();
    }

    private static @Nullable AccessPath path(int leftWidth, RightSide right, List<Expression> conditions) {
        if (right.table() == null) {
            return null;
        }
        List<Expression> all = new ArrayList<>(shifted(right.conditions(), leftWidth));
        all.addAll(conditions);
        AccessPath path = AccessPath.choose(right.table(), all, leftWidth, List.of(), right.estimates());
        return path != null && path.dependsOnOuterRow() ? path : null;
    }

    private static List<Expression> shifted(List<Expression> conditions, int distance) {
        return conditions.stream()
                .map(condition -> Expressions.renumber(condition, column -> column + distance))
                .toList();
    }

    /**
     * The join.
     *
     * @param conditions over the left columns and then the right ones
     */
    static Relation join(Relation left, RightSide right, JoinKind kind, List<Expression> conditions) {
        int leftWidth = left.columns().size();
        AccessPath path = kind == JoinKind.FULL ? null : path(leftWidth, right, conditions);
        if (path != null && right.table() != null) {
            return indexJoin(left, right, right.table(), path, kind, conditions);
        }
        return hashOrLoop(left, right.relation(), kind, conditions);
    }

    private static Relation indexJoin(
            Relation left, RightSide right, Table table, AccessPath path, JoinKind kind, List<Expression> conditions) {
        int leftWidth = left.columns().size();
        List<Expression> own = new ArrayList<>(shifted(right.conditions(), leftWidth));
        List<Expression> open = new ArrayList<>(conditions);
        for (Comparison served : path.served()) {
            own.remove(served.original());
            open.remove(served.original());
        }
        List<Expression> filter = shifted(own, -leftWidth);
        Relation.IndexScan scan =
                new Relation.IndexScan(table.id(), JoinInput.types(table), path.key(), false, Expressions.and(filter));
        return new Relation.IndexJoin(left, scan, kind, Expressions.and(open));
    }

    static Relation hashOrLoop(Relation left, Relation right, JoinKind kind, List<Expression> conditions) {
        int leftWidth = left.columns().size();
        List<Expression> leftKeys = new ArrayList<>();
        List<Expression> rightKeys = new ArrayList<>();
        List<Expression> open = new ArrayList<>();
        for (Expression condition : conditions) {
            Expression[] sides = sides(condition, leftWidth);
            if (sides == null) {
                open.add(condition);
            } else {
                leftKeys.add(sides[0]);
                rightKeys.add(Expressions.renumber(sides[1], column -> column - leftWidth));
            }
        }
        if (leftKeys.isEmpty()) {
            return new Relation.NestedLoopJoin(left, right, kind, Expressions.and(open));
        }
        return new Relation.HashJoin(left, right, kind, leftKeys, rightKeys, Expressions.and(open));
    }

    /** Left and right expression of an equality between the two sides, or null for any other condition. */
    static Expression @Nullable [] sides(Expression condition, int leftWidth) {
        if (!(condition instanceof Expression.Call call) || call.function() != ScalarFunction.EQUAL) {
            return null;
        }
        Expression first = call.arguments().getFirst();
        Expression second = call.arguments().get(1);
        if (isLeft(first, leftWidth) && isRight(second, leftWidth)) {
            return new Expression[] {first, second};
        }
        if (isLeft(second, leftWidth) && isRight(first, leftWidth)) {
            return new Expression[] {second, first};
        }
        return null;
    }

    private static boolean isLeft(Expression expression, int leftWidth) {
        BitSet columns = Expressions.columns(expression);
        return !columns.isEmpty() && columns.nextSetBit(leftWidth) < 0;
    }

    private static boolean isRight(Expression expression, int leftWidth) {
        BitSet columns = Expressions.columns(expression);
        return !columns.isEmpty() && columns.nextSetBit(0) >= leftWidth;
    }

    /** Whether the join keeps the left rows' order. */
    static boolean keepsOrder(Relation join) {
        return join instanceof Relation.IndexJoin || join instanceof Relation.NestedLoopJoin;
    }
}
