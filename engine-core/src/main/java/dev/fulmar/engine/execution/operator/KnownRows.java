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

    /** The row of the frame by its number, from 1; from its end if negative. */
    long within(WindowExtent extent, long number) {
        int from = before(extent.first());
        int end = before(extent.end());
        int step = number < 0 ? -1 : 1;
        long left = Math.abs(number);
        for (int i = number < 0 ? end - 1 : from; i >= from && i < end; i += step) {
            if (!extent.excludes(rows[i]) && --left == 0) {
                return rows[i];
            }
        }
        return -1;
    }

    /** The number of them before a row. */
    private int before(int row) {
        int found = Arrays.binarySearch(rows, 0, count, row);
        return found < 0 ? -found - 1 : found;
    }
}
