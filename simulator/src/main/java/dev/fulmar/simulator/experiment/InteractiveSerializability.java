package dev.fulmar.simulator.experiment;

import dev.fulmar.benchmarks.experiment.Experiment;
import dev.fulmar.benchmarks.experiment.Findings;
import dev.fulmar.simulator.chaos.Chaos;
import dev.fulmar.simulator.threads.ThreadedRound;

/**
 * Histories in which clients send transactions statement by statement, beside procedures and readers of snapshots, are
 * strictly serializable. Transactions of level SNAPSHOT may show write skew. Simulated clusters with faults come first,
 * of which {@code simulate --seeds} runs more. Then come real threads and connections, and a cluster of real processes
 * that are struck.
 */
public final class InteractiveSerializability implements Experiment {
    @Override
    public String name() {
        return "interactive-serializability";
    }

    @Override
    public String meaning() {
        return "transactions of many statements are serializable beside procedures, simulated, on real threads and processes";
    }

    @Override
    public Findings run(Settings settings) throws Exception {
        Findings findings = new Findings(name(), settings.quick(), "none");
        HistoryChecks checks = new HistoryChecks(name(), settings, findings);
        checks.onClusters();
        checks.onThreads(ThreadedRound::withSessions);
        new Chaos().judgeBriefly(settings, findings);
        return findings;
    }
}
