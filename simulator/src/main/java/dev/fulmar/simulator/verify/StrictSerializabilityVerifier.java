package dev.fulmar.simulator.verify;

import dev.fulmar.simulator.verify.DependencyGraph.Edge;
import dev.fulmar.simulator.verify.DependencyGraph.Kind;
import dev.fulmar.simulator.verify.Transaction.Outcome;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Judges from the clients' side whether a history can come from a strictly serializable database, after the manner of
 * Elle (Kingsbury and Alvaro, VLDB 2020). Reads and writes show who must come before whom; a circle convicts.
 * Transactions of unknown outcome count if their writes were seen, and stay open for ever. Takes time and space linear
 * in the history for bounded concurrency.
 *
 * <p>Transactions that asked for some state of everything must be serializable with all others, and say nothing of real
 * time: not of their own, and not of others', whose writes such a state may have without earlier ones elsewhere. So
 * there are two judgements: the others in real time without them, and all of them without real time.
 *
 * <p>A transaction of snapshot isolation is two nodes, for what it read and for what it wrote, the one before the
 * other. A write that it replaced must be in what it read: the first committer wins. So write skew is no circle, and
 * any other anomaly is one (Adya, 1999).
 */
public final class StrictSerializabilityVerifier {
    /** Judges the history. */
    public Verdict verify(List<Transaction> history) {
        Evidence evidence = new Evidence(List.copyOf(history));
        ListInference lists = new ListInference(evidence);
        RegisterInference registers = new RegisterInference(evidence);
        lists.observe();
        registers.observe();
        lists.infer();
        registers.infer();
        DependencyGraph strict = evidence.graph().without(node -> showsOld(evidence, node));
        addRealTime(evidence, strict);
        for (int[] component : strict.components()) {
            report(evidence, new CycleFinder(strict, component).gravest());
        }
        for (int[] component : evidence.graph().components()) {
            if (IntStream.of(component).anyMatch(node -> showsOld(evidence, node))) {
                report(evidence, new CycleFinder(evidence.graph(), component).gravest());
            }
        }
        int committed = evidence.committedCount();
        int failed = (int) history.stream()
                .filter(transaction -> transaction.outcome() == Outcome.FAILED)
                .count();
        return new Verdict(evidence.violations(), committed, history.size() - committed - failed);
    }

    private static boolean showsOld(Evidence evidence, int transaction) {
        return evidence.history().get(evidence.transaction(transaction)).mayShowOld();
    }

    private static void addRealTime(Evidence evidence, DependencyGraph strict) {
        List<Integer> committed = IntStream.range(0, evidence.history().size())
                .filter(evidence::isCommitted)
                .filter(transaction -> !showsOld(evidence, transaction))
                .boxed()
                .toList();
        RealTimeOrder.forEachPair(
                evidence.history(),
                committed,
                (earlier, later) -> evidence.before(strict, earlier, later, Kind.REAL_TIME, 0));
    }

    private static void report(Evidence evidence, CycleFinder.Cycle cycle) {
        StringBuilder explanation = new StringBuilder();
        int[] involved = new int[cycle.edges().size()];
        for (int i = 0; i < involved.length; i++) {
            Edge edge = cycle.edges().get(i);
            involved[i] = evidence.transaction(edge.from());
            explanation
                    .append(i == 0 ? "the 1st " : ", which ")
                    .append(edge.explanation())
                    .append(i + 1 == involved.length ? " the 1st" : " the next");
        }
        evidence.report(cycle.anomaly(), explanation.toString(), involved);
    }
}
