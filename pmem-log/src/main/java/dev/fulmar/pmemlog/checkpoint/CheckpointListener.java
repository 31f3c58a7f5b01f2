package dev.fulmar.pmemlog.checkpoint;

import dev.fulmar.foundation.error.FulmarException;

/** Listens to checkpoints, on the checkpointer's thread. */
public interface CheckpointListener {
    /** A checkpoint of the partition holds from now on: recovery replays the records after the position. */
    void published(int partition, CheckpointPosition position);

    /**
     * The partition's records up to the position are not needed any more. The partition has a checkpoint, and every
     * partition has one that was begun later, so no participant of a transaction can still ask for an outcome recorded
     * there.
     */
    void released(int partition, CheckpointPosition position);

    /** No checkpoint is possible any more until a restart. */
    void failed(FulmarException cause);
}
