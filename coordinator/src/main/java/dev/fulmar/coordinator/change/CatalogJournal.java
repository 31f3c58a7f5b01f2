package dev.fulmar.coordinator.change;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.id.PartitionId;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** The port that logs changes of the catalog, in their order. Changes come one at a time. */
@FunctionalInterface
public interface CatalogJournal {
    /**
     * Logs the change and runs {@code durable} once it is durable, on any thread. Fails with a {@link
     * dev.fulmar.foundation.error.FulmarException} if it cannot be logged; nothing is logged then.
     *
     * @param version of the catalog after the change
     * @param promised timestamp that the partitions of this node have promised to commit at, or later
     * @param durable told the timestamp to commit at. It is above what any partition of any node has promised
     * @param lost told instead, on whatever thread, if the change does not count after all and never will
     */
    void append(long version, CatalogEntry entry, long promised, LongConsumer durable, Consumer<FulmarException> lost);

    /**
     * Logs the change like {@code append}; where other nodes take part in it, it counts only if all partitions are
     * ready for it.
     *
     * @param tried partitions that are ready here, and locked
     */
    default void append(
            long version,
            CatalogEntry entry,
            List<PartitionId> tried,
            long promised,
            LongConsumer durable,
            Consumer<FulmarException> lost) {
        append(version, entry, promised, durable, lost);
    }

    /**
     * A change is about to be made: other nodes that have a part in it do what takes long.
     *
     * @param ended told once, on whatever thread, why the change cannot be made; null if it can as far as others know
     */
    default void announce(long version, CatalogEntry entry, Consumer<@Nullable FulmarException> ended) {
        ended.accept(null);
    }

    /**
     * The change is about to lock partitions, which it must not keep for ever.
     *
     * @param end undoes it, on whatever thread, unless it is being written down
     */
    default void begun(Consumer<FulmarException> end) {}

    /** The change that was announced is not made. */
    default void withdraw() {}

    /** Whether other nodes have a part in changes, so that those must not wait for each other's transactions. */
    default boolean isShared() {
        return false;
    }

    /**
     * The version of the catalog to which the change led that was asked for under the handle; 0 if none is known. For
     * any thread.
     */
    default long versionMadeUnder(ChangeHandle handle) {
        return 0;
    }

    /**
     * Confirms that no other node has made a newer catalog, before a client is told that its request changes nothing.
     *
     * @param lost told instead, on whatever thread, if another node may have
     */
    default void confirm(Runnable confirmed, Consumer<FulmarException> lost) {
        confirmed.run();
    }

    /**
     * Notes that a change that counts cannot be made here, though neither the machine nor other nodes are the reason: a
     * defect. The change is tried again.
     */
    default void hindered(ErrorCode code) {}

    /** Fails if the catalog cannot be changed here now; the message says what to do. */
    default void check() {}

    /** Keeps nothing. */
    static CatalogJournal none() {
        return (version, entry, promised, durable, lost) -> durable.accept(promised);
    }
}
