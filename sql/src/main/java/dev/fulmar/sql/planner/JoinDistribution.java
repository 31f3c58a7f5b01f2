package dev.fulmar.sql.planner;

import dev.fulmar.engine.plan.Expression;
import dev.fulmar.engine.plan.Relation.JoinKind;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/** Decides whether a join can run where its inputs are, and where its rows are then. */
final class JoinDistribution {
    private JoinDistribution() {}

    /**
     * The distribution of the join's rows, or null if its inputs must be brought together first.
     *
     * @param right with its own columns, from 0
     * @param equal whether a left column equals a right one in all pairs that match
     */
    static @Nullable Distribution of(
            Distribution left, Distribution right, int leftWidth, JoinKind kind, BiPredicate<Integer, Integer> equal) {
        if (left instanceof Distribution.Spread a && right instanceof Distribution.Spread b) {
            return spread(a, b, leftWidth, kind, equal);
        }
        boolean gathered = isGathered(left) || isGathered(right);
        boolean free = left instanceof Distribution.Everywhere || right instanceof Distribution.Everywhere;
        if (left instanceof Distribution.Merged || right instanceof Distribution.Merged || (gathered && !free)) {
            return left.equals(right) ? left : null;
        }
        if (right instanceof Distribution.Everywhere) {
            boolean everywhere = left instanceof Distribution.Everywhere;
            return everywhere || kind != JoinKind.FULL ? left : null;
        }
        return switch (kind) {
            case INNER -> right.shifted(leftWidth);
            case LEFT, SEMI, ANTI, FULL -> right.isWhole() ? withoutColumns(right) : null;
        };
    }

    private static boolean isGathered(Distribution distribution) {
        return distribution instanceof Distribution.Merged || distribution instanceof Distribution.Once;
    }

    /** Rows that the outer side adds carry no value of the inner one. */
    private static Distribution withoutColumns(Distribution distribution) {
        return distribution.withColumns(column -> List.of());
    }

    private static @Nullable Distribution spread(
            Distribution.Spread left,
            Distribution.Spread right,
            int leftWidth,
            JoinKind kind,
            BiPredicate<Integer, Integer> equal) {
        boolean samePartition = left.isSingle() && Objects.equals(left.keys(), right.keys());
        boolean matched =
                left.columns().stream().anyMatch(a -> right.columns().stream().anyMatch(b -> equal.test(a, b)));
        if (!samePartition && !matched) {
            return null;
        }
        return switch (kind) {
            case INNER -> {
                Set<Integer> columns = new TreeSet<>(left.columns());
                right.columns().forEach(column -> columns.add(column + leftWidth));
                yield new Distribution.Spread(columns, fewer(left.keys(), right.keys()));
            }
            case SEMI -> new Distribution.Spread(left.columns(), fewer(left.keys(), right.keys()));
            case LEFT, ANTI -> left;
            case FULL -> new Distribution.Spread(Set.of(), samePartition ? left.keys() : null);
        };
    }

    private static @Nullable List<Expression> fewer(@Nullable List<Expression> a, @Nullable List<Expression> b) {
        if (a == null || b == null) {
            return a == null ? b : a;
        }
        return a.size() <= b.size() ? a : b;
    }
}
