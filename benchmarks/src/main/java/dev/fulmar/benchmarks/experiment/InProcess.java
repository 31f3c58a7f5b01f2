package dev.fulmar.benchmarks.experiment;

import dev.fulmar.benchmarks.peers.InProcessLoad;
import dev.fulmar.benchmarks.peers.PeersWorkload;
import dev.fulmar.benchmarks.run.BenchmarkRun;
import dev.fulmar.benchmarks.run.LocalDatabase;
import dev.fulmar.benchmarks.workload.Workload;
import dev.fulmar.client.FulmarClient;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * TPC-C-lite without a network on one site: requests go straight into the inbox. The hand-written bound that it is
 * compared with is measured by another program just before and just after; its rate comes in the variable
 * {@code FULMAR_BOUND_PER_SECOND} of the environment.
 */
public final class InProcess implements Experiment {
    private static final int ROUNDS = 5;
    private static final int SECONDS = 5;
    private static final int QUICK_SECONDS = 2;
    private static final String BOUND = "FULMAR_BOUND_PER_SECOND";

    @Override
    public String name() {
        return "in-process";
    }

    @Override
    public String meaning() {
        return "TPC-C-lite through inbox, executor and undo, against a hand-written bound (acceptance point 4)";
    }

    @Override
    public Findings run(Settings settings) throws Exception {
        Findings findings = new Findings(name(), settings.quick(), "none");
        PeersWorkload workload = new PeersWorkload(PeersWorkload.Kind.TPCC);
        try (LocalDatabase database = LocalDatabase.start(Map.of("partitions", "1", "sites", "1"));
                FulmarClient client = database.connect(1024)) {
            BenchmarkRun run = new BenchmarkRun(client, workload, Workload.Progress.silent());
            run.prepare();
            List<Double> rates = new ArrayList<>();
            for (int round = 0; round <= ROUNDS; round++) {
                int seconds = settings.quick() ? QUICK_SECONDS : SECONDS;
                InProcessLoad load = new InProcessLoad(database.database(), settings.seed() + round);
                double rate = load.run(seconds);
                settings.output()
                        .accept(String.format(
                                Locale.ROOT,
                                "round %d%s: %,.0f transactions/s",
                                round,
                                round == 0 ? " (warm-up)" : "",
                                rate));
                if (round > 0) {
                    rates.add(rate);
                }
            }
            rates.sort(null);
            double median = rates.get(rates.size() / 2);
            findings.series("transactionsPerSecond", rates);
            String bound = System.getenv(BOUND);
            if (bound == null) {
                settings.output().accept("set " + BOUND + " to the bound's rate to have the share judged");
            } else {
                findings.series("boundPerSecond", Double.parseDouble(bound));
                findings.check("in-process.share-of-bound", median / Double.parseDouble(bound));
            }
        }
        return findings;
    }
}
