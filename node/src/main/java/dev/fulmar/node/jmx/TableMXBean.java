package dev.fulmar.node.jmx;

/** A table, over all partitions. */
public interface TableMXBean {
    @Gauge("Name of the table.")
    String getTable();

    @Gauge("Column by which the table is partitioned; empty for a replicated table.")
    String getPartitioningColumn();

    @Gauge("Indexes of the table.")
    int getIndexes();

    @Gauge("Rows of the table; a replicated table counts its rows once.")
    long getRows();

    @Gauge("Off-heap memory of rows and indexes, all copies.")
    long getMemoryBytes();
}
