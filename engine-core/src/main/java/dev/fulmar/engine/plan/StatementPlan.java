package dev.fulmar.engine.plan;

import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.ResultColumn;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A planned statement: fragments that run on partitions, and the merge of what they yield. A statement with one
 * fragment and no merge yields what its fragment yields; if that one runs on several partitions, their rows one after
 * another in partition order, or for a write the sum of the counts.
 *
 * @param sql text, for messages and EXPLAIN
 * @param columns of the result; empty for a write that yields a count
 * @param merge over {@link Relation.Receive} of the fragments; present when the fragments' rows are not the result
 * @param onOnePartition yields the whole result on a partition that alone has all partitions of all fragments: what to
 *     run instead of fragments and merge when their keys turn out to belong together; present only with a merge
 * @param steps what to run instead of all of these, for a write that cannot change rows where it finds them; the
 *     fragments then are those of its source and say where to begin
 * @param narrowing how the same rows are found with less, for a query that needs several partitions
 * @param lock what it wants of its rows until its transaction ends; only of a query
 * @param lockedTables tables whose rows these are, by id; empty for all that it reads
 */
public record StatementPlan(
        String sql,
        List<ColumnType> parameters,
        List<ResultColumn> columns,
        List<Fragment> fragments,
        Optional<Relation> merge,
        Optional<Relation> onOnePartition,
        Optional<Steps> steps,
        Optional<SemiJoin> narrowing,
        Optional<RowLock> lock,
        List<Integer> lockedTables) {
    public StatementPlan {
        lockedTables = List.copyOf(lockedTables);
        parameters = List.copyOf(parameters);
        columns = List.copyOf(columns);
        fragments = List.copyOf(fragments);
    }

    /** A query that is not narrowed. */
    public StatementPlan(
            String sql,
            List<ColumnType> parameters,
            List<ResultColumn> columns,
            List<Fragment> fragments,
            Optional<Relation> merge,
            Optional<Relation> onOnePartition,
            Optional<Steps> steps) {
        this(
                sql,
                parameters,
                columns,
                fragments,
                merge,
                onOnePartition,
                steps,
                Optional.empty(),
                Optional.empty(),
                List.of());
    }

    /** A statement that is not run in steps. */
    public StatementPlan(
            String sql,
            List<ColumnType> parameters,
            List<ResultColumn> columns,
            List<Fragment> fragments,
            Optional<Relation> merge,
            Optional<Relation> onOnePartition) {
        this(sql, parameters, columns, fragments, merge, onOnePartition, Optional.empty());
    }

    /** A statement without an alternative on one partition. */
    public StatementPlan(
            String sql,
            List<ColumnType> parameters,
            List<ResultColumn> columns,
            List<Fragment> fragments,
            Optional<Relation> merge) {
        this(sql, parameters, columns, fragments, merge, Optional.empty(), Optional.empty());
    }

    /** A write that reads all of its source first, and then runs its changes for each row of it. */
    public static StatementPlan inSteps(String sql, List<ColumnType> parameters, Steps steps) {
        return new StatementPlan(
                sql, parameters, List.of(), steps.fragments(), Optional.empty(), Optional.empty(), Optional.of(steps));
    }

    /** The write, followed by the checks and changes that keep keys over partitions whole. */
    public StatementPlan keptBy(Upkeep upkeep) {
        Steps kept = new Steps(returningKeys(upkeep), upkeep.changes(), false, upkeep.demands());
        return new StatementPlan(
                sql,
                parameters,
                columns,
                kept.fragments(),
                Optional.empty(),
                Optional.empty(),
                Optional.of(kept),
                narrowing,
                lock,
                lockedTables);
    }

    /** The same write, whose rows begin with the keys that the upkeep's changes need. */
    private StatementPlan returningKeys(Upkeep upkeep) {
        List<Expression> values = new ArrayList<>(upkeep.keys());
        values.addAll(fragments.getFirst().operation().returning());
        List<ResultColumn> names = new ArrayList<>();
        upkeep.keys().forEach(key -> names.add(new ResultColumn("", key.type(), true)));
        names.addAll(columns);
        return returning(names, values);
    }

    /**
     * A query and what is done with its rows.
     *
     * @param source with the statement's parameters
     * @param changes each is run for every row before the next one begins; the row's columns are the parameters of the
     *     first, then those of the second and so on, of their types. The statement's count is that of the first; the
     *     rows that it yields are those of the last.
     * @param chosen whether each row has a first column before these, the position of the one change that is run for
     *     it: null for none, negative where that is not clear. The count and the rows then are those of all changes.
     * @param demands what the rows that each change yields must be. Empty but for an upkeep: the source is then the
     *     write itself. The count is that of the source, and the rows are its columns behind those for the changes. A
     *     change is not run for a row with a null among its parameters.
     * @param numbered ids of dense sequences whose numbers the statement is given row by row, as {@link RowNumbers}
     *     says. The source's last columns, one for each, number the rows that take such a number; null in other rows.
     *     Empty in a statement that has its numbers.
     */
    public record Steps(
            StatementPlan source,
            List<StatementPlan> changes,
            boolean chosen,
            List<Demand> demands,
            List<Integer> numbered) {
        public Steps {
            changes = List.copyOf(changes);
            demands = List.copyOf(demands);
            numbered = List.copyOf(numbered);
        }

        public Steps(StatementPlan source, List<StatementPlan> changes, boolean chosen, List<Demand> demands) {
            this(source, changes, chosen, demands, List.of());
        }

        public Steps(StatementPlan source, List<StatementPlan> changes, boolean chosen) {
            this(source, changes, chosen, List.of());
        }

        public Steps(StatementPlan source, List<StatementPlan> changes) {
            this(source, changes, false);
        }

        /** The same of another source. */
        public Steps of(StatementPlan other) {
            return new Steps(other, changes, chosen, demands, numbered);
        }

        /** Whether the source is the write itself, and the changes keep keys over partitions whole. */
        public boolean isUpkeep() {
            return !demands.isEmpty();
        }

        /** Columns of the source's rows that are parameters of changes. */
        public int keyColumns() {
            return changes.stream()
                    .mapToInt(change -> change.parameters().size())
                    .sum();
        }

        /** The write of an upkeep, as it was written. */
        public StatementPlan written() {
            int keys = keyColumns();
            List<Expression> values = source.fragments().getFirst().operation().returning();
            return source.returning(
                    source.columns().subList(keys, source.columns().size()), values.subList(keys, values.size()));
        }

        /** Where to begin. A change that needs all partitions makes the statement one of all of them. */
        List<Fragment> fragments() {
            if (!isUpkeep()) {
                return source.fragments();
            }
            List<Fragment> places = new ArrayList<>(written().fragments());
            boolean needsAll = changes.stream()
                    .flatMap(change -> change.fragments().stream())
                    .anyMatch(fragment -> fragment.scope() instanceof PartitionScope.All
                            || fragment.scope() instanceof PartitionScope.Replicas);
            if (needsAll) {
                places.add(new Fragment(
                        new PartitionScope.All(), new Operation.Query(new Relation.Values(List.of(), List.of()))));
            }
            return places;
        }

        private Steps returning(List<ResultColumn> names, List<Expression> values) {
            if (isUpkeep()) {
                int keys = keyColumns();
                List<ResultColumn> allNames = new ArrayList<>(source.columns().subList(0, keys));
                allNames.addAll(names);
                List<Expression> allValues = new ArrayList<>(
                        source.fragments().getFirst().operation().returning().subList(0, keys));
                allValues.addAll(values);
                return of(source.returning(allNames, allValues));
            }
            List<StatementPlan> yielding = new ArrayList<>(changes);
            int first = chosen ? 0 : changes.size() - 1;
            yielding.subList(first, changes.size()).replaceAll(change -> change.returning(names, values));
            return new Steps(source, yielding, chosen, demands, numbered);
        }
    }

    /**
     * A semi-join reduction: where one side of a join is small, only those rows of the other side are read that have
     * its keys. So not all of the other side is brought together.
     *
     * @param keys distinct values of one column, with the statement's parameters; yields one more than there is room
     *     for if there are too many, and the statement is run as it is then
     * @param narrow the same query, whose further parameters are keys: those that there are, the rest repeating one of
     *     them, or null if there is none
     */
    public record SemiJoin(StatementPlan keys, StatementPlan narrow) {}

    /** The same write in other steps. */
    StatementPlan inSteps(Optional<Steps> other) {
        return new StatementPlan(
                sql, parameters, columns, fragments, merge, onOnePartition, other, narrowing, lock, lockedTables);
    }

    /** The same query, narrowed where it can be. */
    public StatementPlan narrowedBy(Optional<SemiJoin> way) {
        return new StatementPlan(
                sql, parameters, columns, fragments, merge, onOnePartition, steps, way, lock, lockedTables);
    }

    /** The same query with another wish, for the rows of all its tables. */
    public StatementPlan locking(Optional<RowLock> wish) {
        return locking(wish, List.of());
    }

    /** The same query with another wish, for the rows of these tables; none for all that it reads. */
    public StatementPlan locking(Optional<RowLock> wish, List<Integer> tables) {
        return new StatementPlan(
                sql, parameters, columns, fragments, merge, onOnePartition, steps, narrowing, wish, tables);
    }

    /** Part of a statement that runs on each partition of its scope. */
    public record Fragment(PartitionScope scope, Operation operation) {}

    /** The same write, which yields these expressions over its table's columns for each row that it changes. */
    public StatementPlan returning(List<ResultColumn> names, List<Expression> values) {
        Optional<Steps> yieldingSteps = steps.map(each -> each.returning(names, values));
        List<Fragment> yielding = yieldingSteps.isPresent()
                ? yieldingSteps.get().fragments()
                : fragments.stream()
                        .map(fragment -> new Fragment(
                                fragment.scope(), fragment.operation().returning(values)))
                        .toList();
        return new StatementPlan(
                sql, parameters, names, yielding, merge, onOnePartition, yieldingSteps, narrowing, lock, lockedTables);
    }

    /** Whether it yields rows; otherwise it yields a count of changed rows. */
    public boolean yieldsRows() {
        return !columns.isEmpty() || isReadOnly();
    }

    /** Whether it inserts or updates. */
    public boolean addsRows() {
        return fragments.stream().anyMatch(fragment -> switch (fragment.operation()) {
                    case Operation.Insert _, Operation.Update _ -> true;
                    case Operation.Query _, Operation.Delete _ -> false;
                })
                || steps.filter(each -> each.changes().stream().anyMatch(StatementPlan::addsRows))
                        .isPresent();
    }

    public boolean isReadOnly() {
        return steps.isEmpty()
                && fragments.stream()
                        .allMatch(fragment -> fragment.operation() instanceof Operation.Query(Relation relation)
                                && !Drawing.happensIn(relation));
    }
}
