package dev.fulmar.sql.planner;

import dev.fulmar.engine.plan.Expression;
import dev.fulmar.engine.plan.PartitionScope;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** The distribution of a relation's rows on partitions, or in the merge. */
sealed interface Distribution {
    /** Every partition has all of them: replicated tables and constants. */
    record Everywhere() implements Distribution {}

    /**
     * One run on any partition has all of them, and another run might choose others: LIMIT without order on replicated
     * tables.
     */
    record Once() implements Distribution {}

    /** Already brought together in the merge. */
    record Merged() implements Distribution {}

    /**
     * Each row is on one partition.
     *
     * @param columns output columns that hold the value which decides the partition
     * @param keys values one of which it is; null if it can be any
     */
    record Spread(Set<Integer> columns, @Nullable List<Expression> keys) implements Distribution {
        public Spread {
            columns = Set.copyOf(columns);
            keys = keys == null ? null : List.copyOf(keys);
        }

        /** All rows are on one partition. */
        boolean isSingle() {
            return keys != null && keys.size() == 1;
        }
    }

    /** Whether one run, on a partition or in the merge, sees all rows. */
    default boolean isWhole() {
        return switch (this) {
            case Everywhere everywhere -> true;
            case Once once -> true;
            case Merged merged -> true;
            case Spread spread -> spread.isSingle();
        };
    }

    /** The same rows with other columns: each old column appears as the new ones that the function names. */
    default Distribution withColumns(IntFunction<List<Integer>> newColumns) {
        if (!(this instanceof Spread spread)) {
            return this;
        }
        Set<Integer> mapped = new TreeSet<>();
        spread.columns().forEach(column -> mapped.addAll(newColumns.apply(column)));
        return new Spread(mapped, spread.keys());
    }

    /** The columns moved to the right. */
    default Distribution shifted(int distance) {
        return withColumns(column -> List.of(column + distance));
    }

    /** The partitions of a fragment that reads such rows. */
    default PartitionScope scope() {
        return switch (this) {
            case Everywhere everywhere -> new PartitionScope.Any();
            case Once once -> new PartitionScope.Any();
            case Spread spread when spread.keys() != null -> new PartitionScope.Keys(spread.keys());
            case Spread spread -> new PartitionScope.All();
            case Merged merged -> throw new IllegalStateException("the merge is no fragment");
        };
    }
}
