package dev.fulmar.engine.execution.operator;

import dev.fulmar.engine.plan.Relation.FrameEnd;
import dev.fulmar.engine.plan.Relation.WindowFrame;
import java.util.function.IntUnaryOperator;

/** The rows of a partition that are in the frame of one of them, row after row. */
final class WindowExtent {
    private final WindowFrame frame;
    private final IntUnaryOperator peersEndAfter;
    private final int from;
    private final int to;
    private int peersFrom;
    private int peersEnd;
    private int first;
    private int end;

    /**
     * @param peersEndAfter the first row after the given one that is no peer of it
     * @param from first row of the partition
     * @param to the row behind the partition
     */
    WindowExtent(WindowFrame frame, IntUnaryOperator peersEndAfter, int from, int to) {
        this.frame = frame;
        this.peersEndAfter = peersEndAfter;
        this.from = from;
        this.to = to;
        peersFrom = from;
        peersEnd = from;
    }

    /** To be called for each row of the partition, in order. */
    void moveTo(int row) {
        if (row == peersEnd) {
            peersFrom = row;
            peersEnd = peersEndAfter.applyAsInt(row);
        }
        FrameEnd start = frame.start();
        FrameEnd last = frame.end();
        if (start.unbounded()) {
            first = from;
        } else {
            first = frame.peers() ? peersFrom : Math.clamp(row + start.distance(), from, to);
        }
        if (last.unbounded()) {
            end = to;
        } else {
            end = frame.peers() ? peersEnd : Math.clamp(row + last.distance() + 1, from, to);
        }
    }

    int first() {
        return first;
    }

    /** The row behind the frame. */
    int end() {
        return end;
    }

    boolean isEmpty() {
        return first >= end;
    }
}
