package dev.fulmar.benchmarks.run;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;

/** Measures the heap of this process. */
public final class CollectedHeap {
    private static final int MOST_COLLECTIONS = 20;
    private static final int CALM_COLLECTIONS = 3;
    private static final long CALM_BYTES = 16 << 10;
    private static final long REST_MILLIS = 100;

    private CollectedHeap() {}

    /** The heap in use, with garbage. */
    public static long usedBytes() {
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    /** The heap in use when further collections free nothing: references of several kinds go one after another. */
    public static long bytes() throws InterruptedException {
        return bytes(CALM_COLLECTIONS);
    }

    /**
     * The same, in a hurry.
     *
     * @param calmCollections collections in a row that are to free nothing
     */
    public static long bytes(int calmCollections) throws InterruptedException {
        MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
        long least = Long.MAX_VALUE;
        int calm = 0;
        for (int i = 0; i < MOST_COLLECTIONS && calm < calmCollections; i++) {
            memory.gc();
            long now = usedBytes();
            calm = least - now <= CALM_BYTES ? calm + 1 : 0;
            least = Math.min(least, now);
            Thread.sleep(REST_MILLIS);
        }
        return least;
    }
}
