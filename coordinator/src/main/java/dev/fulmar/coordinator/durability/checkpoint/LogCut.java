package dev.fulmar.coordinator.durability.checkpoint;

import dev.fulmar.coordinator.durability.log.PartitionLog;
import dev.fulmar.coordinator.transaction.PartitionRuntimes;
import dev.fulmar.engine.checkpoint.CheckpointCut;
import dev.fulmar.engine.partition.Partition;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.pmemlog.checkpoint.CheckpointPosition;
import dev.fulmar.pmemlog.log.PartitionLogBuffer;
import java.util.List;
import java.util.concurrent.atomic.AtomicLongArray;

/** Gives each partition's checkpoint the log position that it covers, and says when the log is durable up to there. */
final class LogCut implements CheckpointCut {
    private final PartitionRuntimes runtimes;
    private final List<PartitionLog> logs;
    /** Of each partition's cut, the position in its lane. */
    private final AtomicLongArray lanePositions;

    LogCut(PartitionRuntimes runtimes, List<PartitionLog> logs) {
        this.runtimes = runtimes;
        this.logs = logs;
        this.lanePositions = new AtomicLongArray(logs.size());
    }

    @Override
    public CheckpointPosition position(Partition partition) {
        Invariants.check(partition.isQuiescent(), "a checkpoint is cut while no transaction is under way");
        PartitionLogBuffer lane = logs.get(partition.id().number()).lane();
        lanePositions.set(partition.id().number(), lane.position());
        logs.get(partition.id().number()).checkpointed(lane.lastSequence());
        return new CheckpointPosition(
                lane.lastSequence(),
                lane.epoch(),
                partition.timestamps().last(),
                Math.toIntExact(runtimes.of(partition.id()).catalogVersion()));
    }

    @Override
    public boolean isDurable(Partition partition, CheckpointPosition position) {
        int number = partition.id().number();
        return logs.get(number).lane().durablePosition() >= lanePositions.get(number);
    }
}
