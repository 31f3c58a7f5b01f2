package dev.fulmar.simulator.experiment;

import dev.fulmar.benchmarks.experiment.Experiment;
import dev.fulmar.benchmarks.experiment.Findings;
import dev.fulmar.simulator.campaign.Campaign;
import dev.fulmar.simulator.campaign.SeedReport;
import dev.fulmar.simulator.threads.ThreadedRound;
import dev.fulmar.simulator.threads.WriterCost;
import dev.fulmar.sql.SqlCompiler;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** Readers of all partitions see one state, whatever is written beside them, and cost the writers little. */
public final class SnapshotReads implements Experiment {
    private static final int SEEDS = 1000;
    private static final int QUICK_SEEDS = 120;
    private static final int MOST_QUICK_SEEDS = 240;
    private static final int REPEAT_EVERY = 20;
    private static final int REPORT_EVERY_SEEDS = 50;
    private static final int THREAD_SECONDS = 120;
    private static final int QUICK_THREAD_SECONDS = 15;
    private static final int ROWS = 500_000;
    private static final int QUICK_ROWS = 100_000;
    private static final int PAIRS = 15;
    private static final int QUICK_PAIRS = 7;
    private static final long WINDOW_MILLIS = 2_000;
    private static final long QUICK_WINDOW_MILLIS = 1_000;

    @Override
    public String name() {
        return "snapshot-reads";
    }

    @Override
    public String meaning() {
        return "readers of all partitions see one state and cost writers little (issue 3, acceptance points 5 and 8)";
    }

    @Override
    public Findings run(Settings settings) throws Exception {
        Findings findings = new Findings(name(), settings.quick(), "none");
        writerCost(settings, findings);
        onThreads(settings, findings);
        simulated(settings, findings);
        return findings;
    }

    private static void writerCost(Settings settings, Findings findings) throws Exception {
        WriterCost.Outcome outcome = new WriterCost(
                        settings.quick() ? QUICK_ROWS : ROWS,
                        settings.quick() ? QUICK_PAIRS : PAIRS,
                        settings.quick() ? QUICK_WINDOW_MILLIS : WINDOW_MILLIS)
                .run();
        settings.output()
                .accept(String.format(
                        Locale.ROOT,
                        "a reader that scans everything takes %.1f %% of the writers' rate; %d scans, the longest %.0f ms",
                        100 * outcome.share(),
                        outcome.scans(),
                        outcome.longestScanMillis()));
        findings.check("snapshot-reads.writer-cost", outcome.share());
        findings.check("snapshot-reads.version-memory", outcome.versionShare());
        findings.check("snapshot-reads.violations", "scans beside writers", outcome.wrong());
        findings.check("snapshot-reads.scans", outcome.scans());
        findings.series("writesAlonePerSecond", outcome.writesAlone());
        findings.series("writesBesideAReaderPerSecond", outcome.writesBeside());
        findings.series("scans", outcome.scans());
        findings.series("scansExpired", outcome.expired());
        findings.series("longestScanMillis", outcome.longestScanMillis());
    }

    private static void onThreads(Settings settings, Findings findings) throws Exception {
        int seconds = settings.quick() ? QUICK_THREAD_SECONDS : THREAD_SECONDS;
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        int rounds = 0;
        int committed = 0;
        int violations = 0;
        while (System.nanoTime() < end) {
            ThreadedRound.Outcomes outcomes =
                    ThreadedRound.withReaders(settings.seed() + rounds).run();
            rounds++;
            committed += outcomes.committed();
            violations += outcomes.violations().size();
            if (!outcomes.violations().isEmpty()) {
                settings.output()
                        .accept("round " + rounds + ", " + outcomes.setup() + ": "
                                + outcomes.violations().getFirst());
            }
        }
        settings.output()
                .accept("real threads: " + rounds + " rounds, " + committed + " transactions committed, " + violations
                        + " violations");
        findings.check("snapshot-reads.violations", "real threads", violations);
        findings.series("threadRounds", rounds);
        findings.series("threadCommitted", committed);
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
                        .accept("simulated: " + campaign.seeds() + " of " + seeds + " seeds, " + violations
                                + " violations");
            }
        }
        findings.check("snapshot-reads.violations", "simulated", violations);
        findings.check("snapshot-reads.hash-differences", campaign.different().size());
        findings.check(
                "snapshot-reads.missing-rare-paths", campaign.missingPaths().size());
        if (!settings.quick()) {
            findings.check("snapshot-reads.seeds", campaign.seeds());
        }
        findings.series("seeds", campaign.seeds());
        findings.series("simulatedCommitted", campaign.committed());
        findings.series("rarePaths", campaign.probes().counts());
    }
}
