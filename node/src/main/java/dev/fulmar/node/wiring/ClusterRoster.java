package dev.fulmar.node.wiring;

import dev.fulmar.coordinator.cluster.AssignmentPlan;
import dev.fulmar.coordinator.cluster.AssignmentShift;
import dev.fulmar.coordinator.membership.AssignmentRecord;
import dev.fulmar.coordinator.membership.ClusterRecord;
import dev.fulmar.coordinator.membership.NodeRecord;
import dev.fulmar.coordinator.membership.PartitionRecord;
import dev.fulmar.coordinator.membership.StateKey;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.id.PartitionId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;

/**
 * Adds nodes to a running cluster and removes them, by changing in its store which nodes are to have copies. The nodes
 * follow by themselves. An operator may repeat each step after an interruption.
 */
public final class ClusterRoster {
    private final ClusterStore store;
    private final ClusterRecord cluster;

    public ClusterRoster(ClusterStore store) {
        this.store = store;
        this.cluster = store.cluster();
    }

    /** Gives a further node its share of the copies. */
    public void add(NodeId added) {
        NodeRecord record = store.read(new StateKey.Node(added)).record();
        if (record != null && record.standing() != NodeRecord.Standing.MEMBER) {
            throw refused(added + " has been taken out of the cluster; add the machine under another number");
        }
        shift(plan -> AssignmentShift.adding(plan, cluster.partitions(), added));
    }

    /** Begins to take a node out: its copies are to be on others. */
    public void beginToRemove(NodeId removed) {
        Set<NodeId> members = new TreeSet<>();
        plan().subList(0, cluster.partitions()).forEach(members::addAll);
        for (StateKey.Node key : store.nodes()) {
            NodeRecord record = store.read(key).record();
            if (record != null && record.standing() == NodeRecord.Standing.MEMBER) {
                members.add(key.node());
            }
        }
        if (!members.contains(removed) && store.read(new StateKey.Node(removed)).record() == null) {
            throw refused("the cluster has no " + removed);
        }
        members.remove(removed);
        shift(plan -> AssignmentShift.removing(plan, cluster.partitions(), members, removed));
        stand(removed, NodeRecord.Standing.MEMBER, NodeRecord.Standing.LEAVING);
    }

    /** Partitions whose copies are not all in sync where the plan wants them. */
    public int unfinished() {
        List<List<NodeId>> plan = plan();
        int count = 0;
        for (int partition = 0; partition < plan.size(); partition++) {
            PartitionRecord record = store.read(new StateKey.Partition(new PartitionId(partition)))
                    .record();
            boolean isComplete = record != null
                    && plan.get(partition).stream()
                            .allMatch(node -> record.inSyncOn(node).isPresent());
            count += isComplete ? 0 : 1;
        }
        return count;
    }

    /** Number of partitions, the catalog among them, that another node leads than the one that should. */
    public int misled() {
        List<List<NodeId>> plan = plan();
        int count = 0;
        for (int partition = 0; partition < plan.size(); partition++) {
            PartitionRecord record = store.read(new StateKey.Partition(new PartitionId(partition)))
                    .record();
            NodeId preferred = plan.get(partition).getFirst();
            count += record != null && record.primary().node().equals(preferred) ? 0 : 1;
        }
        return count;
    }

    /** Number of partitions, the catalog among them, without a primary on a node that is up. */
    public int unled() {
        Set<NodeId> living = new HashSet<>(store.living()); // asked for single nodes only
        int count = 0;
        for (int partition = 0; partition <= cluster.partitions(); partition++) {
            PartitionRecord record = store.read(new StateKey.Partition(new PartitionId(partition)))
                    .record();
            count += record != null && living.contains(record.primary().node()) ? 0 : 1;
        }
        return count;
    }

    /** Takes the node out for good: its process ends, if it runs, and its number is not used again. */
    public void remove(NodeId removed) {
        if (plan().stream().anyMatch(holders -> holders.contains(removed))) {
            throw refused("the plan wants copies on " + removed + "; begin again");
        }
        stand(removed, NodeRecord.Standing.LEAVING, NodeRecord.Standing.REMOVED);
    }

    private void stand(NodeId node, NodeRecord.Standing before, NodeRecord.Standing after) {
        store.change(
                new StateKey.Node(node),
                record -> record.standing() == before
                        ? new NodeRecord(record.incarnation(), after, record.address())
                        : record);
    }

    /** By partition, and behind the last one what is on all nodes. */
    private List<List<NodeId>> plan() {
        List<List<NodeId>> plan = new ArrayList<>();
        for (int first = 0; first <= cluster.partitions(); first += AssignmentRecord.PARTITIONS) {
            AssignmentRecord record = store.read(AssignmentRecord.keyOf(first)).record();
            if (record != null) {
                plan.addAll(record.copies());
            }
        }
        return plan;
    }

    /** Changes all records of the plan, one after another; a reader that sees some of them follows those. */
    private void shift(UnaryOperator<List<List<NodeId>>> change) {
        List<List<NodeId>> before = plan();
        List<AssignmentRecord> now = AssignmentPlan.records(before);
        List<AssignmentRecord> next = AssignmentPlan.records(change.apply(before));
        for (int chunk = 0; chunk < next.size(); chunk++) {
            AssignmentRecord expected = now.get(chunk);
            AssignmentRecord wanted = next.get(chunk);
            store.change(new StateKey.Assignment(chunk), found -> {
                if (!found.equals(expected) && !found.equals(wanted)) {
                    throw refused("somebody else changes the plan; look at it with: bin/fulmar cluster status");
                }
                return wanted;
            });
        }
    }

    private static FulmarException refused(String why) {
        return new FulmarException(ErrorCode.INVALID_CONFIGURATION, why);
    }
}
