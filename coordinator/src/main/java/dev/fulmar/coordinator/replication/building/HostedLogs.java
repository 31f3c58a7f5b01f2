package dev.fulmar.coordinator.replication.building;

import dev.fulmar.coordinator.durability.HostedCopies;
import dev.fulmar.coordinator.durability.HostedCopy;
import dev.fulmar.coordinator.membership.CopyId;
import dev.fulmar.coordinator.replication.CopyState;
import dev.fulmar.foundation.id.PartitionId;
import org.jspecify.annotations.Nullable;

/** The logs of the copies that lead here. Records are kept in memory, within a bound. */
final class HostedLogs implements LedLogs {
    private final HostedCopies copies;

    HostedLogs(HostedCopies copies) {
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
        HostedCopy copy = copies.of(partition);
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
