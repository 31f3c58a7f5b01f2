package dev.fulmar.engine.table;

/** Hears of every row that comes, changes or goes; not of its undo, which comes before anybody who waits for the end of the transaction. */
@FunctionalInterface
interface RowObserver {
    /** The slot may hold something else than before, or nothing. */
    void changed(long row);
}
