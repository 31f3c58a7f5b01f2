package dev.fulmar.engine.index;

import org.jspecify.annotations.Nullable;

/**
 * A range of an ordered index: equal values of the first key columns, then bounds of the next one in index order. Of a
 * descending column the lower bound is the larger value. With one bound only, rows whose next column is null are left
 * out. Use: {@code reset()}, add the equal values to {@link #prefix()}, then {@link #beginLower} and
 * {@link #beginUpper} and add one value to what they return. Reusable.
 */
public final class SearchRange {
    private final KeyFormat format;
    private final SearchKey prefix;
    private final SearchKey lower;
    private final SearchKey upper;
    private boolean hasLower;
    private boolean hasUpper;
    private boolean lowerInclusive;
    private boolean upperInclusive;
    private boolean empty;

    public SearchRange(KeyFormat format, @Nullable KeyRouting routing) {
        this.format = format;
        prefix = new SearchKey(format, routing);
        lower = new SearchKey(format, null);
        upper = new SearchKey(format, null);
        reset();
    }

    /** Starts anew: the whole index. */
    public SearchRange reset() {
        prefix.reset();
        hasLower = false;
        hasUpper = false;
        return this;
    }

    public SearchKey prefix() {
        return prefix;
    }

    /** The prefix is complete; the lower bound's value is to be added to the returned key. */
    public SearchKey beginLower(boolean inclusive) {
        hasLower = true;
        lowerInclusive = inclusive;
        lower.copyOf(prefix);
        return lower;
    }

    /** The prefix is complete; the upper bound's value is to be added to the returned key. */
    public SearchKey beginUpper(boolean inclusive) {
        hasUpper = true;
        upperInclusive = inclusive;
        upper.copyOf(prefix);
        return upper;
    }

    /** Brings the bounds into the form in which a cursor compares; {@link #first} and {@link #end} follow. */
    void complete() {
        empty = prefix.saturation() != 0;
        boolean nullable = prefix.nextColumn() < format.keyColumns() && format.isNullable(prefix.nextColumn());
        boolean skipsNulls = (hasLower || hasUpper) && nullable;
        if (!hasLower) {
            lower.copyOf(prefix);
            if (skipsNulls) {
                lower.addNotNullMarker();
            }
        }
        if (!hasUpper) {
            upper.copyOf(prefix);
            if (skipsNulls) {
                upper.addNotNullMarker();
            }
        }
        // A bound beyond the column's range excludes even the last value that it was set to, or nothing.
        boolean fromValue = !hasLower || (lower.saturation() == 0 ? lowerInclusive : lower.saturation() < 0);
        boolean toValue = !hasUpper || (upper.saturation() == 0 ? upperInclusive : upper.saturation() > 0);
        lower.pad(!fromValue);
        upper.pad(toValue);
    }

    boolean isEmpty() {
        return empty;
    }

    /** Entries not before this key are in the range. */
    SearchKey first() {
        return lower;
    }

    /** Entries before this key are in the range. */
    SearchKey end() {
        return upper;
    }

    /** The bucket that the prefix named, or {@link SearchKey#NO_BUCKET}. */
    public int bucket() {
        return prefix.bucket();
    }
}
