package dev.fulmar.simulator.verify;

import dev.fulmar.simulator.verify.DependencyGraph.Edge;
import dev.fulmar.simulator.verify.DependencyGraph.Kind;
import dev.fulmar.simulator.verify.Transaction.Outcome;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Judges from the clients' side whether a history can come from a strictly serializable database, after the manner of Elle (Kingsbury and Alvaro,
 * VLDB 2020). Reads and writes show who must come before whom; a circle convicts. Transactions of unknown outcome count if their writes were
 * seen, and stay open for ever. Those that asked for some state of everything must be serializable only. Takes time and space linear in the history for bounded concurrency.
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
        addRealTime(evidence);
        for (int[] component : evidence.graph().components()) {
            report(evidence, new CycleFinder(evidence.graph(), component).gravest());
        }
        int committed = evidence.committedCount();
        int failed = (int) history.stream()
                .filter(transaction -> transaction.outcome() == Outcome.FAILED)
                .count();
        return new Verdict(evidence.violations(), committed, history.size() - committed - failed);
    }

    private static void addRealTime(Evidence evidence) {
        List<Integer> committed = IntStream.range(0, evidence.history().size())
                .filter(evidence::isCommitted)
                .filter(transaction -> !evidence.history().get(transaction).mayShowOld())
                .boxed()
                .toList();
        RealTimeOrder.forEachPair(
                evidence.history(),
                committed,
                (earlier, later) -> evidence.graph().add(earlier, later, Kind.REAL_TIME, 0));
    }

    private static void report(Evidence evidence, CycleFinder.Cycle cycle) {
        StringBuilder explanation = new StringBuilder();
        int[] involved = new int[cycle.edges().size()];
        for (int i = 0; i < involved.length; i++) {
            Edge edge = cycle.edges().get(i);
            involved[i] = edge.from();
            explanation
                    .append(i == 0 ? "the 1st " : ", which ")
                    .append(edge.explanation())
                    .append(i + 1 == involved.length ? " the 1st" : " the next");
        }
        evidence.report(cycle.anomaly(), explanation.toString(), involved);
    }
}
