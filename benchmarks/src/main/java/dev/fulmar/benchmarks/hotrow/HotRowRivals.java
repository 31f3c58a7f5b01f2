package dev.fulmar.benchmarks.hotrow;

import dev.fulmar.benchmarks.cluster.FreePorts;
import dev.fulmar.benchmarks.cluster.Percentile;
import dev.fulmar.benchmarks.experiment.CodeFingerprint;
import dev.fulmar.benchmarks.experiment.Experiment;
import dev.fulmar.benchmarks.experiment.Findings;
import dev.fulmar.benchmarks.experiment.ResultLedger;
import dev.fulmar.benchmarks.experiment.ServerProcess;
import dev.fulmar.benchmarks.experiment.TemporaryDirectory;
import dev.fulmar.benchmarks.pgbench.BenchSystem;
import dev.fulmar.benchmarks.sqlcheck.PostgresCluster;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * 32 sessions that change one row at SERIALIZABLE, on a node and on PostgreSQL, by the same driver. Both write a commit
 * to the disk before they acknowledge it. They take turns, the first one in each round by turns too. Windows that are
 * done are kept in a directory, and a later run goes on.
 */
public final class HotRowRivals implements Experiment {
    private static final String NAME = "hot-row";
    private static final int ROUNDS = 7;
    private static final int QUICK_ROUNDS = 1;
    private static final int SECONDS = 10;
    private static final int QUICK_SECONDS = 3;
    private static final int WARMUP_SECONDS = 20;
    private static final int QUICK_WARMUP_SECONDS = 5;
    private static final List<String> JAVA_OPTIONS = List.of("-Xmx2g");

    /** A commit is on the disk before it is acknowledged; the rest is as PostgreSQL has it. */
    private static final String POSTGRES_OPTIONS =
            "-c fsync=on -c synchronous_commit=on -c full_page_writes=on -c max_connections=100";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String meaning() {
        return "sessions that all change one row, on Fulmar and PostgreSQL, both durable";
    }

    @Override
    public Findings run(Settings settings) throws Exception {
        Findings findings = new Findings(NAME, settings.quick(), "sync");
        String way = CodeFingerprint.ofNode(HotRowRivals.class) + (settings.quick() ? " quick" : "");
        ResultLedger ledger = new ResultLedger(settings.directory(), NAME, way, HotRowWindow.COLUMNS);
        List<HotRowWindow> windows = new ArrayList<>();
        ledger.lines().forEach(line -> windows.add(HotRowWindow.parse(line)));
        List<String> problems = new ArrayList<>();
        int rounds = settings.quick() ? QUICK_ROUNDS : ROUNDS;
        Trial trial = new Trial(settings, rounds, ledger, windows, problems);
        if (trial.isToRun()) {
            trial.run();
        }
        problems.forEach(settings.output());
        report(findings, windows, rounds);
        findings.check("hot-row.problems", problems.size());
        return findings;
    }

    private static void report(Findings findings, List<HotRowWindow> windows, int rounds) {
        int planned = rounds * HotRowCase.values().length * BenchSystem.values().length;
        findings.check("hot-row.windows", (double) windows.size() / planned);
        for (HotRowCase each : HotRowCase.values()) {
            List<HotRowWindow> fulmar = of(BenchSystem.FULMAR, each, windows);
            double rate = Percentile.median(fulmar, HotRowWindow::perSecond)
                    / Percentile.median(of(BenchSystem.POSTGRESQL, each, windows), HotRowWindow::perSecond);
            findings.check("hot-row.rate", each.text(), rate);
            findings.check("hot-row.sessions", each.text(), Percentile.median(fulmar, HotRowWindow::unevenness));
        }
        findings.series("windows", windows);
    }

    private static List<HotRowWindow> of(BenchSystem system, HotRowCase theCase, List<HotRowWindow> windows) {
        return windows.stream()
                .filter(window -> window.system() == system && window.of() == theCase)
                .toList();
    }

    /** The windows that are missing. */
    private record Trial(
            Settings settings, int rounds, ResultLedger ledger, List<HotRowWindow> windows, List<String> problems) {
        private boolean isMissing(BenchSystem system, HotRowCase theCase, int round) {
            return windows.stream().noneMatch(window -> window.is(system, theCase, round));
        }

        boolean isToRun() {
            return windows.size() < rounds * HotRowCase.values().length * BenchSystem.values().length;
        }

        void run() throws IOException, SQLException, InterruptedException {
            Path installation = PostgresCluster.installation();
            if (installation == null) {
                throw new IOException("PostgreSQL is needed; Debian has it in postgresql-15");
            }
            int port = FreePorts.take(1).getFirst();
            try (TemporaryDirectory directory = TemporaryDirectory.create("fulmar-hot-row");
                    PostgresCluster postgres = PostgresCluster.start(
                            installation, PostgresCluster.SCRAM, POSTGRES_OPTIONS, TemporaryDirectory.place());
                    ServerProcess node = ServerProcess.start(
                            directory.path().resolve("data"), JAVA_OPTIONS, "--postgres", "127.0.0.1:" + port)) {
                settings.output().accept("node " + node.processNumber() + " at port " + port);
                run(List.of(
                        new HotRowTarget(BenchSystem.FULMAR, port, "ann", "", "fulmar"),
                        new HotRowTarget(
                                BenchSystem.POSTGRESQL,
                                postgres.port(),
                                PostgresCluster.USER,
                                postgres.password(),
                                "postgres")));
            }
        }

        private void run(List<HotRowTarget> targets) throws IOException, SQLException, InterruptedException {
            int warmup = settings.quick() ? QUICK_WARMUP_SECONDS : WARMUP_SECONDS;
            for (HotRowTarget target : targets) {
                target.initialize();
                for (HotRowCase each : HotRowCase.values()) {
                    target.measure(each, 0, warmup, problems);
                }
            }
            for (int round = 1; round <= rounds; round++) {
                List<HotRowTarget> order = round % 2 == 1 ? targets : targets.reversed();
                for (HotRowCase each : HotRowCase.values()) {
                    for (HotRowTarget target : order) {
                        if (isMissing(target.system(), each, round)) {
                            measure(target, each, round);
                        }
                    }
                }
            }
        }

        private void measure(HotRowTarget target, HotRowCase theCase, int round)
                throws IOException, SQLException, InterruptedException {
            int seconds = settings.quick() ? QUICK_SECONDS : SECONDS;
            HotRowWindow window = target.measure(theCase, round, seconds, problems);
            settings.output().accept(window.text());
            ledger.add(window.columns());
            windows.add(window);
        }
    }
}
