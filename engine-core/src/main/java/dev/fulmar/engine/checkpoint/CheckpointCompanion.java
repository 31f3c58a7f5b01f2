package dev.fulmar.engine.checkpoint;

import dev.fulmar.pmemlog.checkpoint.RowBatch;

/**
 * Port that adds state outside the tables, such as request outcomes, to a partition's checkpoint, as rows with negative
 * table ids. It only writes: recovery gives the rows to the classes that restore them, by their table ids. Called on
 * the partition's thread.
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
