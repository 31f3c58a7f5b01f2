package dev.fulmar.coordinator.replication;

import java.nio.ByteBuffer;

/**
 * Port by which {@link ReplicaProtocol} reads, extends and rolls back a copy's log, and applies its records to the
 * rows. For the thread of the copy's replica. It reports by {@link ReplicaProtocol#durable} how far it is durable, by
 * itself and never within a call.
 */
public interface CopyStream extends ReadableLog {
    /** Position behind the last record. */
    long end();

    /**
     * Whether the copy may begin alone with its log, if all copies in sync have ended. It is whole, and copies of its
     * database do not keep what they confirmed anyway.
     */
    boolean maySucceed();

    /**
     * Whether no copy has to wait for what this one may have, if all copies in sync have ended. It is given up, to be
     * built from the primary, and copies of its database do not keep what they confirmed anyway.
     */
    boolean mayBePassedOver();

    /**
     * Undoes everything from the position on, in log and rows; false if it cannot, and the copy is to be built anew.
     *
     * @param next terms of the log that goes on there
     */
    boolean rollBack(long to, EpochHistory next);

    /**
     * Stores epoch and terms of the copy. A primary appends a record of the term, which makes the log longer by one. A
     * backup gets that record as it gets all others, and only has to keep the epoch.
     *
     * @param stored to be run on this thread once they are durable, or at once if the database does not ask for that
     */
    void store(long epoch, EpochHistory history, boolean leads, Runnable stored);

    /**
     * A view of the records, which stays as it is during the call that it is made for; the range is one that
     * {@link #reach} gave.
     */
    ByteBuffer records(long begin, long end);

    /**
     * Looks at records that came from another node; refuses by a {@link dev.fulmar.foundation.error.FulmarException}
     * those that no copy wrote. Leaves the buffer as it is.
     *
     * @return whether they can be applied now; if not they are sent once more, when {@link #isReady} says so
     */
    boolean isApplicable(ByteBuffer records, long begin, long end);

    /** Whether the records can be applied by now that could not when {@link #isApplicable} was asked last. */
    boolean isReady();

    /**
     * Executes and logs those of the records that begin at {@code from}, the log's end.
     *
     * @param begin position of the first record in the buffer
     * @return false if a record came to something else than at the primary, or could not be done; it is undone and not
     *     in the log
     */
    boolean apply(ByteBuffer records, long begin, long from, long to);

    /**
     * Whether the record that was not applied could not be: it was made with an earlier version of the catalog than the
     * tables have here. A primary that does not know that it was deposed makes changes of the catalog that its
     * successor makes later, if it hears of them from others.
     */
    default boolean isAhead() {
        return false;
    }

    /** Releases the log up to the position: all copies in sync have it, it is durable here, and none rolls it back. */
    void release(long to);
}
