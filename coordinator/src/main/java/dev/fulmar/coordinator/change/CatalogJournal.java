package dev.fulmar.coordinator.change;

/** Writes changes of the catalog down, in their order. Changes come one at a time. */
@FunctionalInterface
public interface CatalogJournal {
    /**
     * Writes the change down and runs {@code durable} once it is durable, on whatever thread. Fails with a {@link
     * dev.fulmar.foundation.error.FulmarException} if it cannot be written down; nothing is then.
     *
     * @param version of the catalog after the change
     */
    void append(long version, CatalogEntry entry, Runnable durable);

    /** Fails if the catalog cannot be changed here now; the message says what to do. */
    default void check() {}

    /** Keeps nothing. */
    static CatalogJournal none() {
        return (version, entry, durable) -> durable.run();
    }
}
