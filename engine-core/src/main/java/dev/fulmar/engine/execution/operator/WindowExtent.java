package dev.fulmar.engine.execution.operator;

import dev.fulmar.engine.plan.Relation.Exclusion;
import dev.fulmar.engine.plan.Relation.FrameEnd;
import dev.fulmar.engine.plan.Relation.WindowFrame;
import dev.fulmar.foundation.check.Invariants;
import java.util.function.IntUnaryOperator;

/**
 * The window frame of one row after another, as a range of rows of their window partition. It has the rows between its
 * ends but for a hole, in which the row itself may be left. Without an exclusion the hole is empty, and before all of
 * them.
 */
final class WindowExtent {
    /** Finds the end of a frame that is a value. */
    interface Search {
        /** The first row, from the given one on, whose key is not before the start of the frame of the other row. */
        int start(int from, int row);

        /** The first row, from the given one on, whose key is behind the end of the frame of the other row. */
        int end(int from, int row);
    }

    private final WindowFrame frame;
    private final Search search;
    private final IntUnaryOperator peersEndAfter;
    private final int from;
    private final int to;
    private int peersFrom;
    private int peersEnd;
    private int row;
    private int first;
    private int end;
    private int holeFrom;
    private int holeEnd;
    private boolean isRowLeft;

    /** Ends of the row before that are values; those of the next row are not before them. */
    private int knownStart;

    private int knownEnd;

    /** The number of the row's group of peers. */
    private int group = -1;

    /** The groups in which the frame begins, and behind which it ends, if an end counts groups. */
    private final GroupPlace startGroup = new GroupPlace();

    private final GroupPlace endGroup = new GroupPlace();

    /** A group of peers, by its number from 0, and the row at which it begins; it only goes forward. */
    private final class GroupPlace {
        private long number;
        private int begin;

        /** The first row of the group; the partition's first row or the row behind it where there is no such group. */
        int moveTo(long wanted) {
            while (number < wanted && begin < to) {
                begin = peersEndAfter.applyAsInt(begin);
                number++;
            }
            return begin;
        }
    }

    /**
     * @param search for ends that are values
     * @param peersEndAfter the first row after the given one that is no peer of it
     * @param from first row of the partition
     * @param to the row behind the partition
     */
    WindowExtent(WindowFrame frame, Search search, IntUnaryOperator peersEndAfter, int from, int to) {
        this.frame = frame;
        this.search = search;
        knownStart = from;
        knownEnd = from;
        this.peersEndAfter = peersEndAfter;
        this.from = from;
        this.to = to;
        startGroup.begin = from;
        endGroup.begin = from;
        peersFrom = from;
        peersEnd = from;
    }

    /** To be called for each row of the partition, in order. */
    void moveTo(int newRow) {
        row = newRow;
        if (row == peersEnd) {
            peersFrom = row;
            peersEnd = peersEndAfter.applyAsInt(row);
            group++;
        }
        FrameEnd start = frame.start();
        FrameEnd last = frame.end();
        if (start.unbounded()) {
            first = from;
        } else if (start.limit() != null) {
            knownStart = search.start(knownStart, row);
            first = knownStart;
        } else {
            first = frame.peers() ? peersStart(start) : Math.clamp(row + start.distance(), from, to);
        }
        if (last.unbounded()) {
            end = to;
        } else if (last.limit() != null) {
            knownEnd = search.end(knownEnd, row);
            end = knownEnd;
        } else {
            end = frame.peers() ? peersEnd(last) : Math.clamp(row + last.distance() + 1, from, to);
        }
        end = Math.max(first, end);
        exclude();
        if (Invariants.EXPENSIVE) {
            Invariants.check(
                    from <= first && end <= to && size() >= 0,
                    "the frame of a row lies within the row's window partition");
        }
    }

    private int peersStart(FrameEnd start) {
        return start.distance() == 0 ? peersFrom : startGroup.moveTo(group + start.distance());
    }

    private int peersEnd(FrameEnd last) {
        return last.distance() == 0 ? peersEnd : endGroup.moveTo(group + last.distance() + 1);
    }

    private void exclude() {
        switch (frame.exclusion()) {
            case NONE -> {
                holeFrom = first;
                holeEnd = first;
            }
            case CURRENT_ROW -> {
                holeFrom = Math.clamp(row, first, end);
                holeEnd = Math.clamp(row + 1, first, end);
            }
            case GROUP, TIES -> {
                holeFrom = Math.clamp(peersFrom, first, end);
                holeEnd = Math.clamp(peersEnd, first, end);
            }
        }
        isRowLeft = frame.exclusion() == Exclusion.TIES && row >= first && row < end;
    }

    /** The row at which the frame begins, though that may be excluded. */
    int first() {
        return first;
    }

    /** The row behind the frame. */
    int end() {
        return end;
    }

    /** The first row that is excluded, if any is. */
    int holeFrom() {
        return holeFrom;
    }

    /** The row behind those that are excluded. */
    int holeEnd() {
        return holeEnd;
    }

    /** Whether the row of the frame is in the frame though its peers are excluded. */
    boolean isRowLeft() {
        return isRowLeft;
    }

    /** The row whose frame this is. */
    int row() {
        return row;
    }

    /** Whether a row between the ends does not count. */
    boolean excludes(int other) {
        return other >= holeFrom && other < holeEnd && !(isRowLeft && other == row);
    }

    /** The number of rows in the frame. */
    int size() {
        return end - first - (holeEnd - holeFrom) + (isRowLeft ? 1 : 0);
    }

    /** The row that counts as the given one, from 0, which is less than {@link #size}. */
    int row(int number) {
        int before = holeFrom - first;
        if (number < before) {
            return first + number;
        }
        if (isRowLeft && number == before) {
            return row;
        }
        return holeEnd + number - before - (isRowLeft ? 1 : 0);
    }
}
