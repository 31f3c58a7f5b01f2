package dev.fulmar.coordinator.reconfiguration;

import dev.fulmar.foundation.id.PartitionId;

/**
 * Port by which a reconfiguration submits a {@link ReconfigurationStep}: the partition's primary executes and logs it
 * between two transactions. The database implements it. Thread-safe.
 */
public interface ReconfigurationLog {
    /**
     * Takes the step at the next moment when no transaction is under way in the partition, and writes its record there.
     * The listener is told once, on the partition's thread; never if the node or the partition stops before. Nothing
     * behind the step commits until each backup in sync has taken it, for which a backup first ends its checkpoint.
     */
    void write(PartitionId partition, ReconfigurationStep step, StepListener listener);
}
