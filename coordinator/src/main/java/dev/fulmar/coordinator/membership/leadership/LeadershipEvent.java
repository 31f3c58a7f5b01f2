package dev.fulmar.coordinator.membership.leadership;

import dev.fulmar.coordinator.membership.ChangeOutcome;
import dev.fulmar.coordinator.membership.CopyId;
import dev.fulmar.coordinator.membership.PartitionRecord;
import dev.fulmar.coordinator.membership.Versioned;
import dev.fulmar.foundation.id.NodeId;
import java.util.List;

/** Event for a partition's leadership. */
public sealed interface LeadershipEvent {
    /** The record, as a read found it. */
    record RecordFound(Versioned<PartitionRecord> found) implements LeadershipEvent {}

    /** The end of the change that was asked for last. */
    record ChangeEnded(ChangeOutcome<Versioned<PartitionRecord>> outcome) implements LeadershipEvent {}

    /** The node is not trusted. */
    record Suspected(NodeId node) implements LeadershipEvent {}

    /** The node's process is trusted again, or for the first time. A younger one says that the older is gone. */
    record Trusted(NodeId node, long incarnation) implements LeadershipEvent {}

    /** The copy gets all groups from now on and lacks little: its confirmations may be asked for. For a primary. */
    record Approached(CopyId copy) implements LeadershipEvent {}

    /**
     * The copy, since its confirmations are asked for, has confirmed everything that was acknowledged so far. For a
     * primary, told at once.
     */
    record CaughtUp(CopyId copy) implements LeadershipEvent {}

    /** The copy, as the process has it that spoke last, cannot follow: that one must build it anew. For a primary. */
    record Diverged(CopyId copy) implements LeadershipEvent {}

    /** This process's copy is damaged: the process leads no more, and stands for nothing until it has another copy. */
    record Broken() implements LeadershipEvent {}

    /** The primary of the term says that its copy is damaged. */
    record Resigned(CopyId primary, long epoch) implements LeadershipEvent {}

    /** The node has a copy of this life: an older one of it is gone. */
    record Replaced(CopyId copy) implements LeadershipEvent {}

    /**
     * All copies that the record of this version names as in sync have ended, for their nodes came back with others.
     * This copy has most of what is left. Only for databases whose copies do not keep what they confirmed.
     */
    record Orphaned(long version) implements LeadershipEvent {}

    /**
     * The nodes that are to have copies, the preferred one to lead first. Where others have some in sync, those go once
     * all of these are in sync.
     */
    record Planned(List<NodeId> nodes) implements LeadershipEvent {
        public Planned {
            nodes = List.copyOf(nodes);
        }
    }

    /**
     * The node's process is about to end in order. Its copies are let go before it does, and what it leads goes to
     * others; with this process's own node, this one is to end.
     */
    record Leaving(NodeId node, long incarnation) implements LeadershipEvent {}

    /**
     * Another copy may lead: each that is in sync has confirmed something that it was sent since {@link
     * Leadership#isToHandOver}. For a primary, best when everything that was executed is safe, and nothing more is
     * begun.
     */
    record TransferAsked() implements LeadershipEvent {}

    /**
     * The transfer did not come about in time. A process that is about to end gives the term away all the same, and one
     * that stays leads on for a while.
     *
     * @param isConfirmed as {@link TransferAsked} wants it
     */
    record TransferLate(boolean isConfirmed) implements LeadershipEvent {}

    /** Time has passed. */
    record TimePassed() implements LeadershipEvent {}
}
