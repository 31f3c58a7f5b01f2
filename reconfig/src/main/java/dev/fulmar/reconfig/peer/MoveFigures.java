package dev.fulmar.reconfig.peer;

/**
 * Figures of a node's moves in a reconfiguration.
 *
 * @param reconfiguration its number
 * @param bucketsMoved buckets that were handed over
 * @param rowsMoved rows of these
 * @param bytesSent bytes of chunks, also of those that were sent again
 * @param current the bucket that moves, or nothing
 * @param lastPauseNanos time for which calls on the last bucket's partition waited for its hand-off
 * @param worstPauseNanos the longest of these times
 * @param outlook what is to come
 */
public record MoveFigures(
        long reconfiguration,
        long bucketsMoved,
        long rowsMoved,
        long bytesSent,
        String current,
        long lastPauseNanos,
        long worstPauseNanos,
        Outlook outlook) {
    /** Of a node that has moved nothing yet. */
    public static MoveFigures begun(long reconfiguration) {
        return new MoveFigures(reconfiguration, 0, 0, 0, "", 0, 0, Outlook.NOTHING);
    }

    public MoveFigures at(String bucket) {
        return new MoveFigures(
                reconfiguration, bucketsMoved, rowsMoved, bytesSent, bucket, lastPauseNanos, worstPauseNanos, outlook);
    }

    public MoveFigures sent(int bytes) {
        return new MoveFigures(
                reconfiguration,
                bucketsMoved,
                rowsMoved,
                bytesSent + bytes,
                current,
                lastPauseNanos,
                worstPauseNanos,
                outlook);
    }

    public MoveFigures handedOver(long rows, long pauseNanos) {
        return new MoveFigures(
                reconfiguration,
                bucketsMoved + 1,
                rowsMoved + rows,
                bytesSent,
                "",
                pauseNanos,
                Math.max(worstPauseNanos, pauseNanos),
                outlook);
    }

    public MoveFigures with(Outlook next) {
        return new MoveFigures(
                reconfiguration, bucketsMoved, rowsMoved, bytesSent, current, lastPauseNanos, worstPauseNanos, next);
    }

    /** These and those of another node. */
    public MoveFigures and(MoveFigures other) {
        String separator = current.isEmpty() || other.current.isEmpty() ? "" : "; ";
        return new MoveFigures(
                reconfiguration,
                bucketsMoved + other.bucketsMoved,
                rowsMoved + other.rowsMoved,
                bytesSent + other.bytesSent,
                current + separator + other.current,
                Math.max(lastPauseNanos, other.lastPauseNanos),
                Math.max(worstPauseNanos, other.worstPauseNanos),
                outlook.and(other.outlook));
    }
}
