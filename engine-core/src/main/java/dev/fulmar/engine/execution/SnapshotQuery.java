package dev.fulmar.engine.execution;

import dev.fulmar.engine.version.VersionReader;
import dev.fulmar.foundation.data.ResultBlockWriter;

/**
 * A query, or one fragment of it, on one partition as of a reader's timestamp. Runs in slices between which
 * transactions have their turn; what they do is not seen. Keeps the partition's tables bound like
 * {@link PartitionStatement} and has working memory of its own, so many may be under way at once. May be used again.
 * For the partition's thread.
 */
public interface SnapshotQuery {
    /**
     * Prepares a run.
     *
     * @param reader has chosen its timestamp, and nothing will commit here at or below it any more
     * @param bindings not changed until the run is over
     * @param rows takes one result block; not touched by others until the run is over
     */
    void start(VersionReader reader, Bindings bindings, ResultBlockWriter rows);

    /**
     * Goes on for about so long; all slices see the transaction time of the first one. Fails with SNAPSHOT_TOO_OLD if
     * the reader was expired, or as the statement fails; the run is over then and has written nothing.
     *
     * @param budgetNanos after this time it ends the slice at the next row or so
     * @param mostRows after looking at so many rows it ends the slice too; what limits a slice where time stands still
     * @return whether the run is complete
     */
    boolean run(long budgetNanos, int mostRows);

    /** Rows that the completed run has written. */
    long rowCount();

    /** Gives up a run that is not complete; harmless otherwise. */
    void cancel();
}
