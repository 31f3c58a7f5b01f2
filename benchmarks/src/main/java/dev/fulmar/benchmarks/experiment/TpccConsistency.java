package dev.fulmar.benchmarks.experiment;

import dev.fulmar.benchmarks.drive.LoadReport;
import dev.fulmar.benchmarks.drive.LoadShape;
import dev.fulmar.benchmarks.run.BenchmarkRun;
import dev.fulmar.benchmarks.run.LocalDatabase;
import dev.fulmar.benchmarks.tpcc.TpccScale;
import dev.fulmar.benchmarks.tpcc.TpccWorkload;
import dev.fulmar.benchmarks.workload.Workload;
import dev.fulmar.client.FulmarClient;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;

/** TPC-C's twelve consistency conditions hold after a full load, for several numbers of warehouses and partitions. */
public final class TpccConsistency implements Experiment {
    private static final int CLIENTS = 4;
    private static final int IN_FLIGHT = 16;
    private static final int WARMUP_SECONDS = 1;
    private static final int QUICK_SECONDS = 5;
    private static final int SHORT_SECONDS = 60;
    private static final int LONG_SECONDS = 600;
    private static final long LONG_TRANSACTIONS = 5_000_000;
    private static final int CHECK_EVERY_SECONDS = 30;

    /** A database to try, and for how long. */
    private record Case(int warehouses, int partitions, boolean full) {}

    @Override
    public String name() {
        return "tpcc-consistency";
    }

    @Override
    public String meaning() {
        return "TPC-C's consistency conditions hold after full load (acceptance point 2)";
    }

    @Override
    public Findings run(Settings settings) throws Exception {
        Findings findings = new Findings(name(), settings.quick(), "none");
        for (Case each : cases(settings.quick())) {
            run(each, settings, findings);
        }
        return findings;
    }

    private static List<Case> cases(boolean quick) {
        if (quick) {
            return List.of(new Case(2, 1, false), new Case(4, 2, false));
        }
        List<Case> cases = new ArrayList<>();
        cases.add(new Case(2, 1, true));
        cases.add(new Case(4, 2, true));
        cases.add(new Case(16, 8, true));
        for (int warehouses : new int[] {2, 4, 16}) {
            for (int partitions : new int[] {1, 2, 8}) {
                boolean done = cases.contains(new Case(warehouses, partitions, true));
                if (!done && partitions <= warehouses) {
                    cases.add(new Case(warehouses, partitions, false));
                }
            }
        }
        return cases;
    }

    private void run(Case each, Settings settings, Findings findings) throws Exception {
        String label = each.warehouses() + " warehouses, " + each.partitions() + " partitions";
        settings.output().accept(label + ": loading");
        TpccWorkload workload =
                new TpccWorkload(TpccScale.full(each.warehouses()), new SplittableRandom(settings.seed()));
        Map<String, String> limits = Map.of("memory.limit", "16g");
        try (LocalDatabase database = LocalDatabase.startWithRanges(each.partitions(), 1, each.warehouses(), limits);
                FulmarClient client = database.connect(1024)) {
            BenchmarkRun run = new BenchmarkRun(client, workload, Workload.Progress.silent());
            run.prepare();
            LoadReport total = load(run, each, settings, label);
            List<String> problems = run.verify();
            problems.forEach(settings.output());
            findings.check("tpcc-consistency.violations", label, problems.size());
            findings.check("tpcc-consistency.failed-requests", label, (double) total.failed());
            Map<String, Object> figures = new LinkedHashMap<>();
            figures.put("seconds", total.seconds());
            figures.put("committed", total.committed());
            figures.put("rolledBack", total.aborted());
            figures.put("throughputPerSecond", total.throughputPerSecond());
            figures.put("latencyMicros", total.latency().asMap());
            findings.series(label, figures);
        }
    }

    /** Loads in stretches, so that the bound on transactions can end a long load early. */
    private static LoadReport load(BenchmarkRun run, Case each, Settings settings, String label) throws Exception {
        int seconds = settings.quick() ? QUICK_SECONDS : each.full() ? LONG_SECONDS : SHORT_SECONDS;
        int stretch = Math.min(seconds, CHECK_EVERY_SECONDS);
        long committed = 0;
        LoadReport last = null;
        double measured = 0;
        long aborted = 0;
        long failed = 0;
        while (measured < seconds - 0.5 && committed < LONG_TRANSACTIONS) {
            last = run.measure(
                    new LoadShape(CLIENTS, IN_FLIGHT, 0, WARMUP_SECONDS, stretch),
                    settings.seed() + (long) measured,
                    (second, warmup, done, rolledBack, failures, latency) -> {});
            measured += last.seconds() + WARMUP_SECONDS;
            committed += last.committed();
            aborted += last.aborted();
            failed += last.failed();
            settings.output()
                    .accept(String.format(
                            Locale.ROOT,
                            "%s: %,d committed, %,.0f a second",
                            label,
                            committed,
                            last.throughputPerSecond()));
            last.failures().forEach((code, failure) -> settings.output().accept(code + ": " + failure.firstMessage()));
        }
        if (last == null) {
            throw new IllegalStateException("the load has no stretch");
        }
        LoadReport.Failure all = new LoadReport.Failure(failed, "see the output");
        return new LoadReport(
                measured,
                committed,
                aborted,
                failed == 0 ? new java.util.TreeMap<>() : new java.util.TreeMap<>(Map.of("all", all)),
                last.latency());
    }
}
