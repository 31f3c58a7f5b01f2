package dev.fulmar.reconfig.move;

/**
 * State of the newest reconfiguration of a node.
 *
 * @param state of it
 * @param rangesLeft ranges that still change their partition
 * @param bucketsMoved buckets that were handed over
 * @param rowsMoved rows of these
 * @param bytesSent bytes of chunks, also of those that were sent again
 * @param current the bucket that moves, or nothing
 * @param lastPauseNanos time for which calls on the last bucket's keys waited for its hand-off
 * @param worstPauseNanos the longest of these times
 * @param message why it waits or has ended, or nothing
 */
public record ReconfigurationStatus(
        State state,
        int rangesLeft,
        long bucketsMoved,
        long rowsMoved,
        long bytesSent,
        String current,
        long lastPauseNanos,
        long worstPauseNanos,
        String message) {
    /** States of a reconfiguration. */
    public enum State {
        /** There has been none since the node started. */
        NONE,
        RUNNING,
        /** It waits for a resume; the bucket that moved is at its source. */
        PAUSED,
        /** The plan is the one that was asked for. */
        DONE,
        /** It ended by a cancel; buckets that were handed over stay where they are. */
        CANCELLED
    }

    static final ReconfigurationStatus NONE = new ReconfigurationStatus(State.NONE, 0, 0, 0, 0, "", 0, 0, "");

    static ReconfigurationStatus begun(int ranges) {
        return new ReconfigurationStatus(State.RUNNING, ranges, 0, 0, 0, "", 0, 0, "");
    }

    ReconfigurationStatus with(State next, String why) {
        return new ReconfigurationStatus(
                next, rangesLeft, bucketsMoved, rowsMoved, bytesSent, current, lastPauseNanos, worstPauseNanos, why);
    }

    ReconfigurationStatus at(int ranges, String bucket) {
        return new ReconfigurationStatus(
                state, ranges, bucketsMoved, rowsMoved, bytesSent, bucket, lastPauseNanos, worstPauseNanos, message);
    }

    ReconfigurationStatus sent(int bytes) {
        return new ReconfigurationStatus(
                state,
                rangesLeft,
                bucketsMoved,
                rowsMoved,
                bytesSent + bytes,
                current,
                lastPauseNanos,
                worstPauseNanos,
                message);
    }

    ReconfigurationStatus handedOver(long rows, long pauseNanos) {
        return new ReconfigurationStatus(
                state,
                rangesLeft,
                bucketsMoved + 1,
                rowsMoved + rows,
                bytesSent,
                "",
                pauseNanos,
                Math.max(worstPauseNanos, pauseNanos),
                message);
    }
}
