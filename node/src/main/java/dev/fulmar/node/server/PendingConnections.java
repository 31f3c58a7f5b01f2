package dev.fulmar.node.server;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Counts connections that have not got their Welcome yet. Thread-safe. */
final class PendingConnections {
    private final HandshakeLimits limits;
    private final AtomicInteger total = new AtomicInteger();
    private final ConcurrentHashMap<String, Integer> byAddress = new ConcurrentHashMap<>();

    PendingConnections(HandshakeLimits limits) {
        this.limits = limits;
    }

    /** Counts one connection, which leaves some time, whether or not it is admitted. False if it is one too many. */
    boolean enter(String address) {
        int here = byAddress.merge(address, 1, Integer::sum);
        return total.incrementAndGet() <= limits.connections() && here <= limits.connectionsPerAddress();
    }

    void leave(String address) {
        total.decrementAndGet();
        byAddress.computeIfPresent(address, (key, count) -> count > 1 ? count - 1 : null);
    }

    int count() {
        return total.get();
    }
}
