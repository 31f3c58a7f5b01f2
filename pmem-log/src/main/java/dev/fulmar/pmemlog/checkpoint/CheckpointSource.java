package dev.fulmar.pmemlog.checkpoint;

/** Source of the rows of a partition for checkpoints. Its methods are for any thread and return at once. */
public interface CheckpointSource {
    /** The partition. */
    int partition();

    /**
     * Asks for rows. The first batch of a checkpoint ({@link RowBatch#isFirst}) fixes the moment whose state all its
     * batches show: the source gives it a position and as many rows as it likes; the following batches get the rest,
     * and the last one says that it is the last. The answer is {@link RowBatch#complete}, on any thread, now or later.
     * A row changed since the last checkpoint is given once, as it was at the moment; rows that did not change since
     * are not given.
     */
    void request(RowBatch batch);

    /**
     * The checkpoint under way, if there is one, comes to nothing, and nothing more is asked for: what is kept for it
     * may go.
     */
    default void abandoned() {}

    /**
     * Whether every record up to the position is durable in the operation log, so that a checkpoint may hold its
     * effects.
     */
    boolean isDurable(CheckpointPosition position);
}
