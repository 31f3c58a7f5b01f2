package dev.fulmar.simulator.experiment;

import dev.fulmar.benchmarks.experiment.Experiment.Settings;
import dev.fulmar.benchmarks.experiment.Findings;
import dev.fulmar.simulator.campaign.Campaign;
import dev.fulmar.simulator.campaign.SeedReport;
import dev.fulmar.simulator.cluster.ClusterCampaign;
import dev.fulmar.simulator.cluster.ClusterReport;
import dev.fulmar.simulator.threads.ThreadedRound;
import dev.fulmar.sql.SqlCompiler;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.LongFunction;

/** Judges the histories of seeds and of rounds on real threads; findings carry the name of the experiment. */
final class HistoryChecks {
    private static final int QUICK_SEEDS = 120;

    /** A quick campaign that has missed a rare path gets more seeds, at most so many in all. */
    private static final int MOST_QUICK_SEEDS = 240;

    private static final int REPEAT_EVERY = 20;
    private static final int CLUSTER_SEEDS = 100;
    private static final int QUICK_CLUSTER_SEEDS = 5;
    private static final long CLUSTER_NANOS = 20_000_000_000L;
    private static final int THREAD_SECONDS = 120;
    private static final int QUICK_THREAD_SECONDS = 20;
    private static final int REPORT_EVERY_SEEDS = 20;
    private static final int REPORT_EVERY_ROUNDS = 10;

    private final String name;
    private final Settings settings;
    private final Findings findings;

    HistoryChecks(String name, Settings settings, Findings findings) {
        this.name = name;
        this.settings = settings;
        this.findings = findings;
    }

    /** Runs so many seeds, or fewer where it is to be quick. */
    void simulated(int manySeeds) {
        int seeds = settings.quick() ? QUICK_SEEDS : manySeeds;
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
                settings.output().accept("replay with: bin/fulmar simulate --one-node --seed " + seed);
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
        findings.check(name + ".violations", "simulated", violations);
        findings.check(name + ".hash-differences", campaign.different().size());
        findings.check(name + ".repeated-share", (double) campaign.repeated() / campaign.seeds());
        findings.check(name + ".missing-rare-paths", campaign.missingPaths().size());
        if (!settings.quick()) {
            findings.check(name + ".seeds", campaign.seeds());
        }
        findings.series("seeds", campaign.seeds());
        findings.series("seedsRunTwice", campaign.repeated());
        findings.series("simulatedCommitted", campaign.committed());
        findings.series("simulatedEvents", campaign.events());
        findings.series("rarePaths", campaign.probes().counts());
    }

    /** Runs simulated clusters that are struck by faults. Clients with sessions are among the clients of each. */
    void onClusters() {
        int seeds = settings.quick() ? QUICK_CLUSTER_SEEDS : CLUSTER_SEEDS;
        ClusterCampaign campaign =
                new ClusterCampaign(new SqlCompiler(), CLUSTER_NANOS, REPEAT_EVERY, null, report -> {});
        while (campaign.seeds() < seeds) {
            long seed = settings.seed() + campaign.seeds();
            ClusterReport report = campaign.add(campaign.make(seed, campaign.seeds()));
            if (!report.isGood()) {
                settings.output()
                        .accept("cluster of seed " + seed + ": "
                                + report.violations().getFirst());
                settings.output().accept("replay with: bin/fulmar simulate --seed " + seed + " --seconds 20");
            }
            if (campaign.seeds() % REPORT_EVERY_SEEDS == 0) {
                settings.output()
                        .accept(String.format(
                                Locale.ROOT,
                                "simulated clusters: %d of %d seeds, %,d faults, %,d transactions committed, %d violations",
                                campaign.seeds(),
                                seeds,
                                campaign.faults(),
                                campaign.committed(),
                                campaign.bad().size()));
            }
        }
        findings.check(
                name + ".violations", "simulated clusters", campaign.bad().size());
        findings.check(name + ".hash-differences", campaign.different().size());
        findings.series("clusterSeeds", campaign.seeds());
        findings.series("clusterSeedsThatCount", campaign.counting());
        findings.series("clusterFaults", campaign.faults());
        findings.series("clusterCommitted", campaign.committed());
    }

    /** Runs rounds for a while. */
    void onThreads(LongFunction<ThreadedRound> rounds) throws Exception {
        int seconds = settings.quick() ? QUICK_THREAD_SECONDS : THREAD_SECONDS;
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        int done = 0;
        int transactions = 0;
        int committed = 0;
        int unknown = 0;
        int sessions = 0;
        int violations = 0;
        while (System.nanoTime() - end < 0) {
            ThreadedRound.Outcomes outcomes =
                    rounds.apply(settings.seed() + done).run();
            done++;
            transactions += outcomes.transactions();
            committed += outcomes.committed();
            unknown += outcomes.unknown();
            sessions += outcomes.sessions();
            violations += outcomes.violations().size();
            if (!outcomes.violations().isEmpty()) {
                settings.output()
                        .accept("round " + done + ", " + outcomes.setup() + ": "
                                + outcomes.violations().getFirst());
            }
            if (done % REPORT_EVERY_ROUNDS == 0) {
                settings.output()
                        .accept(String.format(
                                Locale.ROOT,
                                "real threads: %d rounds, %,d transactions committed, %,d of unknown outcome, %d violations",
                                done,
                                committed,
                                unknown,
                                violations));
            }
        }
        findings.check(name + ".violations", "real threads", violations);
        findings.series("threadRounds", done);
        findings.series("threadTransactions", transactions);
        findings.series("threadCommitted", committed);
        findings.series("threadUnknown", unknown);
        if (sessions > 0) {
            findings.check(name + ".committed", sessions);
        }
    }
}
