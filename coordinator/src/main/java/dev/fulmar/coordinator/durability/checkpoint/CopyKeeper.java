package dev.fulmar.coordinator.durability.checkpoint;

/** Makes copies whose rows came from other nodes durable, by checkpoints. For any thread. */
public interface CopyKeeper {
    /** The partition's stream is about to go on behind the sequence, with a copy that nothing holds yet. */
    void began(int partition, long sequence);

    /** Asks for a checkpoint. */
    void request();

    /** Whether the checkpoint that a restart would load is of this copy, whole. */
    boolean holds(int partition, long life);

    /**
     * Ends the node if its device has failed so that no checkpoint will be taken any more. To be called while a copy
     * waits for one: it would wait for ever, count for nothing, and let nobody build another one in its place.
     */
    void endIfInVain(int partition);

    /** For a database whose copies are in memory only. */
    static CopyKeeper none() {
        return new CopyKeeper() {
            @Override
            public void began(int partition, long sequence) {}

            @Override
            public void request() {}

            @Override
            public boolean holds(int partition, long life) {
                return true;
            }

            @Override
            public void endIfInVain(int partition) {}
        };
    }
}
