package dev.fulmar.foundation.data;

/** A column of a result. */
public record ResultColumn(String name, ColumnType type, boolean nullable) {}
