package dev.fulmar.engine.checkpoint;

import dev.fulmar.engine.partition.Partition;
import dev.fulmar.pmemlog.checkpoint.CheckpointPosition;

/** The port that gives the position of a partition in its log, at which a checkpoint cuts. */
public interface CheckpointCut {
    /** After everything that is committed, on the partition's thread and while no transaction is under way. */
    CheckpointPosition position(Partition partition);

    /** Whether every record up to the position is durable. For any thread. */
    boolean isDurable(Partition partition, CheckpointPosition position);
}
