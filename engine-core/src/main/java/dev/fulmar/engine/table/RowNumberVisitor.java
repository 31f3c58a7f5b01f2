package dev.fulmar.engine.table;

/** A visitor of the number that the next row of a table's bucket gets. */
@FunctionalInterface
public interface RowNumberVisitor {
    void next(int table, int bucket, long number);
}
