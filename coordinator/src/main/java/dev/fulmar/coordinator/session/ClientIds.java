package dev.fulmar.coordinator.session;

import java.util.function.LongSupplier;

/**
 * Chooses the ids of clients, which are the first halves of the handles of their requests. The partition that remembers
 * a client's transactions is found by its id. Thread-safe.
 */
public interface ClientIds {
    /** One of the ids that are drawn. */
    long of(LongSupplier drawn);

    /** The first id that is drawn. */
    static ClientIds any() {
        return LongSupplier::getAsLong;
    }
}
