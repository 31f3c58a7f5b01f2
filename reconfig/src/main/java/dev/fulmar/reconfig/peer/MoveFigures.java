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
 * @param ranges of keys that move, and that have moved
 * @param outlook the rest
 */
public record MoveFigures(
        long reconfiguration,
        long bucketsMoved,
        long rowsMoved,
        long bytesSent,
        String current,
        long lastPauseNanos,
        long worstPauseNanos,
        RangeCounts ranges,
        Outlook outlook) {
    /** Begins what is told in the place of a bucket while moves cannot succeed. */
    private static final String WAITS = "waits: ";

    /** Of a node that has moved nothing yet, and has counted no rows. */
    public static MoveFigures begun(long reconfiguration) {
        return new MoveFigures(reconfiguration, 0, 0, 0, "", 0, 0, RangeCounts.NONE, Outlook.NOT_COUNTED);
    }

    /** @param moving ranges of the bucket, if it is one that moves */
    public MoveFigures at(String bucket, int moving) {
        return new MoveFigures(
                reconfiguration,
                bucketsMoved,
                rowsMoved,
                bytesSent,
                bucket,
                lastPauseNanos,
                worstPauseNanos,
                ranges.moving(moving),
                outlook);
    }

    /** The hand-off of the bucket that moves came too early, for so many times so far. */
    public MoveFigures refused(String bucket, int times) {
        return at(bucket + ", whose hand-off was refused " + times + (times == 1 ? " time" : " times"), (int)
                ranges.moving());
    }

    /** Of a node whose moves cannot succeed at the moment, for the reason. */
    public MoveFigures waiting(String reason) {
        return at(WAITS + reason, 0);
    }

    /** Why the moves of a node cannot succeed at the moment; nothing if they can. */
    public String reasonToWait() {
        return current.startsWith(WAITS) ? current.substring(WAITS.length()) : "";
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
                ranges,
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
                ranges.handedOver(),
                outlook);
    }

    public MoveFigures with(Outlook next) {
        return new MoveFigures(
                reconfiguration,
                bucketsMoved,
                rowsMoved,
                bytesSent,
                current,
                lastPauseNanos,
                worstPauseNanos,
                ranges,
                next);
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
                ranges.and(other.ranges),
                outlook.and(other.outlook));
    }
}
