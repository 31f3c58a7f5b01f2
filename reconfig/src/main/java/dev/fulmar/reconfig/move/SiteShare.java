package dev.fulmar.reconfig.move;

import dev.fulmar.engine.partitioning.MovePace;

/**
 * Bounds the share of a site's time that the copying of a bucket takes while its pieces take long. Code that is not
 * compiled yet takes many times as long, and calls must not wait for it all the time. After such a piece the copying
 * rests for a multiple of the time by which this has taken longer than a usual one on the partition's thread. For
 * tasks.
 */
final class SiteShare {
    /** Longest rest, with which a move still goes on. */
    static final long MOST_REST_NANOS = 1_000_000_000;

    /** A piece of this time is followed by the usual pause alone: a rest would have more rows change meanwhile. */
    static final long USUAL_NANOS = 5_000_000;

    /** Share of copying that must keep up with rows that change, so that it comes to an end. */
    private static final int URGENT_PERCENT = 50;

    private final int mostSharePercent;
    private long notBeforeNanos;
    private boolean rests;

    SiteShare(MovePace pace) {
        mostSharePercent = pace.mostSharePercent();
    }

    /**
     * A piece was copied.
     *
     * @param nanos that it has taken
     * @param endNanos when it was there
     * @param isUrgent whether the copying must keep up with rows that change
     */
    void took(long nanos, long endNanos, boolean isUrgent) {
        int percent = isUrgent ? Math.max(URGENT_PERCENT, mostSharePercent) : mostSharePercent;
        notBeforeNanos = endNanos + restNanos(nanos, percent);
        rests = true;
    }

    /** The rest after work of so many nanoseconds, if what is beyond the usual may take so much of the time. */
    static long restNanos(long nanos, int mostSharePercent) {
        long most = MOST_REST_NANOS * mostSharePercent / MovePace.ANY_SHARE;
        return Math.clamp(nanos - USUAL_NANOS, 0, most) * (MovePace.ANY_SHARE - mostSharePercent) / mostSharePercent;
    }

    /** Until the next piece may begin; 0 if it may now. */
    long leftNanos(long nowNanos) {
        return rests ? Math.max(0, notBeforeNanos - nowNanos) : 0;
    }
}
