package dev.fulmar.coordinator.durability.log;

import dev.fulmar.engine.partition.Partition;

/**
 * Port by which {@link DurableLog} asks a partition's replica whether it leads or is overloaded, and notifies it when a
 * turn ends. For the partition's thread.
 */
public interface CommitReplication {
    /** Whether this node is the partition's primary. */
    boolean isPrimary(Partition partition);

    /** The partition's turn has ended: the primary sends the records of the turn to its backups. */
    void turnEnded(Partition partition);

    /** Whether the partition's records wait for other nodes in such numbers that it shall take no more requests. */
    boolean isCrowded(Partition partition);

    /** Replication of a database on one node: no other node reads, so no promise to readers has to be written down. */
    static CommitReplication none() {
        return new CommitReplication() {
            @Override
            public boolean isPrimary(Partition partition) {
                return false;
            }

            @Override
            public void turnEnded(Partition partition) {}

            @Override
            public boolean isCrowded(Partition partition) {
                return false;
            }
        };
    }
}
