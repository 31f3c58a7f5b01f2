package dev.fulmar.engine.table;

import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.partitioning.BucketMap;
import dev.fulmar.engine.partitioning.KeySpace;
import dev.fulmar.engine.partitioning.PartitionPlan;
import dev.fulmar.engine.row.RowLayout;
import dev.fulmar.foundation.data.PartitioningHash;

/**
 * The owner of rows of a partitioned table by a plan, which may be another one than that of the partition in which they
 * lie.
 */
public final class RowOwner {
    private final RowLayout layout;
    private final int column;

    /** @param table a partitioned one */
    public RowOwner(Table table, RowLayout layout) {
        this.layout = layout;
        this.column = table.partitioningColumn().orElseThrow();
    }

    /** The partition of the row. */
    public int partitionOf(long row, PartitionPlan plan) {
        return switch (layout.kind(column)) {
            case BYTE, SHORT, INT, LONG -> plan.partitionOf(layout.getLong(row, column));
            case FLOAT, DOUBLE -> plan.partitionOf(layout.getDouble(row, column));
            case WIDE -> plan.partitionOfWide(layout.wideHigh(row, column), layout.wideLow(row, column));
            case BYTES -> plan.partitionOf(layout.bytesAddress(row, column), layout.keyBytesLength(row, column));
        };
    }

    /** The space in which the row's key has its position. */
    public KeySpace spaceOf(KeySpace spaceOfIntegers) {
        return switch (layout.kind(column)) {
            case BYTE, SHORT, INT, LONG -> spaceOfIntegers;
            case FLOAT, DOUBLE, WIDE, BYTES -> KeySpace.HASH;
        };
    }

    /** The position of the row's key in its space. */
    public long positionOf(long row, KeySpace spaceOfIntegers) {
        return switch (layout.kind(column)) {
            case BYTE, SHORT, INT, LONG -> {
                long key = layout.getLong(row, column);
                yield spaceOfIntegers == KeySpace.INTEGER ? key : position(PartitioningHash.ofLong(key));
            }
            case FLOAT, DOUBLE -> position(PartitioningHash.ofDouble(layout.getDouble(row, column)));
            case WIDE -> position(PartitioningHash.ofWide(layout.wideHigh(row, column), layout.wideLow(row, column)));
            case BYTES ->
                position(PartitioningHash.ofNative(
                        layout.bytesAddress(row, column), layout.keyBytesLength(row, column)));
        };
    }

    private static long position(long hash) {
        return hash ^ PartitionPlan.UNSIGNED_ORDER;
    }

    /** The bucket of the row in its partition. */
    public int bucketOf(long row, BucketMap buckets) {
        return switch (layout.kind(column)) {
            case BYTE, SHORT, INT, LONG -> buckets.bucketOf(layout.getLong(row, column));
            case FLOAT, DOUBLE -> buckets.bucketOf(layout.getDouble(row, column));
            case WIDE -> buckets.bucketOfWide(layout.wideHigh(row, column), layout.wideLow(row, column));
            case BYTES -> buckets.bucketOf(layout.bytesAddress(row, column), layout.keyBytesLength(row, column));
        };
    }
}
