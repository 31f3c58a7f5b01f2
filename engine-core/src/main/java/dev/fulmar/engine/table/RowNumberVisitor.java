package dev.fulmar.engine.table;

/** Sees what number the next row of a table's bucket gets. */
@FunctionalInterface
public interface RowNumberVisitor {
    void next(int table, int bucket, long number);
}
