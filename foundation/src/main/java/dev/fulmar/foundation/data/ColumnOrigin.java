package dev.fulmar.foundation.data;

/**
 * The column of a table whose values a column of a result has, as they are.
 *
 * @param table its id in the catalog
 * @param column its position among the columns that users see, from 0
 */
public record ColumnOrigin(int table, int column) {}
