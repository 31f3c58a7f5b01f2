package dev.fulmar.reconfig.peer;

import dev.fulmar.foundation.id.PartitionId;

/** Port by which steps of moves are taken at a partition that this node leads. Thread-safe. */
@FunctionalInterface
public interface StagingPort {
    /** Takes the step, or fails with {@code WRONG_NODE} if another node leads the partition. */
    void take(PartitionId partition, DestinationStep step, Answer answer);
}
