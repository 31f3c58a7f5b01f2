package dev.fulmar.pmemlog.checkpoint;

/** Figures that make checkpoints due. For any thread. */
public interface CheckpointPressure {
    /**
     * Bytes of log that a recovery would have had to replay if there had never been a checkpoint in this life: it only
     * grows.
     */
    long logBytes();

    /**
     * The same weighted by what the replay costs: a small record takes longer to replay than its bytes say. It only
     * grows too.
     */
    default long replayBytes() {
        return logBytes();
    }

    /** Bytes of rows that changed since their last checkpoint. */
    long dirtyBytes();

    /** Bytes of tables and buckets that went since their last checkpoint, whose space a checkpoint gives back. */
    default long goneBytes() {
        return 0;
    }

    /** Whether the log waits for space, so that what checkpoints make needless of it is wanted at once. */
    default boolean logIsFull() {
        return false;
    }
}
