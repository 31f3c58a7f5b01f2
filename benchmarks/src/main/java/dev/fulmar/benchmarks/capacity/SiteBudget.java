package dev.fulmar.benchmarks.capacity;

/**
 * Token bucket of one site: the time of an emulated processor that is so many times slower than the real one. Work is
 * done at once, and paid afterwards. For the site's thread; others may read the sum.
 */
final class SiteBudget {
    /** Idle time that may be used later, which makes good for waits that end late. */
    static final long DEPTH_NANOS = 5_000_000;

    /** Debts below that are paid together with later ones, for a thread sleeps no shorter time. */
    static final long LEAST_WAIT_NANOS = 1_000_000;

    /** Until when the emulated processor is busy. */
    private long busyUntilNanos;

    /** Whether all that the thread does is work, measured by its time. */
    private boolean isAtWork;

    /** Of the last charge, by the clock and by the thread. */
    private long lookedNanos;

    private long chargedNanos;
    private volatile long workedNanos;

    /** @param nowNanos when it begins with a full bucket */
    SiteBudget(long nowNanos) {
        busyUntilNanos = nowNanos - DEPTH_NANOS;
    }

    /** A turn begins, which may find nothing to do. */
    void look(long nowNanos) {
        if (!isAtWork) {
            lookedNanos = nowNanos;
        }
    }

    /** Work begins: what the thread did before is not charged. */
    void begin(long nowNanos, long threadNanos) {
        isAtWork = true;
        lookedNanos = nowNanos;
        chargedNanos = threadNanos;
    }

    /** Whether all that the thread does is work. */
    boolean isAtWork() {
        return isAtWork;
    }

    /** There is nothing to do. */
    void rest() {
        isAtWork = false;
    }

    /** Whether so much may have been done since the last charge that it has to be paid. */
    boolean isDue(long nowNanos, double factor) {
        return isAtWork && (nowNanos - lookedNanos) * factor >= LEAST_WAIT_NANOS;
    }

    /**
     * Charges the work of the thread since the last charge, or since work began. Returns for how long the site must do
     * nothing.
     *
     * @param threadNanos time of the real processor that the thread has had since it started
     * @param factor by which the emulated processor is slower; 0 for no emulation
     */
    @SuppressWarnings("NonAtomicVolatileUpdate") // one thread at a time runs a site
    long charge(long nowNanos, long threadNanos, double factor) {
        // A turn without a message, as a backup's, is measured by the clock: its beginning cost no look at the thread.
        long workNanos = isAtWork ? threadNanos - chargedNanos : nowNanos - lookedNanos;
        begin(nowNanos, threadNanos);
        workedNanos += workNanos;
        if (factor == 0) {
            busyUntilNanos = nowNanos - DEPTH_NANOS;
            return 0;
        }
        long begunNanos = Math.max(busyUntilNanos, nowNanos - workNanos - DEPTH_NANOS);
        busyUntilNanos = begunNanos + (long) (workNanos * factor);
        long debtNanos = busyUntilNanos - nowNanos;
        return debtNanos >= LEAST_WAIT_NANOS ? debtNanos : 0;
    }

    /** Time of the real processor that all work took. Any thread. */
    long workedNanos() {
        return workedNanos;
    }
}
