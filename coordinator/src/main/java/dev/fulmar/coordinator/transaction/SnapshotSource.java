package dev.fulmar.coordinator.transaction;

/**
 * A backup's copy as readers of snapshots use it where another node leads the partition. For the partition's thread,
 * but for {@link #isOpen}.
 *
 * <p>Invariant: after {@link #await} was answered with yes, a read at the timestamp shows what the partition's primary
 * would show at it, now and for ever. Every commit at or below the timestamp is in the copy, decided, and on all copies
 * in sync, so no promotion undoes it. No primary will commit anything at or below it any more.
 */
public interface SnapshotSource {
    /** Hears whether the copy has all that the reader asked for. */
    @FunctionalInterface
    interface Answer {
        /** @param isThere false if the copy does not know, or will not know in time: the primary has to be asked */
        void told(boolean isThere);
    }

    /** Whether the copy may be read, as it seems to any thread. */
    boolean isOpen();

    /** Whether the copy may be read. */
    boolean isReadable();

    /**
     * A timestamp that no row of the copy is above. Versions are kept for a reader from its registration on, so it
     * reads at this timestamp or a later one.
     */
    long newestCommit();

    /**
     * Answers once the copy has everything at or below the timestamp that there will ever be, or when that takes too
     * long.
     */
    void await(long timestamp, Answer answer);

    /** A reader has read here. */
    void served();

    /** A reader has to ask the primary instead. */
    void passedOn();
}
