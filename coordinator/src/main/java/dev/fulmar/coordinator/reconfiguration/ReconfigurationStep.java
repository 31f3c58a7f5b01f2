package dev.fulmar.coordinator.reconfiguration;

import dev.fulmar.engine.table.BucketTransfer;
import org.jspecify.annotations.Nullable;

/** A step of a reconfiguration at the primary of a partition, whose replay is {@link ReconfigurationReplay}. */
@FunctionalInterface
public interface ReconfigurationStep {
    /**
     * Takes the step; on the partition's thread, while no transaction is under way there. A step that fails must have
     * changed nothing.
     *
     * @return the record's content, by which others take the same step; null if it cannot be taken now
     */
    byte @Nullable [] take(BucketTransfer buckets);
}
