package dev.fulmar.coordinator.durability;

import dev.fulmar.foundation.id.PartitionId;

/** What a copy needs of the database that it belongs to. */
interface ReplicaEnvironment {
    /** Lets the partition's site look at the copy; for any thread. */
    void wake(int partition);

    /**
     * Undoes what the partition has begun and not made final; whether a part of it is in the log without a decision.
     * For the partition's thread.
     */
    boolean depose(PartitionId partition);

    /** Forgets what the partition has begun, whose rows are of no use any more. For the partition's thread. */
    void abandon(PartitionId partition);

    /** Finds out what became of parts that are in doubt when a term begins. */
    InDoubtResolver doubts();

    /** Calls of the procedure come to other results at other copies. */
    void diverged(String procedure);

    /** The partition executes requests from now on. On its thread. */
    void promoted(PartitionId partition);

    /**
     * Whether all changes of the catalog that count are known and in use here, and none that may be decided passes by
     * who leads the partition in the epoch. Asked again and again. For the partition's thread.
     */
    boolean knowsCatalog(PartitionId partition, long epoch);
}
