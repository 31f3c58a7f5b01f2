package dev.fulmar.reconfig.move;

import dev.fulmar.reconfig.peer.Outlook;

/** How long a node's moves will take: the rows that are left, at the speed so far. For tasks. */
final class RemainingTime {
    private final long begunNanos;
    private long rowsLeft;
    private long rowsMoved;

    /** @param nowNanos when the first of the moves begins */
    RemainingTime(long nowNanos) {
        begunNanos = nowNanos;
    }

    /** A bucket is chosen; so many rows are left with those of it. */
    void chosen(long rows) {
        rowsLeft = rows;
    }

    /** The rows of a bucket have left. */
    void handedOver(long rows) {
        rowsMoved += rows;
        rowsLeft = Math.max(0, rowsLeft - rows);
    }

    /**
     * The rest of the moves.
     *
     * @param stagedRows of the bucket that moves
     * @param delayNanos pause between two chunks that calls on this node need
     */
    Outlook outlook(long stagedRows, long nowNanos, long delayNanos) {
        long left = Math.max(0, rowsLeft - stagedRows);
        long moved = rowsMoved + stagedRows;
        long nanosLeft = left == 0
                ? 0
                : moved == 0 ? Outlook.UNKNOWN : (long) ((nowNanos - begunNanos) * ((double) left / moved));
        return new Outlook(left, nanosLeft, delayNanos);
    }
}
