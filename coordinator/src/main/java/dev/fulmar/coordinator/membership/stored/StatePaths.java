package dev.fulmar.coordinator.membership.stored;

import dev.fulmar.coordinator.membership.ClusterRecord;
import dev.fulmar.coordinator.membership.StateKey;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.id.PartitionId;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** Paths of records in a tree of named nodes, as ZooKeeper has one. */
public final class StatePaths {
    private static final String CLUSTER = "cluster";
    private static final String CATALOG = "catalog";
    private static final String PLAN = "plan";
    private static final String NODES = "nodes/";
    private static final String PARTITIONS = "partitions/";
    private static final String ALL_CLUSTERS = "/fulmar";
    private static final String ASSIGNMENT = "placement/";
    private static final String PRESENCES = "live/";
    private static final int MAX_DIGITS = 9;

    private final String root;

    /** @param clusterName of the cluster, under which all of it lies */
    public StatePaths(String clusterName) {
        if (!ClusterRecord.isName(clusterName)) {
            throw new FulmarException(
                    ErrorCode.INVALID_CONFIGURATION,
                    "'" + clusterName + "' is no name for a cluster; use letters, digits, hyphens and underscores");
        }
        root = ALL_CLUSTERS + "/" + clusterName + "/";
    }

    /** The directory that all clusters share. */
    public String ofAllClusters() {
        return ALL_CLUSTERS;
    }

    /** The cluster's own directory. */
    public String root() {
        return root.substring(0, root.length() - 1);
    }

    public String nodes() {
        return root + NODES.substring(0, NODES.length() - 1);
    }

    public String presences() {
        return root + PRESENCES.substring(0, PRESENCES.length() - 1);
    }

    /** Directories that must be there before any record is, parents first. */
    public List<String> directories() {
        return List.of(
                ofAllClusters(),
                root(),
                nodes(),
                root + PARTITIONS.substring(0, PARTITIONS.length() - 1),
                root + ASSIGNMENT.substring(0, ASSIGNMENT.length() - 1),
                presences());
    }

    public String of(StateKey<?> key) {
        return root
                + switch (key) {
                    case StateKey.Cluster _ -> CLUSTER;
                    case StateKey.Catalog _ -> CATALOG;
                    case StateKey.Plan _ -> PLAN;
                    case StateKey.Node(NodeId node) -> NODES + node.number();
                    case StateKey.Assignment(int chunk) -> ASSIGNMENT + chunk;
                    case StateKey.Partition(PartitionId partition) -> PARTITIONS + partition.number();
                };
    }

    public String ofPresence(NodeId node) {
        return root + PRESENCES + node.number();
    }

    /** The record that lies there, if any does. */
    public Optional<StateKey<?>> keyAt(String path) {
        if (!path.startsWith(root)) {
            return Optional.empty();
        }
        String place = path.substring(root.length());
        return switch (place) {
            case CLUSTER -> Optional.of(new StateKey.Cluster());
            case CATALOG -> Optional.of(new StateKey.Catalog());
            case PLAN -> Optional.of(new StateKey.Plan());
            default -> numberedKeyAt(place);
        };
    }

    private static Optional<StateKey<?>> numberedKeyAt(String place) {
        OptionalInt node = numberAfter(NODES, place);
        if (node.isPresent()) {
            return Optional.of(new StateKey.Node(new NodeId(node.getAsInt())));
        }
        OptionalInt chunk = numberAfter(ASSIGNMENT, place);
        if (chunk.isPresent()) {
            return Optional.of(new StateKey.Assignment(chunk.getAsInt()));
        }
        OptionalInt partition = numberAfter(PARTITIONS, place);
        return partition.isPresent()
                ? Optional.of(new StateKey.Partition(new PartitionId(partition.getAsInt())))
                : Optional.empty();
    }

    /** Whether a presence lies there, or all of them do. */
    public boolean isPresence(String path) {
        return path.equals(presences()) || path.startsWith(root + PRESENCES);
    }

    /** The node's number that is the name of an entry among nodes or presences; refuses any other name. */
    public static NodeId nodeNamed(String name) {
        OptionalInt number = numberAfter("", name);
        if (number.isEmpty()) {
            throw new FulmarException(
                    ErrorCode.CORRUPTION,
                    "the cluster's state lists a node '" + printable(name)
                            + "', which is no node number; delete that entry if nobody knows it");
        }
        return new NodeId(number.getAsInt());
    }

    private static String printable(String name) {
        String head = name.substring(0, Math.min(name.length(), 40));
        return head.replaceAll("[^ -~]", "?");
    }

    /** A number of decimal digits, without signs and leading zeros, after the prefix. */
    private static OptionalInt numberAfter(String prefix, String place) {
        if (!place.startsWith(prefix)) {
            return OptionalInt.empty();
        }
        String digits = place.substring(prefix.length());
        boolean isNumber = !digits.isEmpty()
                && digits.length() <= MAX_DIGITS
                && digits.chars().allMatch(c -> c >= '0' && c <= '9')
                && (digits.length() == 1 || digits.charAt(0) != '0');
        return isNumber ? OptionalInt.of(Integer.parseInt(digits)) : OptionalInt.empty();
    }
}
