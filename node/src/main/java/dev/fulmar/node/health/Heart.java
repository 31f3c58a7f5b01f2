package dev.fulmar.node.health;

import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/** One thread, as seen from outside. Thread-safe. */
public interface Heart {
    /** Whose thread it is. */
    String name();

    /** Grows whenever the thread comes round. */
    long beats();

    /** Has the thread come round once, if it sleeps. */
    void stir();

    /** Whether it waits now for something outside of the process, for which it need not answer. */
    default boolean isExcused() {
        return false;
    }

    /** A thread that runs what it is given. */
    static Heart of(String name, Executor thread) {
        AtomicLong beats = new AtomicLong();
        AtomicBoolean stirred = new AtomicBoolean();
        return new Heart() {
            @Override
            public String name() {
                return name;
            }

            @Override
            public long beats() {
                return beats.get();
            }

            @Override
            public void stir() {
                if (stirred.compareAndSet(false, true)) {
                    try {
                        thread.execute(() -> {
                            stirred.set(false);
                            beats.incrementAndGet();
                        });
                    } catch (RejectedExecutionException e) {
                        stirred.set(false); // it has ended, and says nothing any more
                    }
                }
            }
        };
    }
}
