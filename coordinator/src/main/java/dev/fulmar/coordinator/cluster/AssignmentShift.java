package dev.fulmar.coordinator.cluster;

import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.id.NodeId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Change of the assignment when a node comes or goes, which moves as few copies as possible. Behind the partitions
 * there may be streams, such as the catalog, that are on all nodes.
 */
public final class AssignmentShift {
    private AssignmentShift() {}

    /**
     * The plan with a further node, which gets its share of the copies from those that have most. Then it should lead
     * as many partitions as others, as far as copies allow.
     */
    public static List<List<NodeId>> adding(List<List<NodeId>> placed, int partitions, NodeId added) {
        List<List<NodeId>> next = new ArrayList<>(placed);
        Map<NodeId, Integer> copies = count(placed, partitions);
        if (copies.containsKey(added)) {
            throw refused(added + " has copies already");
        }
        int all = copies.values().stream().mapToInt(Integer::intValue).sum();
        int share = all / (copies.size() + 1);
        for (int moved = 0; moved < share; moved++) {
            int partition = richestHolder(next, partitions, copies, added);
            if (partition < 0) {
                break;
            }
            List<NodeId> holders = new ArrayList<>(next.get(partition));
            NodeId richest = poorer(copies, movable(holders)).getLast();
            holders.set(holders.indexOf(richest), added);
            next.set(partition, holders);
            copies.merge(richest, -1, Integer::sum);
            copies.merge(added, 1, Integer::sum);
        }
        for (int i = partitions; i < next.size(); i++) {
            List<NodeId> everybody = new ArrayList<>(next.get(i));
            everybody.add(added);
            next.set(i, everybody);
        }
        checkCopies(placed, next, partitions);
        return LeaderBalance.of(next, partitions);
    }

    /** Those that may give their copy to a newcomer: followers, so that few leaders change, if there are any. */
    private static List<NodeId> movable(List<NodeId> holders) {
        return holders.size() == 1 ? holders : holders.subList(1, holders.size());
    }

    /**
     * The partition of whose holders one has more copies than any other partition's; -1 if none has more than the
     * newcomer would.
     */
    private static int richestHolder(
            List<List<NodeId>> placed, int partitions, Map<NodeId, Integer> copies, NodeId added) {
        int found = -1;
        int most = copies.getOrDefault(added, 0) + 1;
        for (int partition = 0; partition < partitions; partition++) {
            List<NodeId> holders = placed.get(partition);
            if (holders.contains(added)) {
                continue;
            }
            for (NodeId holder : movable(holders)) {
                int held = copies.getOrDefault(holder, 0);
                if (held > most) {
                    most = held;
                    found = partition;
                }
            }
        }
        return found;
    }

    /** The plan without a node, whose copies go to the members that have fewest; others lead what it should lead. */
    public static List<List<NodeId>> removing(
            List<List<NodeId>> placed, int partitions, Collection<NodeId> members, NodeId removed) {
        List<List<NodeId>> next = new ArrayList<>();
        Map<NodeId, Integer> copies = count(placed, partitions);
        members.forEach(member -> copies.putIfAbsent(member, 0));
        copies.remove(removed);
        for (int partition = 0; partition < placed.size(); partition++) {
            List<NodeId> holders = new ArrayList<>(placed.get(partition));
            int place = holders.indexOf(removed);
            if (place >= 0 && partition >= partitions) {
                holders.remove(place);
            } else if (place >= 0) {
                NodeId heir = poorer(copies, members).stream()
                        .filter(member -> !member.equals(removed) && !holders.contains(member))
                        .findFirst()
                        .orElseThrow(() -> refused("without " + removed + " there are too few nodes for "
                                + holders.size() + " copies of each partition; add a node first"));
                holders.set(place, heir);
                copies.merge(heir, 1, Integer::sum);
            }
            next.add(holders);
        }
        checkCopies(placed, next, partitions);
        return LeaderBalance.of(next, partitions);
    }

    private static void checkCopies(List<List<NodeId>> before, List<List<NodeId>> after, int partitions) {
        for (int partition = 0; partition < partitions; partition++) {
            List<NodeId> holders = after.get(partition);
            Invariants.check(
                    holders.size() == before.get(partition).size() && new HashSet<>(holders).size() == holders.size(),
                    "a partition keeps its number of copies, each on another node");
        }
    }

    /** Those with the fewest copies first. */
    private static List<NodeId> poorer(Map<NodeId, Integer> copies, Collection<NodeId> nodes) {
        return nodes.stream()
                .sorted(Comparator.<NodeId>comparingInt(node -> copies.getOrDefault(node, 0))
                        .thenComparing(Comparator.naturalOrder()))
                .toList();
    }

    private static Map<NodeId, Integer> count(List<List<NodeId>> placed, int partitions) {
        Map<NodeId, Integer> copies = new TreeMap<>();
        placed.subList(0, partitions).forEach(holders -> holders.forEach(node -> copies.merge(node, 1, Integer::sum)));
        return copies;
    }

    private static FulmarException refused(String why) {
        return new FulmarException(ErrorCode.INVALID_CONFIGURATION, why);
    }
}
