package dev.fulmar.simulator.verify;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntPredicate;

/** Graph of the dependencies between transactions, each with its reason. Nodes are numbers. */
final class DependencyGraph {
    /** A reason. */
    enum Kind {
        /** The one wrote what the other replaced. */
        WRITE_WRITE("wrote key %d before"),
        /** The one wrote what the other read. */
        WRITE_READ("wrote key %d, read by"),
        /** The one read what the other replaced. */
        READ_WRITE("read key %d before it was written by"),
        /** The one read a snapshot, and wrote later: both are the same transaction. */
        COMMIT("wrote what it had to only after the reads of"),
        /** The one was answered before the other was asked for. */
        REAL_TIME("was answered before the start of");

        private final String text;

        Kind(String text) {
            this.text = text;
        }

        int bit() {
            return 1 << ordinal();
        }
    }

    record Edge(int from, int to, Kind kind, long key) {
        String explanation() {
            return String.format(kind.text, key);
        }
    }

    static final int ALL_KINDS = (1 << Kind.values().length) - 1;

    private final int nodes;
    private final List<List<Edge>> outgoing = new ArrayList<>();

    DependencyGraph(int nodes) {
        this.nodes = nodes;
        for (int i = 0; i < nodes; i++) {
            outgoing.add(new ArrayList<>(4));
        }
    }

    /** Adds the dependency unless a node would depend on itself, which says nothing. */
    void add(int from, int to, Kind kind, long key) {
        if (from != to) {
            outgoing.get(from).add(new Edge(from, to, kind, key));
        }
    }

    /** The same nodes and dependencies, but for those of the nodes given. */
    DependencyGraph without(IntPredicate left) {
        DependencyGraph rest = new DependencyGraph(nodes);
        for (List<Edge> edges : outgoing) {
            for (Edge edge : edges) {
                if (!left.test(edge.from) && !left.test(edge.to)) {
                    rest.outgoing.get(edge.from).add(edge);
                }
            }
        }
        return rest;
    }

    List<Edge> outgoing(int node) {
        return outgoing.get(node);
    }

    /** The strongly connected components of more than one node, over edges of all kinds (Tarjan, without recursion). */
    List<int[]> components() {
        return new Tarjan().run();
    }

    /** One run of Tarjan's algorithm. */
    private final class Tarjan {
        private final int[] index = new int[nodes];
        private final int[] lowest = new int[nodes];
        private final boolean[] onStack = new boolean[nodes];
        private final int[] nextEdge = new int[nodes];
        private final int[] stack = new int[nodes];
        private final int[] path = new int[nodes];
        private final List<int[]> found = new ArrayList<>();
        private int stackSize;
        private int pathSize;
        private int nextIndex = 1;

        List<int[]> run() {
            for (int root = 0; root < nodes; root++) {
                if (index[root] == 0) {
                    visit(root);
                }
            }
            return found;
        }

        private void visit(int root) {
            enter(root);
            while (pathSize > 0) {
                int node = path[pathSize - 1];
                List<Edge> edges = outgoing.get(node);
                if (nextEdge[node] < edges.size()) {
                    int target = edges.get(nextEdge[node]++).to;
                    if (index[target] == 0) {
                        enter(target);
                    } else if (onStack[target]) {
                        lowest[node] = Math.min(lowest[node], index[target]);
                    }
                } else {
                    leave(node);
                }
            }
        }

        private void enter(int node) {
            index[node] = nextIndex;
            lowest[node] = nextIndex;
            nextIndex++;
            stack[stackSize++] = node;
            onStack[node] = true;
            path[pathSize++] = node;
        }

        private void leave(int node) {
            pathSize--;
            if (pathSize > 0) {
                int parent = path[pathSize - 1];
                lowest[parent] = Math.min(lowest[parent], lowest[node]);
            }
            if (lowest[node] != index[node]) {
                return;
            }
            int first = stackSize;
            do {
                first--;
                onStack[stack[first]] = false;
            } while (stack[first] != node);
            if (stackSize - first > 1) {
                int[] component = Arrays.copyOfRange(stack, first, stackSize);
                Arrays.sort(component);
                found.add(component);
            }
            stackSize = first;
        }
    }
}
