package dev.fulmar.reconfig.peer;

import dev.fulmar.engine.partitioning.KeyRange;
import java.util.List;

/**
 * Report of a move by its source. Ranges that are handed over together have one report. Immutable.
 *
 * @param reconfiguration its number
 * @param move number of the move
 * @param rows that are staged, or were handed over
 * @param bytes of chunks, also of those that were sent again
 * @param pauseNanos time for which calls waited for the hand-off; 0 before
 * @param ranges that move together
 */
public record RangeReport(
        long reconfiguration,
        long move,
        int from,
        int to,
        RangeState state,
        long rows,
        long bytes,
        long pauseNanos,
        List<KeyRange> ranges) {
    public RangeReport {
        ranges = List.copyOf(ranges);
    }

    /** Of a move that begins. */
    public static RangeReport begun(long reconfiguration, long move, int from, int to, List<KeyRange> ranges) {
        return new RangeReport(reconfiguration, move, from, to, RangeState.COPYING, 0, 0, 0, ranges);
    }

    /** So many more bytes are staged, and so many rows in all. */
    public RangeReport sent(int more, long staged) {
        return new RangeReport(reconfiguration, move, from, to, state, staged, bytes + more, pauseNanos, ranges);
    }

    public RangeReport in(RangeState next) {
        return new RangeReport(reconfiguration, move, from, to, next, rows, bytes, pauseNanos, ranges);
    }

    /** The rows are at the destination, and calls have waited for so long. */
    public RangeReport done(long handedOver, long pause) {
        return new RangeReport(reconfiguration, move, from, to, RangeState.DONE, handedOver, bytes, pause, ranges);
    }

    /** Whether rows of it are on their way. */
    public boolean isUnderWay() {
        return state == RangeState.COPYING || state == RangeState.HANDING_OVER;
    }
}
