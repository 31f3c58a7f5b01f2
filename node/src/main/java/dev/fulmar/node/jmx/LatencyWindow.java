package dev.fulmar.node.jmx;

import dev.fulmar.engine.partition.counter.LatencyHistogram;
import org.jspecify.annotations.Nullable;

/** Latencies of the last few samples. One thread samples, any thread reads. */
final class LatencyWindow {
    private static final int SAMPLES = 10;
    private static final double NANOS_PER_MICRO = 1e3;

    private final @Nullable LatencyHistogram[] earlier = new @Nullable LatencyHistogram[SAMPLES];
    private int taken;
    private volatile LatencyHistogram window = new LatencyHistogram();

    /** Takes a copy of all latencies so far. */
    void sample(LatencyHistogram all) {
        int place = taken % SAMPLES;
        LatencyHistogram recent = new LatencyHistogram();
        recent.add(all);
        LatencyHistogram old = earlier[place];
        if (old != null) {
            recent.subtract(old);
        }
        earlier[place] = all;
        taken++;
        window = recent;
    }

    double micros(double share) {
        return window.quantileNanos(share) / NANOS_PER_MICRO;
    }
}
