package dev.fulmar.simulator.verify;

import dev.fulmar.simulator.verify.DependencyGraph.Edge;
import dev.fulmar.simulator.verify.DependencyGraph.Kind;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Finds the cycle of a component that names its gravest anomaly. */
final class CycleFinder {
    /** Searching on from each node of a huge component would take for ever; any cycle convicts. */
    private static final int MAX_STARTS = 2_000;

    private static final int WRITES = Kind.WRITE_WRITE.bit() | Kind.COMMIT.bit();
    private static final int READS = WRITES | Kind.WRITE_READ.bit();
    private static final int TIME = Kind.REAL_TIME.bit();

    private final DependencyGraph graph;
    private final Set<Integer> component;
    private final int[] nodes;

    CycleFinder(DependencyGraph graph, int[] nodes) {
        this.graph = graph;
        this.nodes = nodes;
        this.component = new HashSet<>(Arrays.stream(nodes).boxed().toList());
    }

    /** A cycle and its name. */
    record Cycle(Anomaly anomaly, List<Edge> edges) {}

    Cycle gravest() {
        for (int time : new int[] {0, TIME}) {
            boolean timeless = time == 0;
            List<Edge> cycle = shortest(WRITES | time);
            if (cycle != null) {
                return new Cycle(timeless ? Anomaly.G0 : Anomaly.G0_REALTIME, cycle);
            }
            cycle = shortest(READS | time);
            if (cycle != null) {
                return new Cycle(timeless ? Anomaly.G1C : Anomaly.G1C_REALTIME, cycle);
            }
            cycle = withOneMissedWrite(READS | time);
            if (cycle != null) {
                return new Cycle(timeless ? Anomaly.G_SINGLE : Anomaly.G_SINGLE_REALTIME, cycle);
            }
            cycle = shortest(READS | Kind.READ_WRITE.bit() | time);
            if (cycle != null) {
                return new Cycle(timeless ? missedWrites(cycle) : Anomaly.G2_REALTIME, cycle);
            }
        }
        throw new IllegalStateException("a strongly connected component has no cycle");
    }

    private static Anomaly missedWrites(List<Edge> cycle) {
        boolean sameKey =
                cycle.size() == 2 && cycle.get(0).key() == cycle.get(1).key();
        return sameKey ? Anomaly.LOST_UPDATE : Anomaly.G2;
    }

    private @Nullable List<Edge> shortest(int kinds) {
        List<Edge> best = null;
        for (int i = 0; i < nodes.length && i < MAX_STARTS; i++) {
            List<Edge> cycle = path(nodes[i], nodes[i], kinds);
            if (cycle != null && (best == null || cycle.size() < best.size())) {
                best = cycle;
                if (best.size() == 2) {
                    return best;
                }
            }
        }
        return best;
    }

    private @Nullable List<Edge> withOneMissedWrite(int otherKinds) {
        List<Edge> best = null;
        int starts = 0;
        for (int node : nodes) {
            for (Edge edge : graph.outgoing(node)) {
                if (edge.kind() != Kind.READ_WRITE || !component.contains(edge.to()) || starts++ >= MAX_STARTS) {
                    continue;
                }
                List<Edge> rest = path(edge.to(), node, otherKinds);
                if (rest != null && (best == null || rest.size() + 1 < best.size())) {
                    best = new ArrayList<>(rest);
                    best.addFirst(edge);
                }
            }
        }
        return best;
    }

    /** The shortest way of at least one edge, by breadth first search. */
    private @Nullable List<Edge> path(int from, int to, int kinds) {
        Map<Integer, Edge> reachedBy = new HashMap<>();
        Queue<Integer> frontier = new ArrayDeque<>();
        frontier.add(from);
        while (!frontier.isEmpty()) {
            int node = frontier.remove();
            for (Edge edge : graph.outgoing(node)) {
                if ((edge.kind().bit() & kinds) == 0 || !component.contains(edge.to())) {
                    continue;
                }
                if (edge.to() == to) {
                    return trace(from, node, edge, reachedBy);
                }
                if (edge.to() != from && reachedBy.putIfAbsent(edge.to(), edge) == null) {
                    frontier.add(edge.to());
                }
            }
        }
        return null;
    }

    private static List<Edge> trace(int from, int last, Edge closing, Map<Integer, Edge> reachedBy) {
        List<Edge> path = new ArrayList<>(List.of(closing));
        int node = last;
        while (node != from) {
            Edge edge = reachedBy.get(node);
            if (edge == null) {
                throw new IllegalStateException("a path has a gap");
            }
            path.addFirst(edge);
            node = edge.from();
        }
        return path;
    }
}
