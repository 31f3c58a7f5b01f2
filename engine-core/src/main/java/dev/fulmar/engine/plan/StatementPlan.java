package dev.fulmar.engine.plan;

import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.ResultColumn;
import java.util.List;
import java.util.Optional;

/**
 * A planned statement: fragments that run on partitions, and the merge of what they yield. A statement with one fragment and no merge
 * yields what its fragment yields; if that one runs on several partitions, their rows one after another in partition order, or
 * for a write the sum of the counts.
 *
 * @param sql text, for messages and EXPLAIN
 * @param columns of the result; empty for a write
 * @param merge over {@link Relation.Receive} of the fragments; present when the fragments' rows are not the result
 * @param onOnePartition yields the whole result on a partition that alone has all partitions of all fragments: what to run instead
 *     of fragments and merge when their keys turn out to belong together; present only with a merge
 */
public record StatementPlan(
        String sql,
        List<ColumnType> parameters,
        List<ResultColumn> columns,
        List<Fragment> fragments,
        Optional<Relation> merge,
        Optional<Relation> onOnePartition) {
    public StatementPlan {
        parameters = List.copyOf(parameters);
        columns = List.copyOf(columns);
        fragments = List.copyOf(fragments);
    }

    /** A statement without an alternative on one partition. */
    public StatementPlan(
            String sql,
            List<ColumnType> parameters,
            List<ResultColumn> columns,
            List<Fragment> fragments,
            Optional<Relation> merge) {
        this(sql, parameters, columns, fragments, merge, Optional.empty());
    }

    /** Part of a statement that runs on each partition of its scope. */
    public record Fragment(PartitionScope scope, Operation operation) {}

    public boolean isReadOnly() {
        return fragments.stream().allMatch(fragment -> fragment.operation() instanceof Operation.Query);
    }
}
