package dev.fulmar.benchmarks.sessions;

import dev.fulmar.benchmarks.drive.LoadReport;
import dev.fulmar.benchmarks.drive.LoadShape;
import dev.fulmar.benchmarks.experiment.CodeFingerprint;
import dev.fulmar.benchmarks.experiment.Experiment;
import dev.fulmar.benchmarks.experiment.Findings;
import dev.fulmar.benchmarks.pairs.PairsWorkload;
import dev.fulmar.benchmarks.run.BenchmarkRun;
import dev.fulmar.benchmarks.workload.Statements;
import dev.fulmar.benchmarks.workload.Workload;
import dev.fulmar.foundation.error.ErrorCode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Effect of open transactions whose clients think, on writers and on the node. Windows with a hundred of them and
 * windows without take turns. Pairs that are done are kept in a directory, and a later run goes on.
 */
public final class IdleSessions implements Experiment {
    static final String NAME = "idle-sessions";

    private static final int PAIRS = 30;
    private static final int QUICK_PAIRS = 2;
    private static final int SECONDS = 8;
    private static final int QUICK_SECONDS = 2;
    private static final int FIRST_WARMUP_SECONDS = 20;
    private static final int QUICK_WARMUP_SECONDS = 5;
    private static final int WARMUP_SECONDS = 1;
    private static final int CLIENTS = 4;
    private static final int IN_FLIGHT = 32;

    /** Turns of opening and ending transactions before the heap is looked at, so that all code has run. */
    private static final int WARMUP_TURNS = 5;

    private static final int ALL_PARTITIONS = 20;
    private static final int LEASED_PART = 500;
    private static final long IDLE_MILLIS = 3_000;
    private static final long PATIENCE_MILLIS = 20_000;
    private static final long GONE_MILLIS = 2_000;

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String meaning() {
        return "100 open transactions whose clients think: rate of writers, locks, memory, time limits, leases";
    }

    @Override
    public Findings run(Settings settings) throws Exception {
        int planned = settings.quick() ? QUICK_PAIRS : PAIRS;
        String way = CodeFingerprint.ofNode(IdleSessions.class) + (settings.quick() ? " quick" : "");
        PairLedger ledger = new PairLedger(settings.directory(), way);
        Observations seen = new Trial(settings, ledger, planned).run();
        Findings findings = new Findings(NAME, settings.quick(), "none");
        IdleJudge.report(findings, planned, ledger.pairs(), seen);
        return findings;
    }

    /** One run: the pairs that are missing, and all that is observed once. */
    private static final class Trial {
        private final Settings settings;
        private final PairLedger ledger;
        private final int planned;
        private final int seconds;
        private final PairsWorkload workload = new PairsWorkload(0);
        private final List<String> problems = new ArrayList<>();
        private long committedRows;
        private long turn;

        Trial(Settings settings, PairLedger ledger, int planned) {
            this.settings = settings;
            this.ledger = ledger;
            this.planned = planned;
            seconds = settings.quick() ? QUICK_SECONDS : SECONDS;
        }

        Observations run() throws IOException, InterruptedException {
            try (MeasuredNode node = MeasuredNode.start();
                    MeasuredNode impatient = MeasuredNode.start("transactions.idle-timeout=" + IDLE_MILLIS + "ms")) {
                BenchmarkRun run = new BenchmarkRun(node.client(), workload, Workload.Progress.silent());
                run.prepare();
                Statements.executeScript(node.client(), HeldSessions.DDL);
                measure(run, settings.quick() ? QUICK_WARMUP_SECONDS : FIRST_WARMUP_SECONDS);
                while (ledger.pairs().size() < planned) {
                    RatePair pair = pair(node, run);
                    ledger.note(pair);
                    settings.output().accept(pair.text());
                }
                for (int i = 0; i < WARMUP_TURNS; i++) {
                    openAndRollBack(node);
                }
                NodeFigures before = node.collected();
                NodeFigures during;
                NodeFigures locked;
                try (HeldSessions held = HeldSessions.open(node.client(), ++turn)) {
                    during = node.figures();
                    changeAllPartitions(node);
                    locked = node.figures();
                    held.rollback();
                }
                NodeFigures after = node.collected();
                LeaveProbe leave = new LeaveProbe(node.client(), node.host());
                double killedMillis = leave.millis(LeaveProbe.Way.KILLED, LEASED_PART);
                double silentMillis = leave.millis(LeaveProbe.Way.SILENT, LEASED_PART + 1);
                NodeFigures afterLeaving = node.await(figures -> figures.open() == 0, GONE_MILLIS);
                verify(node, run);
                Idle idle = idle(impatient);
                return new Observations(
                        before,
                        during,
                        locked,
                        after,
                        idle.told(),
                        idle.before(),
                        idle.end(),
                        killedMillis,
                        silentMillis,
                        afterLeaving,
                        problems.size());
            }
        }

        private RatePair pair(MeasuredNode node, BenchmarkRun run) throws IOException, InterruptedException {
            int number = ledger.pairs().size() + 1;
            boolean besideFirst = number % 2 == 1;
            LoadReport alone = besideFirst ? null : measure(run, seconds);
            LoadReport beside;
            long open;
            try (HeldSessions held = HeldSessions.open(node.client(), ++turn)) {
                beside = measure(run, seconds);
                open = node.figures().open();
                committedRows += held.commitFirst();
                held.rollback();
            }
            if (alone == null) {
                alone = measure(run, seconds);
            }
            return new RatePair(
                    number,
                    besideFirst,
                    beside.throughputPerSecond(),
                    alone.throughputPerSecond(),
                    beside.failed() + alone.failed(),
                    open);
        }

        private LoadReport measure(BenchmarkRun run, int counted) throws InterruptedException {
            LoadShape shape = new LoadShape(CLIENTS, IN_FLIGHT, 0, WARMUP_SECONDS, counted);
            long seed = settings.seed() + turn;
            return run.measure(shape, seed, (second, warmup, done, aborted, failed, latency) -> {});
        }

        private void openAndRollBack(MeasuredNode node) {
            try (HeldSessions held = HeldSessions.open(node.client(), ++turn)) {
                changeAllPartitions(node);
                held.rollback();
            }
        }

        /** Changes that lock all partitions, one after another: none waits unless something has a lock. */
        private static void changeAllPartitions(MeasuredNode node) {
            for (int i = 0; i < ALL_PARTITIONS; i++) {
                node.client().execute("UPDATE buffered SET field = ? WHERE place < ?", "none", -i);
            }
        }

        /**
         * End of transactions by themselves.
         *
         * @param told those that heard that their client was idle for too long
         * @param before the node before they were opened
         * @param end the node when they had ended
         */
        private record Idle(int told, NodeFigures before, NodeFigures end) {}

        /** Leaves transactions open for too long, and sends nothing that would end them. */
        private static Idle idle(MeasuredNode impatient) throws IOException, InterruptedException {
            new BenchmarkRun(impatient.client(), new PairsWorkload(0), Workload.Progress.silent()).prepare();
            Statements.executeScript(impatient.client(), HeldSessions.DDL);
            try (HeldSessions first = HeldSessions.open(impatient.client(), 0)) {
                first.rollback(); // so that all code has run, and the next ones are opened within the limit
            }
            NodeFigures before = impatient.figures();
            try (HeldSessions held = HeldSessions.open(impatient.client(), 1)) {
                impatient.await(figures -> figures.timedOut() >= HeldSessions.COUNT, PATIENCE_MILLIS);
                int told = held.failingWith(ErrorCode.IDLE_TRANSACTION.sqlState());
                return new Idle(told, before, impatient.await(figures -> figures.open() == 0, PATIENCE_MILLIS));
            }
        }

        private void verify(MeasuredNode node, BenchmarkRun run) {
            problems.addAll(run.verify());
            long rows = Statements.longOf(node.client(), "SELECT COUNT(*) FROM buffered");
            if (rows != committedRows) {
                problems.add(rows + " rows are there of transactions that have committed " + committedRows);
            }
            problems.forEach(settings.output());
        }
    }
}
