package dev.fulmar.engine.execution;

/**
 * A query on a snapshot whose rows are handed out in parts. A slice ends as soon as a part is full, and the query keeps
 * its place until the next part is wanted, however long that takes. For the partition's thread.
 */
public interface SnapshotPartsQuery extends SnapshotQuery {
    /** Wants the next part. Before the first slice, and after {@link #endPart}. */
    void want(PartSize size);

    /** Whether the slice that did not complete the run has filled the part. */
    boolean isFull();

    /** Ends the block of a full part. Its rows are copied and their writer is cleared before the next slice. */
    void endPart();
}
