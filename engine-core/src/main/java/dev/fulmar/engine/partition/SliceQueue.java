package dev.fulmar.engine.partition;

import dev.fulmar.engine.spi.SliceHaste;
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

        /** For how long its next piece, or the slice after it, waits. */
        default SliceHaste haste() {
            return SliceHaste.USUAL;
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

    /** Runs the next slice; there is one. Returns its reader's haste. */
    SliceHaste run() {
        Slice slice = waiting.removeFirst();
        if (!slice.run()) {
            waiting.addLast(slice);
        }
        return slice.haste();
    }
}
