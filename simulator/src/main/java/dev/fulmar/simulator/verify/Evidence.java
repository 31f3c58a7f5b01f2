package dev.fulmar.simulator.verify;

import dev.fulmar.simulator.verify.DependencyGraph.Kind;
import dev.fulmar.simulator.verify.Transaction.Outcome;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Intermediate result of judging a history: transactions that took effect, their dependency graph, and the violations
 * found so far. {@link ListInference} and {@link RegisterInference} fill it, and {@link StrictSerializabilityVerifier}
 * looks for cycles in it.
 */
final class Evidence {
    private final List<Transaction> history;
    private final boolean[] committed;
    private final DependencyGraph graph;
    private final List<Violation> violations = new ArrayList<>();

    Evidence(List<Transaction> history) {
        this.history = history;
        this.committed = new boolean[history.size()];
        this.graph = new DependencyGraph(2 * history.size());
        for (int i = 0; i < committed.length; i++) {
            committed[i] = history.get(i).outcome() == Outcome.OK;
            graph.add(reads(i), i, Kind.COMMIT, 0);
        }
    }

    /** Index from keys and values to the transactions that wrote them. */
    static final class Writers {
        private final Map<Long, Map<Long, Integer>> byKeyAndValue = new HashMap<>();

        void add(long key, long value, int writer) {
            if (byKeyAndValue.computeIfAbsent(key, any -> new HashMap<>()).putIfAbsent(value, writer) != null) {
                throw new IllegalArgumentException("the history cannot be judged: value " + value + " of key " + key
                        + " is written twice; write each value once");
            }
        }

        @Nullable Integer of(long key, long value) {
            Map<Long, Integer> writers = byKeyAndValue.get(key);
            return writers == null ? null : writers.get(value);
        }
    }

    List<Transaction> history() {
        return history;
    }

    DependencyGraph graph() {
        return graph;
    }

    List<Violation> violations() {
        return violations;
    }

    /**
     * The node of what the transaction read. At snapshot isolation that is one of its own; else it is the node of what
     * it wrote, which has the transaction's number.
     */
    private int reads(int transaction) {
        return history.get(transaction).isSnapshot() ? history.size() + transaction : transaction;
    }

    /** The transaction of which the node is. */
    int transaction(int node) {
        return node % history.size();
    }

    /**
     * Notes that one transaction came before the other. Whatever came before a transaction came before its reads: what
     * it replaced is of the state that it read.
     */
    void depends(int from, int to, Kind kind, long key) {
        if (from != to) {
            before(graph, from, to, kind, key);
        }
    }

    /** As the other, in a part of the graph. */
    void before(DependencyGraph part, int from, int to, Kind kind, long key) {
        part.add(from, reads(to), kind, key);
    }

    /**
     * Notes that the reader read the key before the writer wrote it.
     *
     * @param replaces whether the reader also wrote the key, when it was still as it had read it
     */
    void missed(int reader, int writer, long key, boolean replaces) {
        if (reader != writer) {
            graph.add(replaces ? reader : reads(reader), writer, Kind.READ_WRITE, key);
        }
    }

    boolean isCommitted(int transaction) {
        return committed[transaction];
    }

    int committedCount() {
        int count = 0;
        for (boolean is : committed) {
            count += is ? 1 : 0;
        }
        return count;
    }

    /**
     * The writer of what a committed transaction read, or null if there is none that may be seen, which is then
     * reported. An unknown writer that was seen has taken effect.
     */
    @Nullable Integer seenWriter(Writers writers, long key, long value, int reader) {
        Integer writer = writers.of(key, value);
        if (writer == null) {
            report(Anomaly.GARBAGE_READ, "key " + key + " was read with " + value + ", which nobody wrote", reader);
            return null;
        }
        if (history.get(writer).outcome() == Outcome.FAILED) {
            report(
                    Anomaly.ABORTED_READ,
                    "key " + key + " was read with " + value + ", whose writer failed",
                    writer,
                    reader);
            return null;
        }
        committed[writer] = true;
        return writer;
    }

    void report(Anomaly anomaly, String explanation, int... transactions) {
        List<Transaction> involved = new ArrayList<>();
        for (int transaction : transactions) {
            involved.add(history.get(transaction));
        }
        violations.add(new Violation(anomaly, explanation, involved));
    }
}
