package dev.fulmar.benchmarks.experiment;

import dev.fulmar.benchmarks.drive.LoadReport;
import dev.fulmar.benchmarks.drive.LoadShape;
import dev.fulmar.benchmarks.run.BenchmarkRun;
import dev.fulmar.benchmarks.run.LocalDatabase;
import dev.fulmar.benchmarks.tpcc.TpccScale;
import dev.fulmar.benchmarks.tpcc.TpccWorkload;
import dev.fulmar.benchmarks.tpch.TpchData;
import dev.fulmar.benchmarks.tpch.TpchRows;
import dev.fulmar.benchmarks.tpch.TpchScripts;
import dev.fulmar.benchmarks.tpch.TpchTables;
import dev.fulmar.benchmarks.workload.Workload;
import dev.fulmar.client.Consistency;
import dev.fulmar.client.FulmarClient;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.ToDoubleFunction;

/**
 * Effect of analytic queries on transactions. TPC-C runs at a rate that is far from the most, in turns alone and beside
 * one client that runs TPC-H's queries on snapshots one after another.
 */
public final class TpcHBeside implements Experiment {
    private static final double SCALE = 0.01;
    private static final int WAREHOUSES = 8;
    private static final int PARTITIONS = 4;
    private static final int SITES = 1;
    private static final double RATE_PER_SECOND = 1_000;
    private static final int CLIENTS = 4;
    private static final int IN_FLIGHT = 64;
    private static final int WARMUP_SECONDS = 2;
    private static final int FIRST_WARMUP_SECONDS = 10;
    private static final int SECONDS = 20;
    private static final int QUICK_SECONDS = 5;
    private static final int ROUNDS = 5;
    private static final int QUICK_ROUNDS = 2;
    private static final int MOST_OUTSTANDING = 512;

    @Override
    public String name() {
        return "tpc-h-beside";
    }

    @Override
    public String meaning() {
        return "p99 of TPC-C with TPC-H's queries running beside it, and without";
    }

    @Override
    public Findings run(Settings settings) throws Exception {
        Findings findings = new Findings(name(), settings.quick(), "none");
        Map<String, String> node = Map.of(
                "partitions", Integer.toString(PARTITIONS), "sites", Integer.toString(SITES), "memory.limit", "6g");
        try (LocalDatabase database = LocalDatabase.start(node);
                FulmarClient client = database.connect(MOST_OUTSTANDING);
                FulmarClient analyst = database.connect(MOST_OUTSTANDING)) {
            TpchTables tables = new TpchTables(analyst, "h_");
            tables.create();
            findings.series("rows of TPC-H", tables.load(new TpchData(SCALE)));
            TpccWorkload workload = new TpccWorkload(TpccScale.full(WAREHOUSES), new SplittableRandom(settings.seed()));
            BenchmarkRun run = new BenchmarkRun(client, workload, Workload.Progress.silent());
            run.prepare();
            Turns turns = new Turns(settings, run, tables);
            turns.run();
            findings.check("tpc-h-beside.problems", turns.problems.size());
            turns.problems.forEach(settings.output());
            turns.show(findings);
        }
        return findings;
    }

    /** The turns alone and beside the queries, and what they showed. */
    private static final class Turns {
        private final Settings settings;
        private final BenchmarkRun run;
        private final TpchTables tables;
        private final List<String> queries = TpchScripts.queries();
        private final List<TpchRows> answers = new ArrayList<>();
        private final List<LoadReport> alone = new ArrayList<>();
        private final List<LoadReport> beside = new ArrayList<>();
        private final List<String> problems = new CopyOnWriteArrayList<>();
        private final AtomicInteger answered = new AtomicInteger();

        Turns(Settings settings, BenchmarkRun run, TpchTables tables) {
            this.settings = settings;
            this.run = run;
            this.tables = tables;
        }

        void run() throws InterruptedException {
            for (String query : queries) {
                answers.add(tables.query(query, Consistency.SNAPSHOT));
            }
            measure(FIRST_WARMUP_SECONDS, settings.seed());
            int rounds = settings.quick() ? QUICK_ROUNDS : ROUNDS;
            for (int round = 1; round <= rounds; round++) {
                alone.add(measure(WARMUP_SECONDS, settings.seed() + round));
                AtomicBoolean ending = new AtomicBoolean();
                Thread analyst = Thread.ofPlatform().name("analyst").start(() -> analyse(ending));
                beside.add(measure(WARMUP_SECONDS, settings.seed() + round));
                ending.set(true);
                analyst.join();
                settings.output()
                        .accept(String.format(
                                Locale.ROOT,
                                "round %d: alone %,.0f/s, p99 %d us; beside %,.0f/s, p99 %d us; %d queries answered",
                                round,
                                alone.getLast().throughputPerSecond(),
                                alone.getLast().latency().p99Micros(),
                                beside.getLast().throughputPerSecond(),
                                beside.getLast().latency().p99Micros(),
                                answered.get()));
            }
            problems.addAll(run.verify());
        }

        private LoadReport measure(int warmupSeconds, long seed) throws InterruptedException {
            int seconds = settings.quick() ? QUICK_SECONDS : SECONDS;
            LoadShape shape = new LoadShape(CLIENTS, IN_FLIGHT, RATE_PER_SECOND, warmupSeconds, seconds);
            LoadReport report = run.measure(shape, seed, (second, warmup, done, aborted, failed, latency) -> {});
            report.failures().forEach((code, failure) -> problems.add(code + ": " + failure.firstMessage()));
            return report;
        }

        private void analyse(AtomicBoolean ending) {
            for (int i = 0; !ending.get(); i = (i + 1) % queries.size()) {
                String difference;
                try {
                    difference =
                            tables.query(queries.get(i), Consistency.SNAPSHOT).differenceTo(answers.get(i));
                } catch (RuntimeException e) {
                    difference = e.toString();
                }
                if (difference != null) {
                    problems.add("query " + (i + 1) + ": " + difference);
                    return;
                }
                answered.incrementAndGet();
            }
        }

        void show(Findings findings) {
            double without = median(alone, report -> report.latency().p99Micros());
            double with = median(beside, report -> report.latency().p99Micros());
            double kept =
                    median(beside, LoadReport::throughputPerSecond) / median(alone, LoadReport::throughputPerSecond);
            findings.check("tpc-h-beside.rate", kept);
            findings.series("p99Micros alone", without);
            findings.series("p99Micros beside", with);
            findings.series(
                    "maxMicros alone", median(alone, report -> report.latency().maxMicros()));
            findings.series(
                    "maxMicros beside",
                    median(beside, report -> report.latency().maxMicros()));
            findings.series("queries answered", answered.get());
            findings.series("partitions", PARTITIONS);
            findings.series("sites", SITES);
            findings.series("offeredPerSecond", RATE_PER_SECOND);
        }

        private static double median(List<LoadReport> reports, ToDoubleFunction<LoadReport> figure) {
            double[] sorted = reports.stream().mapToDouble(figure).sorted().toArray();
            return sorted[sorted.length / 2];
        }
    }
}
