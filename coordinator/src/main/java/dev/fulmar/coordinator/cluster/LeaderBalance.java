package dev.fulmar.coordinator.cluster;

import dev.fulmar.foundation.id.NodeId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Evens out how many partitions each node should lead, without moving a copy. A node that should lead too many passes
 * one to a follower, which may pass another on, until one is met that should lead at least two less.
 */
final class LeaderBalance {
    /** Per partition its nodes, the one that should lead first. */
    private final List<List<NodeId>> placed;

    private final int partitions;
    private final Map<NodeId, Integer> leads = new TreeMap<>();

    private LeaderBalance(List<List<NodeId>> placed, int partitions) {
        this.placed = new ArrayList<>(placed);
        this.partitions = partitions;
        placed.subList(0, partitions).forEach(holders -> holders.forEach(node -> leads.putIfAbsent(node, 0)));
        placed.subList(0, partitions).forEach(holders -> leads.merge(holders.getFirst(), 1, Integer::sum));
    }

    /** The plan with other nodes first; what is behind the partitions stays. */
    static List<List<NodeId>> of(List<List<NodeId>> placed, int partitions) {
        LeaderBalance balance = new LeaderBalance(placed, partitions);
        boolean isChanged = true;
        while (isChanged) {
            isChanged = false;
            for (NodeId node : balance.richestFirst()) {
                isChanged = isChanged || balance.relieve(node);
            }
        }
        return balance.placed;
    }

    private List<NodeId> richestFirst() {
        return leads.keySet().stream()
                .sorted(Comparator.<NodeId>comparingInt(this::leads)
                        .reversed()
                        .thenComparing(Comparator.naturalOrder()))
                .toList();
    }

    private int leads(NodeId node) {
        return leads.getOrDefault(node, 0);
    }

    /** Takes one partition from the node by the shortest path to one that should lead less; false if there is none. */
    private boolean relieve(NodeId rich) {
        Map<NodeId, Integer> reachedBy = new TreeMap<>();
        ArrayDeque<NodeId> open = new ArrayDeque<>(List.of(rich));
        for (NodeId node = open.poll(); node != null; node = open.poll()) {
            if (leads(node) <= leads(rich) - 2) {
                pass(rich, node, reachedBy);
                return true;
            }
            for (int partition = 0; partition < partitions; partition++) {
                List<NodeId> holders = placed.get(partition);
                if (holders.getFirst().equals(node)) {
                    for (NodeId follower : holders.subList(1, holders.size())) {
                        if (!follower.equals(rich) && reachedBy.putIfAbsent(follower, partition) == null) {
                            open.add(follower);
                        }
                    }
                }
            }
        }
        return false;
    }

    private void pass(NodeId rich, NodeId poor, Map<NodeId, Integer> reachedBy) {
        NodeId to = poor;
        while (!to.equals(rich)) {
            @Nullable Integer partition = reachedBy.get(to);
            if (partition == null) {
                throw new IllegalStateException(to + " is on no path from " + rich);
            }
            List<NodeId> holders = new ArrayList<>(placed.get(partition));
            NodeId from = holders.getFirst();
            Collections.swap(holders, 0, holders.indexOf(to));
            placed.set(partition, holders);
            to = from;
        }
        leads.merge(rich, -1, Integer::sum);
        leads.merge(poor, 1, Integer::sum);
    }
}
