package dev.fulmar.simulator.experiment;

import dev.fulmar.benchmarks.experiment.Experiment;
import dev.fulmar.benchmarks.experiment.Findings;
import dev.fulmar.simulator.campaign.Campaign;
import dev.fulmar.simulator.campaign.SeedReport;
import dev.fulmar.simulator.threads.ThreadedRound;
import dev.fulmar.sql.SqlCompiler;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** Histories of random transactions from concurrent clients are strictly serializable: in the simulator, and on real threads. */
public final class Serializability implements Experiment {
    private static final int SEEDS = 500;

    private static final int QUICK_SEEDS = 120;

    /** A quick campaign that has missed a rare path gets more seeds, at most so many in all. */
    private static final int MOST_QUICK_SEEDS = 240;

    private static final int REPEAT_EVERY = 20;
    private static final int THREAD_SECONDS = 120;
    private static final int QUICK_THREAD_SECONDS = 20;
    private static final int REPORT_EVERY_SEEDS = 20;
    private static final int REPORT_EVERY_ROUNDS = 10;

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
        onThreads(settings, findings);
        simulated(settings, findings);
        return findings;
    }

    private static void simulated(Settings settings, Findings findings) {
        int seeds = settings.quick() ? QUICK_SEEDS : SEEDS;
        Campaign campaign = new Campaign(new SqlCompiler(), REPEAT_EVERY, report -> {});
        int violations = 0;
        while (campaign.seeds() < seeds
                || (campaign.seeds() < MOST_QUICK_SEEDS
                        && !campaign.missingPaths().isEmpty())) {
            long seed = settings.seed() + campaign.seeds();
            SeedReport report = campaign.run(seed);
            violations += report.violations().size();
            if (!report.isGood()) {
                settings.output()
                        .accept("seed " + seed + ": " + report.violations().getFirst());
                settings.output().accept("replay with: bin/fulmar simulate --seed " + seed);
            }
            if (campaign.seeds() % REPORT_EVERY_SEEDS == 0) {
                settings.output()
                        .accept(String.format(
                                Locale.ROOT,
                                "simulated: %d of %d seeds, %,d transactions committed, %d violations",
                                campaign.seeds(),
                                seeds,
                                campaign.committed(),
                                violations));
            }
        }
        String simulated = "simulated";
        findings.check("serializability.violations", simulated, violations);
        findings.check("serializability.hash-differences", campaign.different().size());
        findings.check("serializability.repeated-share", (double) campaign.repeated() / campaign.seeds());
        findings.check(
                "serializability.missing-rare-paths", campaign.missingPaths().size());
        if (!settings.quick()) {
            findings.check("serializability.seeds", campaign.seeds());
        }
        findings.series("seeds", campaign.seeds());
        findings.series("seedsRunTwice", campaign.repeated());
        findings.series("simulatedCommitted", campaign.committed());
        findings.series("simulatedEvents", campaign.events());
        findings.series("rarePaths", campaign.probes().counts());
    }

    private static void onThreads(Settings settings, Findings findings) throws Exception {
        int seconds = settings.quick() ? QUICK_THREAD_SECONDS : THREAD_SECONDS;
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        int rounds = 0;
        int transactions = 0;
        int committed = 0;
        int unknown = 0;
        int violations = 0;
        while (System.nanoTime() < end) {
            ThreadedRound.Outcomes outcomes = new ThreadedRound(settings.seed() + rounds).run();
            rounds++;
            transactions += outcomes.transactions();
            committed += outcomes.committed();
            unknown += outcomes.unknown();
            violations += outcomes.violations().size();
            if (!outcomes.violations().isEmpty()) {
                settings.output()
                        .accept("round " + rounds + ", " + outcomes.setup() + ": "
                                + outcomes.violations().getFirst());
            }
            if (rounds % REPORT_EVERY_ROUNDS == 0) {
                settings.output()
                        .accept(String.format(
                                Locale.ROOT,
                                "real threads: %d rounds, %,d transactions committed, %,d of unknown outcome, %d violations",
                                rounds,
                                committed,
                                unknown,
                                violations));
            }
        }
        findings.check("serializability.violations", "real threads", violations);
        findings.series("threadRounds", rounds);
        findings.series("threadTransactions", transactions);
        findings.series("threadCommitted", committed);
        findings.series("threadUnknown", unknown);
    }
}
