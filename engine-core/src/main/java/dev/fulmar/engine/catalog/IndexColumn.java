package dev.fulmar.engine.catalog;

/**
 * A key column of an index.
 *
 * @param column position in the table
 */
public record IndexColumn(int column, boolean descending) {}
