package dev.fulmar.coordinator.durability.replica;

import dev.fulmar.coordinator.durability.recovery.InDoubtResolver;
import dev.fulmar.foundation.id.PartitionId;

/**
 * Port by which {@link PartitionReplicas} reaches the database around it: wakes sites, deposes or promotes partitions,
 * and asks about the catalog.
 */
public interface PartitionControl {
    /** Lets the partition's site take its turn; for any thread. */
    void wake(int partition);

    /** Lets every site take its turn; for any thread. */
    void wakeAll();

    /**
     * Undoes what the partition has begun, on its thread; returns whether the log has a part of it without a decision.
     */
    boolean depose(PartitionId partition);

    /** Forgets what the partition has begun, on its thread, without using its rows. */
    void abandon(PartitionId partition);

    /** The partition executes requests from now on. On its thread. */
    void promoted(PartitionId partition);

    /** Calls of the procedure come to other results at other replicas. */
    void diverged(String procedure);

    /** Resolves what is in doubt when a term begins. */
    InDoubtResolver doubts();

    /** Whether requests are routed by the newest version of the catalog that the node has, and it always counts. */
    boolean isNewestCatalogUsed();

    /** Whether no change of the catalog may be decided without the partition's primary of the epoch. */
    boolean isCounted(PartitionId partition, long epoch);

    /** Whether no change of the catalog is under way here; on the thread of the catalog's replica. */
    boolean isCatalogCalm();

    /** Goes on with the changes of the catalog; on the thread of the catalog's replica, at every turn. */
    void goOnWithChanges();
}
