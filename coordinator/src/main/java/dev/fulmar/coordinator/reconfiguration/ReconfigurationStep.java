package dev.fulmar.coordinator.reconfiguration;

import dev.fulmar.foundation.error.FulmarException;
import org.jspecify.annotations.Nullable;

/** A step of a reconfiguration at the primary of a partition, whose replay is {@link ReconfigurationReplay}. */
@FunctionalInterface
public interface ReconfigurationStep {
    /**
     * Takes the step; on the partition's thread, while no transaction is under way there. A step that fails with a
     * {@link FulmarException} must have changed nothing. Each partition has its own moment: a subsystem whose steps in
     * two partitions belong together must make the pair whole after a restoration between them.
     *
     * @return the record's content, below a MiB, by which others take the same step; null if it cannot be taken
     *     now
     */
    byte @Nullable [] take(PartitionData data);
}
