package dev.fulmar.engine.checkpoint;

import dev.fulmar.engine.partition.Partition;
import dev.fulmar.pmemlog.checkpoint.CheckpointPosition;

/** Where a partition stands in its log. */
public interface CheckpointCut {
    /** After everything that is committed, on the partition's thread and while no transaction is under way. */
    CheckpointPosition position(Partition partition);

    /** Whether every record up to the position is durable. For any thread. */
    boolean isDurable(Partition partition, CheckpointPosition position);
}
