package dev.fulmar.engine.execution.operator;

import java.util.Arrays;

/** The rows of a window partition where a value is not null, in order; IGNORE NULLS chooses among them. */
final class KnownRows {
    private int[] rows = new int[16];
    private int count;

    void add(int row) {
        if (count == rows.length) {
            rows = Arrays.copyOf(rows, 2 * count);
        }
        rows[count++] = row;
    }

    /** So many rows behind the given one, or before it if negative; the row itself at 0. */
    long at(int row, long distance) {
        if (distance == 0) {
            return row;
        }
        int before = before(row);
        long place = distance < 0 ? before + distance : before(row + 1) + distance - 1;
        return place >= 0 && place < count ? rows[(int) place] : -1;
    }

    /** The row of the frame by its number, from 1; from its end if negative. It takes the same time in any frame. */
    long within(WindowExtent extent, long number) {
        int from = before(extent.first());
        int left = before(extent.holeFrom()) - from;
        int behindHole = before(extent.holeEnd());
        int own = extent.isRowLeft() && isKnown(extent.row()) ? 1 : 0;
        int size = left + own + before(extent.end()) - behindHole;
        long place = number < 0 ? size + number : number - 1;
        if (place < 0 || place >= size) {
            return -1;
        }
        if (place < left) {
            return rows[from + (int) place];
        }
        return own == 1 && place == left ? extent.row() : rows[behindHole + (int) place - left - own];
    }

    private boolean isKnown(int row) {
        return Arrays.binarySearch(rows, 0, count, row) >= 0;
    }

    /** The number of them before a row. */
    private int before(int row) {
        int found = Arrays.binarySearch(rows, 0, count, row);
        return found < 0 ? -found - 1 : found;
    }
}
