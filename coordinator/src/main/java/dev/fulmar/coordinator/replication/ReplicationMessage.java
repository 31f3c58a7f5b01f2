package dev.fulmar.coordinator.replication;

import dev.fulmar.coordinator.membership.CopyId;

/** Message between copies of a partition. Every message carries the epoch of its sender. */
public sealed interface ReplicationMessage {
    long epoch();

    /** Primary to a copy that has not joined: a term has begun with this log. */
    record TermBegun(long epoch, EpochHistory history, long end) implements ReplicationMessage {}

    /**
     * Copy to primary: it has rolled back to the position, where its log and the primary's part or its own ends; send
     * what follows.
     */
    record Joined(long epoch, CopyId copy, long position) implements ReplicationMessage {}

    /**
     * Primary to copy: the records from a position on, which follow the header. None if both positions are the same.
     *
     * @param number of the last closed group whose end is not behind this one's; what was closed before the message was
     *     sent
     * @param safeEnd nobody will have to go back behind it
     */
    record Group(long epoch, long number, long begin, long end, long safeEnd) implements ReplicationMessage {}

    /**
     * Copy to primary: everything up to the end, and the group with all before it, is executed, was the same, and is
     * durable.
     */
    record Confirmed(long epoch, CopyId copy, long number, long end) implements ReplicationMessage {}

    /** Copy to primary, which sends groups and may not know that it began anew: it does not know the term. */
    record AwaitsTerm(long epoch, CopyId copy) implements ReplicationMessage {}

    /**
     * Copy to primary: it cannot follow and must be built anew.
     *
     * @param sequence of the record that came to another result; 0 if that is not why
     */
    record Diverged(long epoch, CopyId copy, long sequence) implements ReplicationMessage {}

    /**
     * Copy to all others: it has taken the place of one that the record of the epoch names as in sync. Only where
     * copies do not keep what they confirmed.
     *
     * @param lastEpoch that wrote something in its log
     * @param end of its log
     */
    record Replaces(long epoch, CopyId copy, long lastEpoch, long end) implements ReplicationMessage {}

    /** Copy to primary: a reader of the copy wants all later commits to be above the timestamp. */
    record ClockWanted(long epoch, CopyId copy, long timestamp) implements ReplicationMessage {}

    /**
     * Primary to copy: the log up to the end decides everything that is or will ever be committed at or below the
     * timestamp. All copies in sync have it.
     */
    record ClockPassed(long epoch, long end, long timestamp) implements ReplicationMessage {}

    /**
     * Primary to copy: it must be built anew. The records that it needs are not there any more, or it has less than it
     * confirmed.
     */
    record Behind(long epoch) implements ReplicationMessage {}

    /** Copy to a primary of an older epoch: there is this one. */
    record Outdated(long epoch) implements ReplicationMessage {}
}
