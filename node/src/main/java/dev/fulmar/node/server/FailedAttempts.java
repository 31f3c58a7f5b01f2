package dev.fulmar.node.server;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/** Delays of answers to failed log-ins: twice as long for each further one from the same address. Thread-safe. */
final class FailedAttempts {
    static final long FIRST_DELAY_NANOS = 100_000_000;
    static final long LAST_DELAY_NANOS = 5_000_000_000L;

    /** After so long without a failure an address is like any other. */
    static final long MEMORY_NANOS = 600_000_000_000L;

    private static final int MOST_ADDRESSES = 10_000;

    private record Failures(long delayNanos, long lastNanos) {}

    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, Failures> byAddress = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Failures> eldest) {
            return size() > MOST_ADDRESSES;
        }
    };

    /** Counts a failure; returns how long to wait before telling of it. */
    long failed(String address, long nowNanos) {
        lock.lock();
        try {
            Failures before = byAddress.remove(address);
            long delayNanos = before == null || nowNanos - before.lastNanos > MEMORY_NANOS
                    ? FIRST_DELAY_NANOS
                    : Math.min(LAST_DELAY_NANOS, 2 * before.delayNanos);
            byAddress.put(address, new Failures(delayNanos, nowNanos));
            return delayNanos;
        } finally {
            lock.unlock();
        }
    }
}
