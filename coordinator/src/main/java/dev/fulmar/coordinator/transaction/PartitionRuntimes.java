package dev.fulmar.coordinator.transaction;

import dev.fulmar.foundation.id.PartitionId;
import java.util.List;

/** The runtimes of all partitions, by partition number. */
public record PartitionRuntimes(List<PartitionRuntime> all, CancelledRequests cancelled) {
    public PartitionRuntimes {
        all = List.copyOf(all);
        all.forEach(runtime -> runtime.heed(cancelled));
    }

    public PartitionRuntimes(List<PartitionRuntime> all) {
        this(all, new CancelledRequests());
    }

    public PartitionRuntime of(PartitionId partition) {
        return all.get(partition.number());
    }

    public int count() {
        return all.size();
    }
}
