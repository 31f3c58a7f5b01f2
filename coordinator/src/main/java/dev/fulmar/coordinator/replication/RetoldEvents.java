package dev.fulmar.coordinator.replication;

import dev.fulmar.coordinator.membership.PartitionRecord;
import dev.fulmar.coordinator.membership.Versioned;
import dev.fulmar.coordinator.membership.leadership.LeadershipEvent;
import dev.fulmar.foundation.id.NodeId;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** News of the record and of nodes that a process has had. The leadership of its next copy is told them again. */
final class RetoldEvents {
    private final Map<NodeId, LeadershipEvent> lastHeard = new TreeMap<>();
    private final Map<NodeId, LeadershipEvent> lastLeaving = new TreeMap<>();
    private LeadershipEvent.Planned lastPlanned = new LeadershipEvent.Planned(List.of());
    private @Nullable Versioned<PartitionRecord> lastFound;

    void note(LeadershipEvent event) {
        switch (event) {
            case LeadershipEvent.RecordFound(var found) -> lastFound = found;
            case LeadershipEvent.Suspected(NodeId node) -> lastHeard.put(node, event);
            case LeadershipEvent.Trusted(NodeId node, long _) -> lastHeard.put(node, event);
            case LeadershipEvent.Planned planned -> lastPlanned = planned;
            case LeadershipEvent.Leaving(NodeId node, long _) -> lastLeaving.put(node, event);
            case LeadershipEvent.ChangeEnded _,
                    LeadershipEvent.Orphaned _,
                    LeadershipEvent.Broken _,
                    LeadershipEvent.Resigned _,
                    LeadershipEvent.Approached _,
                    LeadershipEvent.CaughtUp _,
                    LeadershipEvent.Diverged _,
                    LeadershipEvent.Replaced _,
                    LeadershipEvent.TransferAsked _,
                    LeadershipEvent.TransferLate _,
                    LeadershipEvent.TimePassed _ -> {}
        }
    }

    /** The partition's record as it was found last; null before that. */
    @Nullable Versioned<PartitionRecord> lastFound() {
        return lastFound;
    }

    void retell(Consumer<LeadershipEvent> leadership) {
        List.copyOf(lastHeard.values()).forEach(leadership);
        List.copyOf(lastLeaving.values()).forEach(leadership);
        leadership.accept(lastPlanned);
        Versioned<PartitionRecord> found = lastFound;
        if (found != null) {
            leadership.accept(new LeadershipEvent.RecordFound(found));
        }
    }
}
