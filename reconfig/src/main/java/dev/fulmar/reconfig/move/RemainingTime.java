package dev.fulmar.reconfig.move;

import dev.fulmar.reconfig.peer.Outlook;
import java.util.Collection;
import java.util.TreeMap;

/**
 * How long a node's moves will take: the rows that are left at its sources, at the speed so far. Each source is counted
 * once, for that takes a look at all of its buckets. For tasks.
 */
final class RemainingTime {
    private final long begunNanos;
    private final TreeMap<Integer, Long> rowsLeft = new TreeMap<>();
    private boolean isCounted;
    private long rowsMoved;

    /** @param nowNanos when the first of the moves begins */
    RemainingTime(long nowNanos) {
        begunNanos = nowNanos;
    }

    /** The source has so many rows on their way to other partitions. */
    void counted(int source, long rows) {
        rowsLeft.put(source, rows);
        isCounted = true;
    }

    /** Whether the source is counted. */
    boolean knows(int source) {
        return rowsLeft.containsKey(source);
    }

    /** This node has no other sources any more. */
    void keepOnly(Collection<Integer> sources) {
        rowsLeft.keySet().retainAll(sources);
    }

    /** The rows of a bucket have left. */
    void handedOver(int source, long rows) {
        rowsMoved += rows;
        rowsLeft.computeIfPresent(source, (partition, left) -> Math.max(0, left - rows));
    }

    /**
     * The rest of the moves.
     *
     * @param stagedRows of the bucket that moves
     */
    Outlook outlook(long stagedRows, long nowNanos) {
        long counted = rowsLeft.values().stream().mapToLong(rows -> rows).sum();
        long left = Math.max(0, counted - stagedRows);
        long moved = rowsMoved + stagedRows;
        boolean isUnknown = !isCounted || (left > 0 && moved == 0);
        long nanosLeft = isUnknown
                ? Outlook.UNKNOWN
                : left == 0 ? 0 : (long) ((nowNanos - begunNanos) * ((double) left / moved));
        return new Outlook(left, nanosLeft, 0);
    }
}
