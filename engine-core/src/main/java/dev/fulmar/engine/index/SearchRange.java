package dev.fulmar.engine.index;

/**
 * A range of an ordered index: equal values of the first key columns, then bounds of the next one in index order (of a descending column
 * the lower bound is the larger value). With one bound only, rows whose next column is null are left out. Use: {@code reset()}, add the
 * equal values to {@link #prefix()}, then {@link #beginLower} and {@link #beginUpper} and add one value to what they return. Reusable.
 */
public final class SearchRange {
    /** Starts anew: the whole index. */
    public SearchRange reset() {
        throw new UnsupportedOperationException();
    }

    public SearchKey prefix() {
        throw new UnsupportedOperationException();
    }

    /** The prefix is complete; the lower bound's value is to be added to the returned key. */
    public SearchKey beginLower(boolean inclusive) {
        throw new UnsupportedOperationException();
    }

    /** The prefix is complete; the upper bound's value is to be added to the returned key. */
    public SearchKey beginUpper(boolean inclusive) {
        throw new UnsupportedOperationException();
    }
}
