package dev.fulmar.simulator.experiment;

import dev.fulmar.benchmarks.experiment.Experiment;
import dev.fulmar.benchmarks.experiment.Findings;
import dev.fulmar.simulator.threads.ThreadedRound;

/**
 * Histories of random transactions from concurrent clients are strictly serializable: in the simulator, and on real
 * threads.
 */
public final class Serializability implements Experiment {
    private static final int SEEDS = 500;

    @Override
    public String name() {
        return "serializability";
    }

    @Override
    public String meaning() {
        return "histories are strictly serializable, simulated and on real threads (acceptance point 3)";
    }

    @Override
    public Findings run(Settings settings) throws Exception {
        Findings findings = new Findings(name(), settings.quick(), "none");
        HistoryChecks checks = new HistoryChecks(name(), settings, findings);
        checks.onThreads(ThreadedRound::new);
        checks.simulated(SEEDS);
        return findings;
    }
}
