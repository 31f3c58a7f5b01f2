package dev.fulmar.launcher;

import dev.fulmar.coordinator.membership.AssignmentRecord;
import dev.fulmar.coordinator.membership.ClusterRecord;
import dev.fulmar.coordinator.membership.CopyId;
import dev.fulmar.coordinator.membership.NodeRecord;
import dev.fulmar.coordinator.membership.PartitionRecord;
import dev.fulmar.coordinator.membership.StateKey;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.id.PartitionId;
import dev.fulmar.node.wiring.ClusterStore;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Summary of a cluster's ZooKeeper records, for people and for programs. */
final class ClusterSummary {
    private ClusterSummary() {}

    static void print(ClusterStore store, PrintWriter out) {
        ClusterRecord cluster = store.cluster();
        String spares = cluster.spares() == 0 ? "" : " and " + cluster.spares() + " spare";
        out.println("cluster " + cluster.name() + " " + cluster.clusterId() + ": "
                + (cluster.partitions() - cluster.spares()) + " partitions" + spares + ", " + cluster.copies()
                + " copies, writes with " + cluster.minInSync() + " in sync");
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

    /**
     * The same as a JSON object. Names stay as they are; more may come.
     *
     * @param unfinished partitions, the catalog among them, that have not yet all copies that are planned
     * @param unled partitions, the catalog among them, that no node serves that is up
     */
    static Map<String, Object> asMap(ClusterStore store, int unfinished, int unled) {
        ClusterRecord cluster = store.cluster();
        Set<NodeId> living = new TreeSet<>(store.living());
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("cluster", cluster.name());
        map.put("id", cluster.clusterId().toString());
        map.put("copies", cluster.copies());
        map.put("minInSync", cluster.minInSync());
        map.put("spares", cluster.spares());
        map.put("unfinished", unfinished);
        map.put("unled", unled);
        List<Map<String, Object>> nodes = new ArrayList<>();
        for (StateKey.Node key : store.nodes()) {
            NodeRecord node = store.read(key).record();
            if (node != null) {
                Map<String, Object> each = new LinkedHashMap<>();
                each.put("node", key.node().number());
                each.put("up", living.contains(key.node()));
                each.put("address", node.address());
                each.put("process", node.incarnation());
                each.put("standing", node.standing().name());
                nodes.add(each);
            }
        }
        map.put("nodes", nodes);
        map.put("catalog", partition(store, cluster.partitions()));
        List<Map<String, Object>> partitions = new ArrayList<>();
        for (int number = 0; number < cluster.partitions(); number++) {
            Map<String, Object> each = new LinkedHashMap<>();
            each.put("partition", number);
            each.putAll(partition(store, number));
            partitions.add(each);
        }
        map.put("partitions", partitions);
        return map;
    }

    /** Describes a partition, which has neither leader nor epoch before it is founded. */
    private static Map<String, Object> partition(ClusterStore store, int number) {
        Map<String, Object> map = new LinkedHashMap<>();
        PartitionRecord record =
                store.read(new StateKey.Partition(new PartitionId(number))).record();
        if (record != null) {
            map.put("leader", record.primary().node().number());
            map.put("epoch", record.epoch());
        }
        List<NodeId> inSync = record == null
                ? List.of()
                : record.inSync().stream().map(CopyId::node).toList();
        map.put("inSync", inSync.stream().map(NodeId::number).toList());
        map.put("planned", planned(store, number).stream().map(NodeId::number).toList());
        return map;
    }

    private static List<NodeId> planned(ClusterStore store, int partition) {
        AssignmentRecord assignment =
                store.read(AssignmentRecord.keyOf(partition)).record();
        int index = partition % AssignmentRecord.PARTITIONS;
        return assignment == null || index >= assignment.copies().size()
                ? List.of()
                : assignment.copies().get(index);
    }

    private static String standing(NodeRecord node) {
        return switch (node.standing()) {
            case MEMBER -> "";
            case LEAVING -> ", leaving";
            case REMOVED -> ", removed";
        };
    }

    private static String line(ClusterStore store, int partition, String name) {
        PartitionRecord record =
                store.read(new StateKey.Partition(new PartitionId(partition))).record();
        String plan = ", planned on " + numbers(planned(store, partition));
        return record == null
                ? name + "not founded" + plan
                : name + "led by " + record.primary().node().number() + " in epoch " + record.epoch() + ", in sync "
                        + numbers(record.inSync().stream().map(CopyId::node).toList()) + plan;
    }

    private static String numbers(List<NodeId> nodes) {
        return nodes.stream().map(node -> Integer.toString(node.number())).collect(Collectors.joining(" "));
    }
}
