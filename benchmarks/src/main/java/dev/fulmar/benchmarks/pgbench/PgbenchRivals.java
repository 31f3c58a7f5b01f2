package dev.fulmar.benchmarks.pgbench;

import dev.fulmar.benchmarks.cluster.FreePorts;
import dev.fulmar.benchmarks.cluster.Percentile;
import dev.fulmar.benchmarks.experiment.CodeFingerprint;
import dev.fulmar.benchmarks.experiment.Experiment;
import dev.fulmar.benchmarks.experiment.Findings;
import dev.fulmar.benchmarks.experiment.ResultLedger;
import dev.fulmar.benchmarks.experiment.ServerProcess;
import dev.fulmar.benchmarks.experiment.TemporaryDirectory;
import dev.fulmar.benchmarks.sqlcheck.PostgresCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * pgbench's own scripts, prepared, against a node and against PostgreSQL. Both write a commit to the disk before they
 * acknowledge it. They take turns, the first one in each round by turns too. Windows that are done are kept in a
 * directory, and a later run goes on.
 */
public final class PgbenchRivals implements Experiment {
    private static final String NAME = "pgbench";
    private static final int ROUNDS = 7;
    private static final int QUICK_ROUNDS = 1;
    private static final int SECONDS = 10;
    private static final int QUICK_SECONDS = 2;
    private static final int WARMUP_SECONDS = 30;
    private static final int QUICK_WARMUP_SECONDS = 5;
    private static final int SCALE = 5;
    private static final int QUICK_SCALE = 1;
    private static final List<String> JAVA_OPTIONS = List.of("-Xmx2g");

    /** A commit is on the disk before it is acknowledged; the rest is as PostgreSQL has it but for its memory. */
    private static final String POSTGRES_OPTIONS =
            "-c fsync=on -c synchronous_commit=on -c full_page_writes=on -c shared_buffers=512MB -c max_connections=100";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String meaning() {
        return "rates and latencies of pgbench's scripts on Fulmar and PostgreSQL, both durable";
    }

    @Override
    public Findings run(Settings settings) throws Exception {
        Findings findings = new Findings(NAME, settings.quick(), "sync");
        String way = CodeFingerprint.ofNode(PgbenchRivals.class) + (settings.quick() ? " quick" : "");
        ResultLedger ledger = new ResultLedger(settings.directory(), NAME, way, BenchWindow.COLUMNS);
        List<BenchWindow> windows = new ArrayList<>();
        ledger.lines().forEach(line -> windows.add(BenchWindow.parse(line)));
        List<String> problems = new ArrayList<>();
        Trial trial = new Trial(settings, ledger, windows, problems);
        if (trial.isToRun()) {
            trial.run();
        }
        problems.forEach(settings.output());
        report(findings, windows, trial.rounds());
        findings.check("pgbench.problems", problems.size());
        return findings;
    }

    private static void report(Findings findings, List<BenchWindow> windows, int rounds) {
        int planned = rounds * BenchCase.all().size() * BenchSystem.values().length;
        findings.check("pgbench.windows", (double) windows.size() / planned);
        for (BenchCase each : BenchCase.all()) {
            List<BenchWindow> fulmar = of(BenchSystem.FULMAR, each, windows);
            List<BenchWindow> postgres = of(BenchSystem.POSTGRESQL, each, windows);
            double rate = Percentile.median(fulmar, BenchWindow::perSecond)
                    / Percentile.median(postgres, BenchWindow::perSecond);
            findings.check("pgbench." + each.script(), each.clients() + " clients", rate);
            double late = Percentile.median(fulmar, BenchWindow::p99Micros)
                    / Percentile.median(postgres, BenchWindow::p99Micros);
            findings.check("pgbench.p99", each.text(), late);
        }
        findings.check("pgbench.failed", failedShare(windows));
        findings.series("windows", windows);
    }

    /** Failed TPC-B transactions of Fulmar, which is serializable: two that change one account are in the way. */
    static double failedShare(List<BenchWindow> windows) {
        List<BenchWindow> fulmar = windows.stream()
                .filter(window -> window.system() == BenchSystem.FULMAR)
                .filter(window -> window.of().script().equals(BenchCase.TPC_B))
                .toList();
        double all = fulmar.stream().mapToLong(BenchWindow::transactions).sum();
        return fulmar.stream().mapToLong(BenchWindow::failed).sum() / Math.max(1, all);
    }

    private static List<BenchWindow> of(BenchSystem system, BenchCase theCase, List<BenchWindow> windows) {
        return windows.stream()
                .filter(window -> window.system() == system && window.of().equals(theCase))
                .toList();
    }

    /** The windows that are missing. */
    private record Trial(Settings settings, ResultLedger ledger, List<BenchWindow> windows, List<String> problems) {
        int rounds() {
            return settings.quick() ? QUICK_ROUNDS : ROUNDS;
        }

        private boolean isMissing(BenchSystem system, BenchCase theCase, int round) {
            return windows.stream().noneMatch(window -> window.is(system, theCase, round));
        }

        boolean isToRun() {
            for (int round = 1; round <= rounds(); round++) {
                for (BenchCase each : BenchCase.all()) {
                    for (BenchSystem system : BenchSystem.values()) {
                        if (isMissing(system, each, round)) {
                            return true;
                        }
                    }
                }
            }
            return false;
        }

        void run() throws IOException, SQLException, InterruptedException {
            Path installation = PostgresCluster.installation(NAME);
            if (installation == null) {
                throw new IOException("PostgreSQL with pgbench is needed; Debian has it in postgresql-15");
            }
            Path pgbench = installation.resolve(NAME);
            int port = FreePorts.take(1).getFirst();
            try (TemporaryDirectory directory = TemporaryDirectory.create("fulmar-pgbench");
                    PostgresCluster postgres = PostgresCluster.start(
                            installation, PostgresCluster.SCRAM, POSTGRES_OPTIONS, TemporaryDirectory.place());
                    ServerProcess node = ServerProcess.start(
                            directory.path().resolve("data"), JAVA_OPTIONS, "--postgres", "127.0.0.1:" + port)) {
                Path files = Files.createDirectory(directory.path().resolve("pgbench"));
                settings.output().accept("node " + node.processNumber() + " at port " + port);
                run(List.of(
                        new BenchTarget(BenchSystem.FULMAR, pgbench, files, port, "ann", "", "fulmar"),
                        new BenchTarget(
                                BenchSystem.POSTGRESQL,
                                pgbench,
                                files,
                                postgres.port(),
                                PostgresCluster.USER,
                                postgres.password(),
                                "postgres")));
            }
        }

        private void run(List<BenchTarget> targets) throws IOException, SQLException, InterruptedException {
            int warmup = settings.quick() ? QUICK_WARMUP_SECONDS : WARMUP_SECONDS;
            for (BenchTarget target : targets) {
                target.initialize(settings.quick() ? QUICK_SCALE : SCALE);
                target.measure(new BenchCase(BenchCase.SELECT_ONLY, 8), 0, warmup, settings.seed());
                target.measure(new BenchCase(BenchCase.TPC_B, 8), 0, warmup, settings.seed());
            }
            for (int round = 1; round <= rounds(); round++) {
                List<BenchTarget> order = round % 2 == 1 ? targets : targets.reversed();
                for (BenchCase each : BenchCase.all()) {
                    for (BenchTarget target : order) {
                        if (isMissing(target.system(), each, round)) {
                            measure(target, each, round);
                        }
                    }
                }
            }
            for (BenchTarget target : targets) {
                problems.addAll(target.problems());
            }
        }

        private void measure(BenchTarget target, BenchCase theCase, int round)
                throws IOException, InterruptedException {
            int seconds = settings.quick() ? QUICK_SECONDS : SECONDS;
            BenchWindow window = target.measure(theCase, round, seconds, settings.seed() + round);
            settings.output().accept(window.text());
            ledger.add(window.columns());
            windows.add(window);
        }
    }
}
