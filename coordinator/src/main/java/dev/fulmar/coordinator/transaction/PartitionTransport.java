package dev.fulmar.coordinator.transaction;

import dev.fulmar.engine.partition.PartitionMessage;
import dev.fulmar.foundation.id.PartitionId;

/**
 * The way of messages from a coordinator to the partitions. Thread-safe; messages of one sender to one partition keep
 * their order.
 */
@FunctionalInterface
public interface PartitionTransport {
    void send(PartitionId partition, PartitionMessage message);

    /** Whether the partition is led by another node, as far as is known. */
    default boolean isRemote(PartitionId partition) {
        return false;
    }

    /**
     * Whether readers need the partition's word that the node that they read has led it until they had read all.
     * Another node may lead it meanwhile.
     */
    default boolean mustConfirm(PartitionId partition) {
        return isRemote(partition);
    }
}
