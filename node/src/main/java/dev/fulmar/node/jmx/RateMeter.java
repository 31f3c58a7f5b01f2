package dev.fulmar.node.jmx;

/** Growth rate of a count over the last few samples. One thread samples, any thread reads. */
final class RateMeter {
    private static final int SAMPLES = 6;
    private static final double NANOS_PER_SECOND = 1e9;

    private final long[] totals = new long[SAMPLES];
    private final long[] nanos = new long[SAMPLES];
    private int taken;
    private volatile double perSecond;

    void sample(long nowNanos, long total) {
        int newest = taken % SAMPLES;
        totals[newest] = total;
        nanos[newest] = nowNanos;
        taken++;
        int oldest = taken <= SAMPLES ? 0 : taken % SAMPLES;
        long elapsed = nanos[newest] - nanos[oldest];
        perSecond = elapsed <= 0 ? 0 : (totals[newest] - totals[oldest]) * NANOS_PER_SECOND / elapsed;
    }

    double perSecond() {
        return perSecond;
    }
}
