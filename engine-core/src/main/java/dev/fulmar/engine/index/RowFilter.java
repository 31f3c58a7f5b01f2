package dev.fulmar.engine.index;

/** The condition that says which rows an index has. One thread. */
@FunctionalInterface
public interface RowFilter {
    /** Whether the row that the slot holds, perhaps a saved one, meets the condition. */
    boolean admits(long slot);
}
