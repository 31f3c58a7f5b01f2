package dev.fulmar.coordinator.durability.replica;

import dev.fulmar.coordinator.membership.ChangeOutcome;
import dev.fulmar.coordinator.membership.PartitionRecord;
import dev.fulmar.coordinator.membership.Versioned;
import dev.fulmar.coordinator.replication.RecordStore;
import java.util.function.Consumer;

/**
 * Wraps a {@link RecordStore} so that the outcome of a change of the partition's record arrives on the partition's
 * thread.
 *
 * @param thread runs a task there
 */
record PartitionThreadStore(RecordStore store, Consumer<Runnable> thread) implements RecordStore {
    @Override
    public void change(
            Versioned<PartitionRecord> expected,
            PartitionRecord next,
            Consumer<ChangeOutcome<Versioned<PartitionRecord>>> ended) {
        store.change(expected, next, outcome -> thread.accept(() -> ended.accept(outcome)));
    }

    @Override
    public void readAgain() {
        store.readAgain();
    }
}
