package dev.fulmar.coordinator.durability;

import dev.fulmar.coordinator.replication.EpochHistory;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.pmemlog.record.RecordKind;
import dev.fulmar.pmemlog.record.RecordReader;
import org.jspecify.annotations.Nullable;

/** Does what the records of a stream say. One thread. */
interface StreamReplay {
    /** Whether the stream may have records of the kind. */
    boolean takes(RecordKind kind);

    /** Whether records made with the version of the catalog can be taken now. */
    boolean takes(long catalogVersion);

    /** Whether the tables are of a later version of the catalog than a record of rows. */
    default boolean isAheadOf(RecordKind kind, long catalogVersion) {
        return false;
    }

    /** Records are about to be done that another node has committed: no limit of this node's may stop them. */
    void begin();

    /** They are done. */
    void end();

    /** Does what the stream's next record says; fails if it comes to something else than where it was made. */
    void next(RecordReader record);

    /** The record is in the log. */
    void logged();

    /** The newest records of the log that was recovered, for whoever keeps them from now on; null if there are none. */
    @Nullable RecordMemory takeNewest();

    /** The last records, behind this position, which did nothing but begin terms, are not in the log any more. */
    void wentBack(long end);

    /** Which term wrote which part of the log. */
    EpochHistory terms();

    /** A timestamp that no record so far has, nor anything that was read. */
    long timestamp();

    /** The newest version of the catalog that this node has. */
    long catalogVersion();

    /** Life of the copy that was recovered, 0 if nothing says it. */
    long life();

    /** Whether what was recovered is of no use. */
    boolean isDiscarded();

    /** Begins anew, with nothing but the tables of a version of the catalog. */
    void beginAnew(long version);

    /** What is there now is what a log with these terms leads to, up to the record, and that log goes on. */
    void goOnBehind(long sequence, long life, EpochHistory terms);

    /** All is final; this node goes on with the stream. */
    void promote();

    /** The part that waits for its decision, or null. */
    InDoubtResolver.@Nullable Doubt inDoubt();

    /** The part that waited is decided. */
    void resolve(PartitionLog log, boolean commit, long commitTimestamp);

    /** The copy has all that the log has now; more of it may be durable soon. Often. */
    default void offered() {}

    /** Nobody will go back behind the record, which is durable here: what was done up to it counts. */
    default void released(long sequence) {}

    /** The copy follows from now on, and no timestamp of a row is above the clock. */
    default void beganToFollow() {}

    /** A timestamp that no row of the copy that follows is above. */
    default long newestCommit() {
        return Long.MAX_VALUE;
    }

    /** The copy takes part in the cluster from now on, with a log that has its end here. */
    default void joined(long end) {}

    /** All that there is at the position with which the log is about to go on; only for a stream without rows. */
    default void load(CatalogImage image) {
        throw Invariants.breach("a stream of rows has no image of the catalog");
    }

    /**
     * What a copy on another node needs beside the records behind the log's end; empty for what has rows, which are
     * read by themselves.
     */
    default byte[] content() {
        return new byte[0];
    }
}
