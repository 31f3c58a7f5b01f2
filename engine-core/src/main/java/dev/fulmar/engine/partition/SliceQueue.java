package dev.fulmar.engine.partition;

import java.util.ArrayDeque;

/**
 * The long reads of a partition, which go on between transactions, a slice at a time, each reader in turn. For the
 * partition's thread.
 */
public final class SliceQueue {
    /** A long read, which runs in slices. */
    @FunctionalInterface
    public interface Slice {
        /** Does the next piece; whether that was the last one. Lets no exception escape. */
        boolean run();

        /** The partition stops, and there is no next piece. Lets no exception escape. */
        default void stopped() {}

        /** Whether it must not wait so long for its next piece, though that slows other work down. */
        default boolean isUrgent() {
            return false;
        }
    }

    private final ArrayDeque<Slice> waiting = new ArrayDeque<>();

    /** Goes on with it later. */
    public void add(Slice slice) {
        waiting.addLast(slice);
    }

    /** Nothing goes on. */
    void close() {
        while (!waiting.isEmpty()) {
            waiting.removeFirst().stopped();
        }
    }

    boolean isEmpty() {
        return waiting.isEmpty();
    }

    /** Runs the next slice; there is one. Returns whether its reader is urgent. */
    boolean run() {
        Slice slice = waiting.removeFirst();
        if (slice.run()) {
            return false;
        }
        waiting.addLast(slice);
        return slice.isUrgent();
    }
}
