package dev.fulmar.benchmarks.drive;

/** Told once a second how a load goes. */
@FunctionalInterface
public interface LoadListener {
    /**
     * @param second counts from 1, warm-up included
     * @param warmup whether the second is not counted
     */
    void second(int second, boolean warmup, long committed, long aborted, long failed, LoadReport.Latency latency);
}
