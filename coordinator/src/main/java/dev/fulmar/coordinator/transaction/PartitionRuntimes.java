package dev.fulmar.coordinator.transaction;

import dev.fulmar.foundation.id.PartitionId;
import java.util.List;

/** The runtimes of all partitions, by partition number. */
public record PartitionRuntimes(List<PartitionRuntime> all, CancelledRequests cancelled) {
    public PartitionRuntimes {
        all = List.copyOf(all);
    }

    /** A view of runtimes that are run elsewhere. */
    public PartitionRuntimes(List<PartitionRuntime> all) {
        this(all, new CancelledRequests());
    }

    /** The runtimes of a database, which end the requests that are cancelled there. Before they run. */
    public static PartitionRuntimes heeding(List<PartitionRuntime> all) {
        PartitionRuntimes runtimes = new PartitionRuntimes(all);
        all.forEach(runtime -> runtime.heed(runtimes.cancelled));
        return runtimes;
    }

    public PartitionRuntime of(PartitionId partition) {
        return all.get(partition.number());
    }

    public int count() {
        return all.size();
    }
}
