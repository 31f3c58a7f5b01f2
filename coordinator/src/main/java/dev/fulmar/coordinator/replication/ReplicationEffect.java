package dev.fulmar.coordinator.replication;

import dev.fulmar.coordinator.membership.CopyId;
import dev.fulmar.foundation.id.NodeId;

/** Action that a replication state machine asks for; actions are carried out in their order. */
public sealed interface ReplicationEffect {
    /** Send the message; of a group, the records too. */
    record Send(NodeId to, ReplicationMessage message) implements ReplicationEffect {}

    /** Undo everything from the position on, in the rows and in the log, durably before what follows. */
    record RollBack(long to) implements ReplicationEffect {}

    /** Store epoch and history with the log, and say so once they are durable. */
    record StoreTerm(long epoch, EpochHistory history) implements ReplicationEffect {}

    /** Execute the records of the group in these positions, compare, log; say so once they are durable. */
    record Apply(long from, long to) implements ReplicationEffect {}

    /** Release the log up to the position: no copy has to go back behind it. */
    record Release(long to) implements ReplicationEffect {}

    /** The copy cannot follow: build it anew, with another life, from the primary of the epoch. */
    record Rebuild(long epoch) implements ReplicationEffect {}

    /** Replies that wait for this group or an earlier one may go. */
    record Safe(long number, long end) implements ReplicationEffect {}

    /** For {@code LeadershipEvent.Approached}. */
    record Approached(CopyId copy) implements ReplicationEffect {}

    /** For {@code LeadershipEvent.CaughtUp}. */
    record CaughtUp(CopyId copy) implements ReplicationEffect {}

    /** The copy cannot follow any more; for {@code LeadershipEvent.Diverged}. */
    record Lost(CopyId copy) implements ReplicationEffect {}

    /** The record came to another result at a copy. */
    record Different(long sequence) implements ReplicationEffect {}

    /** A reader of the copy waits for the clock to pass the timestamp, and for the copy's word that it has. */
    record ClockWanted(CopyId copy, long timestamp) implements ReplicationEffect {}

    /**
     * The copy has everything that is or will be committed at or below the timestamp, and no copy can come to lead that
     * has not.
     */
    record ClockPassed(long timestamp) implements ReplicationEffect {}

    /** Another process leads in a later epoch: read the record. */
    record Outdated(long epoch) implements ReplicationEffect {}
}
