package dev.fulmar.coordinator.durability.replica;

import dev.fulmar.coordinator.durability.recovery.InDoubtResolver;
import dev.fulmar.foundation.id.PartitionId;

/**
 * Port by which one {@link PartitionReplica} reaches its database through {@link PartitionReplicas}: to undo unfinished
 * work, resolve in-doubt parts and begin to serve.
 */
interface ReplicaEnvironment {
    /** Lets the partition's site look at the copy; for any thread. */
    void wake(int partition);

    /**
     * Undoes what the partition has begun and not made final; whether a part of it is in the log without a decision.
     * For the partition's thread.
     */
    boolean depose(PartitionId partition);

    /** Forgets what the partition has begun, whose rows are damaged. For the partition's thread. */
    void abandon(PartitionId partition);

    /** Whether no change of the catalog waits for the time to pass; for the thread of the catalog's replica. */
    boolean isCatalogCalm();

    /** Finds out what became of parts that are in doubt when a term begins. */
    InDoubtResolver doubts();

    /** Calls of the procedure come to other results at other copies. */
    void diverged(String procedure);

    /** The partition executes requests from now on. On its thread. */
    void promoted(PartitionId partition);

    /**
     * Whether this node knows and uses all changes of the catalog that count. Also no change may be decided without the
     * partition's primary of the epoch. Asked again and again. For the partition's thread.
     */
    boolean knowsCatalog(PartitionId partition, long epoch);

    /** Whether the node has exactly the changes of the catalog that were decided without this term of the partition. */
    boolean isCounted(PartitionId partition, long epoch);
}
