package dev.fulmar.engine.partition;

import dev.fulmar.engine.spi.SliceHaste;

/**
 * The share of a site's time that slices of long reads take. Reading fills the time of a site that has nothing else to
 * do. Beside other work it does not, even while the site waits: clients and connections may need the core more. So it
 * gets a share that depends on what the other work took lately: a quarter beside very little work, and little beside
 * more. Times are of the site's clock; for its thread.
 */
final class SlicePace {
    /** Other work counts for so long, and for as long again. */
    static final long WINDOW_NANOS = 10_000_000;

    /**
     * A slice is followed by at most so many times its length without one, beside less work than {@link #BUSY_NANOS}.
     * Beside more by as many as its {@link SliceHaste} has.
     */
    static final int QUIET_RATIO = 3;

    static final long BUSY_NANOS = WINDOW_NANOS / 16;

    /** The least time that counts for a slice. */
    static final long SHORTEST_NANOS = 1_000;

    private long windowNanos;
    private long workInWindow;
    private long workBefore;
    private long sliceEndNanos;
    private long sliceNanos;
    private SliceHaste haste = SliceHaste.USUAL;

    SlicePace(long nowNanos) {
        windowNanos = nowNanos;
        sliceEndNanos = nowNanos;
    }

    /** The site has done other work for so long, until now. */
    void worked(long nowNanos, long nanos) {
        roll(nowNanos);
        workInWindow += Math.max(1, nanos);
    }

    /** A slice has run. */
    void ran(long startNanos, long endNanos, SliceHaste hasteOfReader) {
        haste = hasteOfReader;
        sliceEndNanos = endNanos;
        sliceNanos = Math.max(SHORTEST_NANOS, endNanos - startNanos);
    }

    /** The time that the next slice has to wait; 0 or less if it is due. */
    long delayNanos(long nowNanos) {
        roll(nowNanos);
        long work = Math.max(workBefore, workInWindow);
        if (work == 0) {
            return 0;
        }
        int ratio = work < BUSY_NANOS ? Math.min(QUIET_RATIO, haste.ratio()) : haste.ratio();
        return sliceEndNanos + sliceNanos * ratio - nowNanos;
    }

    /**
     * The time to look again although no work brings the site here, after the delay. Where there was much work there
     * will most likely be more, which is cheaper than a timer; and if there is none, a window has passed soon.
     */
    long timerNanos(long delayNanos) {
        return Math.max(workBefore, workInWindow) < BUSY_NANOS ? delayNanos : Math.max(delayNanos, WINDOW_NANOS / 2);
    }

    private void roll(long nowNanos) {
        long passed = nowNanos - windowNanos;
        if (passed >= WINDOW_NANOS) {
            workBefore = passed < 2 * WINDOW_NANOS ? workInWindow : 0;
            workInWindow = 0;
            windowNanos = nowNanos;
        }
    }
}
