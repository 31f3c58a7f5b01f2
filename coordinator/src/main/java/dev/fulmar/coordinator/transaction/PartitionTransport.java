package dev.fulmar.coordinator.transaction;

import dev.fulmar.engine.partition.PartitionMessage;
import dev.fulmar.foundation.id.PartitionId;

/** Way from a coordinator to the partitions. Thread-safe; messages of one sender to one partition keep their order. */
@FunctionalInterface
public interface PartitionTransport {
    void send(PartitionId partition, PartitionMessage message);

    /** Whether the partition is led by another node, as far as is known. */
    default boolean isRemote(PartitionId partition) {
        return false;
    }

    /**
     * Whether readers have to hear from the partition that it was led where they read it until they had read all: it
     * may be led by another node meanwhile.
     */
    default boolean mustConfirm(PartitionId partition) {
        return isRemote(partition);
    }
}
