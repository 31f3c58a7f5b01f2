package dev.fulmar.simulator.reconfiguration;

import java.util.Map;
import java.util.TreeMap;

/** The longest times without a commit: of all warehouses together, and of each. Thread-safe. */
final class CommitGaps {
    private final long beginNanos;
    private final Map<Integer, Gap> ofWarehouses = new TreeMap<>();
    private final Gap ofAll;

    /** Time since the last commit, and the longest one. */
    private static final class Gap {
        private long lastNanos;
        private long longestNanos;

        Gap(long beginNanos) {
            lastNanos = beginNanos;
        }

        void commit(long nowNanos) {
            longestNanos = Math.max(longestNanos, nowNanos - lastNanos);
            lastNanos = Math.max(lastNanos, nowNanos);
        }
    }

    /** Gaps of so many warehouses from the moment on. */
    CommitGaps(int warehouses, long beginNanos) {
        this.beginNanos = beginNanos;
        ofAll = new Gap(beginNanos);
        for (int warehouse = 1; warehouse <= warehouses; warehouse++) {
            ofWarehouses.put(warehouse, new Gap(beginNanos));
        }
    }

    /** A request of the warehouse has committed. */
    synchronized void committed(int warehouse, long nowNanos) {
        if (nowNanos - beginNanos > 0) {
            ofAll.commit(nowNanos);
            ofWarehouses.computeIfAbsent(warehouse, any -> new Gap(beginNanos)).commit(nowNanos);
        }
    }

    /** The last moment that counts; a warehouse without a commit since long has a gap up to it. */
    synchronized void end(long nowNanos) {
        ofAll.commit(nowNanos);
        ofWarehouses.values().forEach(gap -> gap.commit(nowNanos));
    }

    /** The longest time without any commit. */
    synchronized long longestNanos() {
        return ofAll.longestNanos;
    }

    /** The longest time for which one warehouse had no commit. */
    synchronized long longestOfAWarehouseNanos() {
        return ofWarehouses.values().stream()
                .mapToLong(gap -> gap.longestNanos)
                .max()
                .orElse(0);
    }
}
