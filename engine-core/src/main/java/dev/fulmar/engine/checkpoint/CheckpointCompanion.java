package dev.fulmar.engine.checkpoint;

import dev.fulmar.pmemlog.checkpoint.RowBatch;

/**
 * A source of further state for a partition's checkpoints, which they hold as rows of tables with negative ids. Called
 * on the partition's thread.
 */
public interface CheckpointCompanion {
    /** A checkpoint begins with this state. */
    void begin();

    /**
     * Gives the batch some of that state; returns whether that was the last. Not called again then until the next
     * checkpoint.
     */
    boolean fill(RowBatch batch);
}
