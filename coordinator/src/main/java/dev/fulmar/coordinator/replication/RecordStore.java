package dev.fulmar.coordinator.replication;

import dev.fulmar.coordinator.membership.ChangeOutcome;
import dev.fulmar.coordinator.membership.PartitionRecord;
import dev.fulmar.coordinator.membership.Versioned;
import java.util.function.Consumer;

/**
 * Port by which a replica changes its partition's {@link PartitionRecord} in the cluster's shared state, or has it read
 * again.
 */
public interface RecordStore {
    /** Makes the change; its end is told on the replica's thread, never within the call. */
    void change(
            Versioned<PartitionRecord> expected,
            PartitionRecord next,
            Consumer<ChangeOutcome<Versioned<PartitionRecord>>> ended);

    /** Reads the record; what is found comes as an event, unless it was told before. */
    void readAgain();
}
