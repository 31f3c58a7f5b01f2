package dev.fulmar.benchmarks.cluster;

import java.io.IOException;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Set of the network paths between nodes, and to the ZooKeeper, that an experiment has cut; each {@link Relay} obeys
 * it. Bytes on a cut way wait, as packets that are lost and sent again do, and neither end is told. The ZooKeeper is
 * the member 0. Thread-safe.
 */
public final class Wires {
    /** The member that is the ZooKeeper. */
    public static final int STORE = 0;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Set<Way> cut = new HashSet<>();

    /** One direction between two members. */
    public record Way(int from, int to) {}

    /** Cuts these ways and no others. */
    public void cutOnly(Set<Way> ways) {
        lock.lock();
        try {
            cut.clear();
            cut.addAll(ways);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Mends all ways. */
    public void mend() {
        cutOnly(Set.of());
    }

    boolean isCut(Way way) {
        lock.lock();
        try {
            return cut.contains(way);
        } finally {
            lock.unlock();
        }
    }

    /** Waits until the way is open. */
    void awaitOpen(Way way) throws IOException {
        lock.lock();
        try {
            while (cut.contains(way)) {
                changed.await();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("the relay ends", e);
        } finally {
            lock.unlock();
        }
    }
}
