package dev.fulmar.pmemlog.checkpoint;

import dev.fulmar.foundation.error.FulmarException;

/** Learns what checkpoints do, on the checkpointer's thread. */
public interface CheckpointListener {
    /** A checkpoint of the partition holds from now on: recovery replays the records after the position. */
    void published(int partition, CheckpointPosition position);

    /**
     * Nobody needs the partition's records up to the position any more: it has a checkpoint, and every partition has
     * one that was begun later, so that no participant of a transaction can still ask for an outcome recorded there.
     */
    void released(int partition, CheckpointPosition position);

    /** No checkpoint is possible any more until a restart. */
    void failed(FulmarException cause);
}
