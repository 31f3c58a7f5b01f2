package dev.fulmar.coordinator.replication;

import dev.fulmar.coordinator.membership.CopyId;
import dev.fulmar.coordinator.membership.PartitionRecord;

/**
 * Listener for the role of a copy, for the code that serves the partition's requests with it. Called on the thread of
 * the copy's replica.
 */
public interface CopyRole {
    /** The term is stored: requests may be executed. Everything in the log has been applied. */
    void leads(PartitionRecord term);

    /**
     * Another copy leads, or a term of this copy's own is about to begin. Nothing may be executed, and requests whose
     * replies are held have no known outcome.
     */
    void follows(PartitionRecord term);

    /** Replies may go that wait for {@link ReplicaProtocol#ticket} numbers up to this. */
    void safe(long number);

    /** The copy cannot follow: it is to be built anew, then {@link ReplicaProtocol#rebuilt}. */
    void rebuild(PartitionRecord term);

    /** A copy came to another result than this one, which leads, with the record. */
    void different(long sequence);

    /** A reader of another copy waits for {@link ReplicaProtocol#clockPassed}. */
    default void clockWanted(CopyId reader, long timestamp) {}

    /** Readers of this copy, which follows, have all here that is or will be committed at or below the timestamp. */
    default void clockPassed(long timestamp) {}

    /** An operator must act; the message says how. */
    void complain(String message);
}
