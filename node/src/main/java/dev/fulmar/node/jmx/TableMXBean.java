package dev.fulmar.node.jmx;

/** A table, over all partitions. */
public interface TableMXBean {
    String getTable();

    /** Empty for a replicated table. */
    String getPartitioningColumn();

    int getIndexes();

    /** A replicated table counts its rows once. */
    long getRows();

    /** Off-heap memory of rows and indexes, all copies. */
    long getMemoryBytes();
}
