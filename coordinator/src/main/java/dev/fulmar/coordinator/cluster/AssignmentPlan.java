package dev.fulmar.coordinator.cluster;

import dev.fulmar.coordinator.membership.AssignmentRecord;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.id.NodeId;
import java.util.ArrayList;
import java.util.List;

/**
 * Balanced assignment of the copies of a new cluster's partitions. Each node leads as many partitions as any other and
 * one at most more, and its followers are spread.
 */
public final class AssignmentPlan {
    private AssignmentPlan() {}

    /** Per partition its nodes, the one that should lead first. */
    public static List<List<NodeId>> balanced(List<NodeId> nodes, int partitions, int copies) {
        int count = nodes.size();
        if (copies > count) {
            throw new FulmarException(
                    ErrorCode.INVALID_CONFIGURATION,
                    copies + " copies of each partition need as many nodes, and there are " + count
                            + "; name more nodes, or ask for a smaller k");
        }
        List<List<NodeId>> placed = new ArrayList<>();
        for (int partition = 0; partition < partitions; partition++) {
            List<NodeId> holders = new ArrayList<>();
            holders.add(nodes.get(partition % count));
            for (int i = 0; i < copies - 1; i++) {
                int step = 1 + (partition / count + i) % (count - 1);
                holders.add(nodes.get((partition + step) % count));
            }
            placed.add(holders);
        }
        return placed;
    }

    /** The same, and behind the last partition the catalog, which is on all nodes. */
    public static List<List<NodeId>> withCatalog(List<NodeId> nodes, int partitions, int copies) {
        List<List<NodeId>> placed = new ArrayList<>(balanced(nodes, partitions, copies));
        placed.add(List.copyOf(nodes));
        return placed;
    }

    /** The records that say it. */
    public static List<AssignmentRecord> records(List<List<NodeId>> placed) {
        List<AssignmentRecord> records = new ArrayList<>();
        for (int first = 0; first < placed.size(); first += AssignmentRecord.PARTITIONS) {
            records.add(new AssignmentRecord(
                    placed.subList(first, Math.min(placed.size(), first + AssignmentRecord.PARTITIONS))));
        }
        return records;
    }
}
