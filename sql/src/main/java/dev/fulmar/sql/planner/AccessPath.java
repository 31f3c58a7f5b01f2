package dev.fulmar.sql.planner;

import dev.fulmar.engine.catalog.Index;
import dev.fulmar.engine.catalog.IndexColumn;
import dev.fulmar.engine.catalog.IndexKind;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.plan.Expression;
import dev.fulmar.engine.plan.Relation;
import dev.fulmar.sql.estimate.Estimates;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A way to find rows by an index.
 *
 * @param served conditions that the index answers, so that nobody need check them again
 * @param score higher is better; only to compare with other paths to the same table, or with the start of a join
 * @param ordered the rows come in the order asked for, if {@code backwards} is followed
 */
record AccessPath(Relation.IndexKey key, List<Comparison> served, int score, boolean ordered, boolean backwards) {
    static final int UNIQUE_SCORE = 1_000;
    private static final int EQUALITY_SCORE = 10;
    private static final int BOUND_SCORE = 4;
    private static final int ORDER_SCORE = 6;
    private static final int HASH_SCORE = 5;

    /** Estimates are rough; what is hardly better by them stays as it is without. */
    private static final double CLEARLY_FEWER = 0.7;

    AccessPath {
        served = List.copyOf(served);
    }

    /** Whether the look-up's values change with the outer row of a join. */
    boolean dependsOnOuterRow() {
        return served.stream().anyMatch(Comparison::dependsOnOuterRow);
    }

    /**
     * The best path, or null where only a full scan remains.
     *
     * @param base where the table's columns begin in the row that the conditions read
     */
    static @Nullable AccessPath choose(Table table, List<Expression> conditions, int base, List<OrderKey> wanted) {
        return choose(table, conditions, base, wanted, null);
    }

    /**
     * The best path by what is known of the table, if anything is. It is the one that finds the fewest rows, among
     * those that are like the usual one otherwise.
     *
     * @param estimates null if nothing may be known
     */
    static @Nullable AccessPath choose(
            Table table, List<Expression> conditions, int base, List<OrderKey> wanted, @Nullable Estimates estimates) {
        List<AccessPath> paths = paths(table, conditions, base, wanted);
        AccessPath best = null;
        for (AccessPath path : paths) {
            if (best == null || path.score() > best.score()) {
                best = path;
            }
        }
        boolean isOpen = best != null && paths.size() > 1 && best.score() < UNIQUE_SCORE;
        if (best == null || !isOpen || estimates == null || !estimates.ask()) {
            return best;
        }
        double fewest = estimates.matches(table.id(), best.key()) * CLEARLY_FEWER;
        for (AccessPath path : paths) {
            double found = estimates.matches(table.id(), path.key());
            boolean isLike = path.ordered() == best.ordered() && path.dependsOnOuterRow() == best.dependsOnOuterRow();
            if (isLike && found < fewest) {
                best = path;
                fewest = found;
            }
        }
        return best;
    }

    private static List<AccessPath> paths(Table table, List<Expression> conditions, int base, List<OrderKey> wanted) {
        List<Comparison> comparisons = Comparison.among(conditions, base);
        List<AccessPath> paths = new ArrayList<>();
        for (Index index : table.indexes()) {
            if (!PartialIndexes.hasAll(index, conditions, base)) {
                continue;
            }
            AccessPath path = index.kind() == IndexKind.HASH
                    ? hash(index, comparisons)
                    : ordered(table, index, comparisons, wanted);
            if (path != null) {
                paths.add(path);
            }
        }
        return paths;
    }

    private static @Nullable Comparison equality(List<Comparison> comparisons, IndexColumn key) {
        for (Comparison comparison : comparisons) {
            if (comparison.isEquality() && comparison.isOf(key)) {
                return comparison;
            }
        }
        return null;
    }

    private static @Nullable AccessPath hash(Index index, List<Comparison> comparisons) {
        List<Comparison> served = new ArrayList<>();
        for (IndexColumn column : index.columns()) {
            Comparison equality = equality(comparisons, column);
            if (equality == null) {
                return null;
            }
            served.add(equality);
        }
        int score = index.unique() ? UNIQUE_SCORE + HASH_SCORE : served.size() * EQUALITY_SCORE + HASH_SCORE;
        return new AccessPath(
                new Relation.IndexKey(index.id(), values(served), Optional.empty(), Optional.empty()),
                served,
                score,
                index.unique(),
                false);
    }

    private static List<Expression> values(List<Comparison> equalities) {
        return equalities.stream().map(Comparison::value).toList();
    }

    private static @Nullable AccessPath ordered(
            Table table, Index index, List<Comparison> comparisons, List<OrderKey> wanted) {
        List<Comparison> served = new ArrayList<>();
        while (served.size() < index.columns().size()) {
            Comparison equality = equality(comparisons, index.columns().get(served.size()));
            if (equality == null) {
                break;
            }
            served.add(equality);
        }
        List<Expression> equal = values(served);
        int score = equal.size() * EQUALITY_SCORE;
        if (index.unique() && equal.size() == index.columns().size()) {
            score = UNIQUE_SCORE;
        }
        Optional<Relation.Bound> lower = Optional.empty();
        Optional<Relation.Bound> upper = Optional.empty();
        if (equal.size() < index.columns().size()) {
            IndexColumn next = index.columns().get(equal.size());
            Comparison low = bound(comparisons, next, !next.descending());
            Comparison high = bound(comparisons, next, next.descending());
            lower = addBound(low, served);
            upper = addBound(high, served);
            score += (lower.isPresent() ? BOUND_SCORE : 0) + (upper.isPresent() ? BOUND_SCORE : 0);
        }
        IndexOrder order = IndexOrder.compare(table, index, equal.size(), pinned(comparisons), wanted);
        score += order == IndexOrder.NONE ? 0 : ORDER_SCORE;
        if (score == 0) {
            return null;
        }
        return new AccessPath(
                new Relation.IndexKey(index.id(), equal, lower, upper),
                served,
                score,
                order != IndexOrder.NONE,
                order == IndexOrder.BACKWARDS);
    }

    private static @Nullable Comparison bound(List<Comparison> comparisons, IndexColumn key, boolean lower) {
        for (Comparison comparison : comparisons) {
            if (!comparison.isEquality() && comparison.isOf(key) && comparison.isLowerBound() == lower) {
                return comparison;
            }
        }
        return null;
    }

    private static Optional<Relation.Bound> addBound(@Nullable Comparison comparison, List<Comparison> served) {
        if (comparison == null) {
            return Optional.empty();
        }
        served.add(comparison);
        return Optional.of(new Relation.Bound(comparison.value(), comparison.isInclusive()));
    }

    /** Columns that have one value in all rows found; their order does not matter. */
    private static Set<Integer> pinned(List<Comparison> comparisons) {
        Set<Integer> pinned = new HashSet<>();
        for (Comparison comparison : comparisons) {
            boolean isOfColumn = comparison.column() != IndexColumn.COMPUTED;
            if (isOfColumn && comparison.isEquality() && !comparison.dependsOnOuterRow()) {
                pinned.add(comparison.column());
            }
        }
        return pinned;
    }
}
