package dev.fulmar.coordinator.replication.building;

import dev.fulmar.coordinator.durability.replica.PartitionReplica;
import dev.fulmar.coordinator.durability.replica.PartitionReplicas;
import dev.fulmar.coordinator.membership.CopyId;
import dev.fulmar.coordinator.replication.CopyState;
import dev.fulmar.foundation.id.PartitionId;
import org.jspecify.annotations.Nullable;

/**
 * Gives {@link NodeCopySource} the logs of the partitions that this node leads: their ends, and the records that a new
 * copy needs. Records are kept in memory, within a bound.
 */
final class ReplicaLogs implements LedLogs {
    private final PartitionReplicas copies;

    ReplicaLogs(PartitionReplicas copies) {
        this.copies = copies;
    }

    @Override
    public @Nullable Led led(PartitionId partition) {
        CopyState state = copies.of(partition).led();
        return state == null ? null : new Led(state.end(), state.epoch(), state.history());
    }

    @Override
    public boolean areOut(PartitionId partition, CopyId successor) {
        return copies.of(partition).areOut(successor);
    }

    @Override
    public Hold keep(PartitionId partition, long position) {
        PartitionReplica copy = copies.of(partition);
        Runnable letGo = copy.keep(position);
        return new Hold() {
            private boolean isReleased;

            @Override
            public boolean isGone() {
                return copy.oldestKept() > position;
            }

            @Override
            public void release() {
                if (!isReleased) {
                    isReleased = true;
                    letGo.run();
                }
            }
        };
    }
}
