package dev.fulmar.engine.plan;

import java.util.List;

/** The partitions that a fragment needs; known before it runs. */
public sealed interface PartitionScope {
    /** Any one partition will do: it reads replicated tables only, or none. */
    record Any() implements PartitionScope {}

    /**
     * The partitions to which the values belong: parameters and literals of the partitioning column's type. One value:
     * one partition.
     */
    record Keys(List<Expression> values) implements PartitionScope {
        public Keys {
            values = List.copyOf(values);
        }
    }

    /** Every partition. */
    record All() implements PartitionScope {}

    /** Writes a replicated table: every partition does the same and the count is that of one. */
    record Replicas() implements PartitionScope {}

    /** INSERT of several rows: each row goes to the partition of its value in this column of the table. */
    record ByRow(int column) implements PartitionScope {}
}
