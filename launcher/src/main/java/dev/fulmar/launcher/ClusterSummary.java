package dev.fulmar.launcher;

import dev.fulmar.coordinator.membership.ClusterRecord;
import dev.fulmar.coordinator.membership.CopyId;
import dev.fulmar.coordinator.membership.NodeRecord;
import dev.fulmar.coordinator.membership.PartitionRecord;
import dev.fulmar.coordinator.membership.PlacementRecord;
import dev.fulmar.coordinator.membership.StateKey;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.id.PartitionId;
import dev.fulmar.node.wiring.ClusterStore;
import java.io.PrintWriter;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** What a cluster's ZooKeeper says, for people. */
final class ClusterSummary {
    private ClusterSummary() {}

    static void print(ClusterStore store, PrintWriter out) {
        ClusterRecord cluster = store.cluster();
        out.println("cluster " + cluster.name() + " " + cluster.clusterId() + ": " + cluster.partitions()
                + " partitions, " + cluster.copies() + " copies, writes with " + cluster.minInSync() + " in sync");
        Set<NodeId> living = new TreeSet<>(store.living());
        for (StateKey.Node key : store.nodes()) {
            NodeRecord node = store.read(key).record();
            if (node != null) {
                out.println("node " + key.node().number() + " "
                        + (living.contains(key.node()) ? "up" : "down") + " at " + node.address() + ", process "
                        + node.incarnation() + standing(node));
            }
        }
        out.println(line(store, cluster.partitions(), "catalog "));
        for (int partition = 0; partition < cluster.partitions(); partition++) {
            out.println(line(store, partition, "partition " + partition + " "));
        }
        out.flush();
    }

    private static String standing(NodeRecord node) {
        return switch (node.standing()) {
            case MEMBER -> "";
            case LEAVING -> ", leaving";
            case REMOVED -> ", removed";
        };
    }

    private static String line(ClusterStore store, int partition, String name) {
        PlacementRecord placement = store.read(PlacementRecord.keyOf(partition)).record();
        int index = partition % PlacementRecord.PARTITIONS;
        List<NodeId> planned = placement == null || index >= placement.copies().size()
                ? List.of()
                : placement.copies().get(index);
        PartitionRecord record =
                store.read(new StateKey.Partition(new PartitionId(partition))).record();
        String plan = ", planned on " + numbers(planned);
        return record == null
                ? name + "not founded" + plan
                : name + "led by " + record.primary().node().number() + " in epoch " + record.epoch() + ", in sync "
                        + numbers(record.inSync().stream().map(CopyId::node).toList()) + plan;
    }

    private static String numbers(List<NodeId> nodes) {
        return nodes.stream().map(node -> Integer.toString(node.number())).collect(Collectors.joining(" "));
    }
}
