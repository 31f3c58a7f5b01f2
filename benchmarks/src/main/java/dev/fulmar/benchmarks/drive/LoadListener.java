package dev.fulmar.benchmarks.drive;

/** Listens to the progress of a load, once a second. */
@FunctionalInterface
public interface LoadListener {
    /**
     * @param second counts from 1, warm-up included
     * @param warmup whether the second is not counted
     */
    void second(int second, boolean warmup, long committed, long aborted, long failed, LoadReport.Latency latency);
}
