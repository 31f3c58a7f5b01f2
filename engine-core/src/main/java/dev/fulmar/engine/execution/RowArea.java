package dev.fulmar.engine.execution;

import java.util.List;

/**
 * Rows of a table that a statement reads or changes: those that are there, and those that might be. An area may be
 * larger than what the statement says, never smaller but for values that are alike in their first bytes.
 *
 * @param row number of the only row, as {@link SoughtRow} has it; 0 if the area is a range
 * @param extents of columns, by ascending column, one each; a column without one has any value
 */
public record RowArea(int table, long row, List<Extent> extents) {
    public RowArea {
        extents = List.copyOf(extents);
    }

    /**
     * Values of a column, as numbers in the same order; large values may share one.
     *
     * @param only hash of the only value; 0 if there may be several
     */
    public record Extent(int column, long from, long to, long only) {
        boolean meets(Extent other) {
            return from <= other.to && other.from <= to && (only == 0 || other.only == 0 || only == other.only);
        }

        boolean hasAllOf(Extent other) {
            return from <= other.from && other.to <= to && (only == 0 || only == other.only);
        }

        /** The values of both; none if it ends before it begins. */
        Extent and(Extent other) {
            return new Extent(
                    column, Math.max(from, other.from), Math.min(to, other.to), only != 0 ? only : other.only);
        }
    }

    /** Whether it is one row by a unique key. */
    public boolean isRow() {
        return row != 0;
    }

    /** Whether some row may be in both. Rows by two different keys of a table count as two. */
    public boolean meets(RowArea other) {
        if (table != other.table) {
            return false;
        }
        if (isRow() && other.isRow()) {
            return row == other.row;
        }
        int theirs = 0;
        for (Extent own : extents) {
            while (theirs < other.extents.size() && other.extents.get(theirs).column() < own.column()) {
                theirs++;
            }
            if (theirs < other.extents.size()
                    && other.extents.get(theirs).column() == own.column()
                    && !own.meets(other.extents.get(theirs))) {
                return false;
            }
        }
        return true;
    }

    /** Whether all rows of the other one are in it. */
    public boolean hasAllOf(RowArea other) {
        if (table != other.table || isRow()) {
            return table == other.table && row == other.row;
        }
        int theirs = 0;
        for (Extent own : extents) {
            while (theirs < other.extents.size() && other.extents.get(theirs).column() < own.column()) {
                theirs++;
            }
            if (theirs == other.extents.size()
                    || other.extents.get(theirs).column() != own.column()
                    || !own.hasAllOf(other.extents.get(theirs))) {
                return false;
            }
        }
        return true;
    }
}
