package dev.fulmar.node.jmx;

/** What a table holds, over all partitions; {@code partitioningColumn} is empty for a replicated one. */
public record TableFigures(String name, String partitioningColumn, int indexes, long rows, long memoryBytes) {}
