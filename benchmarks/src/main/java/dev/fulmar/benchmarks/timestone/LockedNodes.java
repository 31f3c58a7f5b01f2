package dev.fulmar.benchmarks.timestone;

import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Function;

/** One writer or several readers at a time, as programs do that have no concurrency control of their own. */
abstract class LockedNodes implements Nodes {
    private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();

    /** Runs a body that writes, and makes it durable. */
    abstract <T> T runWriting(Function<Body, T> body);

    /** Runs a body that reads. */
    abstract <T> T runReading(Function<Body, T> body);

    @Override
    public Access access() {
        return new Access() {
            @Override
            public <T> T run(boolean writes, Function<Body, T> body) {
                var held = writes ? lock.writeLock() : lock.readLock();
                held.lock();
                try {
                    return writes ? runWriting(body) : runReading(body);
                } finally {
                    held.unlock();
                }
            }

            @Override
            public long conflicts() {
                return 0;
            }

            @Override
            public void close() {}
        };
    }
}
