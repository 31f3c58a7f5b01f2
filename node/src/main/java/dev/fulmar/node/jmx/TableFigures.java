package dev.fulmar.node.jmx;

/** Figures of a table, over all partitions; {@code partitioningColumn} is empty for a replicated one. */
public record TableFigures(String name, String partitioningColumn, int indexes, long rows, long memoryBytes) {}
