package dev.fulmar.coordinator.durability.recovery;

import dev.fulmar.coordinator.durability.catalog.CatalogImage;
import dev.fulmar.coordinator.durability.log.PartitionLog;
import dev.fulmar.coordinator.durability.log.RecordMemory;
import dev.fulmar.coordinator.replication.EpochHistory;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.pmemlog.record.RecordKind;
import dev.fulmar.pmemlog.record.RecordReader;
import org.jspecify.annotations.Nullable;

/** Replays the records of a stream. One thread. */
public interface StreamReplay {
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

    /** Hands over the newest records of the recovered log, to be kept from now on; null if there are none. */
    @Nullable RecordMemory takeNewest();

    /** The last records, behind this position, which did nothing but begin terms, are not in the log any more. */
    void wentBack(long end);

    /** The terms of the log, and where each begins. */
    EpochHistory terms();

    /** A timestamp that no record so far has, nor anything that was read. */
    long timestamp();

    /** The newest version of the catalog that this node has. */
    long catalogVersion();

    /** Life of the copy that was recovered, 0 if nothing says it. */
    long life();

    /** Whether the recovered copy is not whole, so that it counts for nothing. */
    boolean isDiscarded();

    /** Begins anew, with nothing but the tables of a version of the catalog. */
    void beginAnew(long version);

    /** Takes the content that is there now as that of a log with these terms up to the record; that log goes on. */
    void goOnBehind(long sequence, long life, EpochHistory terms);

    /** All is final; this node goes on with the stream. */
    void promote();

    /** The part that waits for its decision, or null. */
    InDoubtResolver.@Nullable Doubt inDoubt();

    /** The part that waited is decided. */
    void resolve(PartitionLog log, boolean commit, long commitTimestamp);

    /** The copy has all that the log has now; more of it may be durable soon. Often. */
    default void offered() {}

    /** Releases the log up to the record, which is durable here: no copy goes back behind it, so it counts. */
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
     * Image that a copy on another node needs beside the records behind the log's end. Empty for a stream of rows,
     * which are read by themselves.
     */
    default byte[] content() {
        return new byte[0];
    }
}
