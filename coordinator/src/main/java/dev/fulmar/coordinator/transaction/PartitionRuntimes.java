package dev.fulmar.coordinator.transaction;

import dev.fulmar.foundation.id.PartitionId;
import java.util.List;

/** The runtimes of all partitions, by partition number. */
public record PartitionRuntimes(List<PartitionRuntime> all) {
    public PartitionRuntimes {
        all = List.copyOf(all);
    }

    public PartitionRuntime of(PartitionId partition) {
        return all.get(partition.number());
    }

    public int count() {
        return all.size();
    }
}
