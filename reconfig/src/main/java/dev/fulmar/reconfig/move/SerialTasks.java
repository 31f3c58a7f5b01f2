package dev.fulmar.reconfig.move;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Runs tasks one after another, on the threads that bring them. A thread that brings one while none runs executes it,
 * and those that come meanwhile. Tasks are short. Thread-safe.
 */
final class SerialTasks {
    private final ConcurrentLinkedQueue<Runnable> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicInteger count = new AtomicInteger();

    void run(Runnable task) {
        waiting.add(task);
        if (count.getAndIncrement() > 0) {
            return;
        }
        Throwable defect = null;
        do {
            Runnable next = waiting.remove();
            try {
                next.run();
            } catch (RuntimeException | Error thrown) { // those behind it run all the same
                defect = thrown;
            }
        } while (count.decrementAndGet() > 0);
        switch (defect) {
            case null -> {}
            case Error error -> throw error;
            case RuntimeException exception -> throw exception;
            default -> throw new IllegalStateException(defect);
        }
    }
}
