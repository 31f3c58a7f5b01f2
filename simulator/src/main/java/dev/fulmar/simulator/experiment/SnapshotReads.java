package dev.fulmar.simulator.experiment;

import dev.fulmar.benchmarks.experiment.Experiment;
import dev.fulmar.benchmarks.experiment.Findings;
import dev.fulmar.simulator.threads.ThreadedRound;
import dev.fulmar.simulator.threads.WriterCost;
import java.util.Locale;

/** Readers of all partitions see one state, beside any writes, and cost the writers little. */
public final class SnapshotReads implements Experiment {
    private static final int SEEDS = 1000;
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
        return "readers of all partitions see one state and cost writers little (acceptance points 5 and 8)";
    }

    @Override
    public Findings run(Settings settings) throws Exception {
        Findings findings = new Findings(name(), settings.quick(), "none");
        writerCost(settings, findings);
        HistoryChecks checks = new HistoryChecks(name(), settings, findings);
        checks.onThreads(ThreadedRound::withReaders);
        checks.simulated(SEEDS);
        return findings;
    }

    private static void writerCost(Settings settings, Findings findings) throws Exception {
        WriterCost cost = new WriterCost(
                settings.quick() ? QUICK_ROWS : ROWS,
                settings.quick() ? QUICK_PAIRS : PAIRS,
                settings.quick() ? QUICK_WINDOW_MILLIS : WINDOW_MILLIS);
        WriterCost.Outcome outcome = cost.run();
        settings.output()
                .accept(String.format(
                        Locale.ROOT,
                        "a reader that scans everything takes %.1f %% of the writers' rate; %d scans, the longest %.0f ms",
                        100 * outcome.share(),
                        outcome.scans(),
                        outcome.longestScanMillis()));
        findings.check("snapshot-reads.writer-cost", outcome.share());
        findings.check("snapshot-reads.version-memory", "scans", outcome.versionShare());
        if (!settings.quick()) { // it takes as many changes as fit into the memory for versions
            findings.check("snapshot-reads.version-memory", "a reader that never ends", cost.outlast());
        }
        findings.check("snapshot-reads.violations", "scans beside writers", outcome.wrong());
        findings.check("snapshot-reads.scans", outcome.scans());
        findings.series("writerCosts", outcome.shares());
        findings.series("readersShareOfProcessorTime", outcome.processorShare());
        findings.series("writesAlonePerSecond", outcome.writesAlone());
        findings.series("writesBesideAReaderPerSecond", outcome.writesBeside());
        findings.series("scans", outcome.scans());
        findings.series("scansExpired", outcome.expired());
        findings.series("longestScanMillis", outcome.longestScanMillis());
    }
}
