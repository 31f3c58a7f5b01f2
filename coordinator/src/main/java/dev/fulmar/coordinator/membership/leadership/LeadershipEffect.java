package dev.fulmar.coordinator.membership.leadership;

import dev.fulmar.coordinator.membership.CopyId;
import dev.fulmar.coordinator.membership.PartitionRecord;
import dev.fulmar.coordinator.membership.Versioned;
import java.util.Set;

/** Action that the leadership asks for; actions are carried out in their order. */
public sealed interface LeadershipEffect {
    /** Make this change; its end comes as an event. There is one under way at most. */
    record Change(Versioned<PartitionRecord> expected, PartitionRecord next) implements LeadershipEffect {}

    /** Begin to lead in this term. */
    record Lead(PartitionRecord term) implements LeadershipEffect {}

    /** Follow the primary of this term, and refuse messages of older ones. Ends a term of this process. */
    record Follow(PartitionRecord term) implements LeadershipEffect {}

    /** As {@link Follow}, but this process's copy is not in sync: it must catch up, and may have to be built anew. */
    record CatchUp(PartitionRecord term) implements LeadershipEffect {}

    /**
     * The copies whose confirmations an acknowledgement needs from now on. Follows {@link Lead}.
     *
     * @param joining those of them that are not in sync yet
     */
    record Require(Set<CopyId> copies, Set<CopyId> joining) implements LeadershipEffect {}

    /** Whether anything, and whether writes may be acknowledged from now on. Follows {@link Lead}. */
    record Acknowledge(boolean reads, boolean writes) implements LeadershipEffect {}

    /** An operator must act; the message says how. */
    record Complain(String message) implements LeadershipEffect {}
}
