package dev.fulmar.benchmarks.experiment;

import dev.fulmar.benchmarks.run.BenchmarkRun;
import dev.fulmar.benchmarks.tpcc.TpccScale;
import dev.fulmar.benchmarks.tpcc.TpccWorkload;
import dev.fulmar.benchmarks.workload.PipelinedCalls;
import dev.fulmar.benchmarks.workload.RequestSource;
import dev.fulmar.benchmarks.workload.Workload;
import dev.fulmar.benchmarks.ycsb.KeyChoice;
import dev.fulmar.benchmarks.ycsb.YcsbMix;
import dev.fulmar.benchmarks.ycsb.YcsbWorkload;
import dev.fulmar.client.FulmarClient;
import dev.fulmar.foundation.error.FulmarException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/**
 * The catalog changes while TPC-C and YCSB run, both at a steady rate that leaves the node time. A pause is a request
 * that took long, counted from when it was due, less what the {@link StallRecorder} saw the machine stand still
 * meanwhile.
 */
public final class OnlineDdl implements Experiment {
    private static final int PARTITIONS = 2;
    private static final long RECORDS_PER_PARTITION = 1_000_000;
    private static final long QUICK_RECORDS_PER_PARTITION = 200_000;
    private static final int YCSB_PER_SECOND = 1_500;
    private static final int TPCC_PER_SECOND = 200;
    private static final int STREAMS = 200;
    private static final int WARMUP_SECONDS = 20;
    private static final int QUICK_WARMUP_SECONDS = 8;
    private static final int LOAD_IN_FLIGHT = 512;
    private static final double NANOS_PER_MILLI = 1e6;
    private static final double NANOS_PER_SECOND = 1e9;

    /**
     * Statements that are to work, in their order. What a change made is taken away again, so that the next finds the
     * tables as they were.
     */
    private static final List<String> CHANGES = List.of(
            "CREATE INDEX by_field ON usertable (field1)",
            "DROP INDEX by_field",
            "CREATE UNIQUE INDEX once ON usertable (ycsb_key, field2) USING HASH",
            "DROP INDEX once",
            "ALTER TABLE usertable ADD CONSTRAINT sane CHECK (ycsb_key >= 0 AND CHAR_LENGTH(field3) > 0)",
            "ALTER TABLE usertable DROP CONSTRAINT sane",
            "ALTER TABLE usertable ALTER COLUMN field4 SET NOT NULL",
            "ALTER TABLE usertable ADD COLUMN extra INTEGER DEFAULT 7 NOT NULL",
            "ALTER TABLE usertable DROP COLUMN extra",
            "CREATE INDEX by_item ON order_line (ol_w_id, ol_i_id)",
            "ALTER TABLE customer ADD COLUMN c_note VARCHAR(20) DEFAULT 'none'",
            "ALTER TABLE stock ADD CONSTRAINT stock_sane CHECK (s_quantity > -1000)",
            "DROP INDEX by_item",
            "CREATE OR REPLACE PROCEDURE YcsbRead PARTITION ON TABLE usertable COLUMN ycsb_key"
                    + " AS SELECT * FROM usertable WHERE ycsb_key = ?",
            "CREATE OR REPLACE PROCEDURE Payment PARTITION ON TABLE warehouse COLUMN w_id PARAMETER 0"
                    + " FROM CLASS dev.fulmar.benchmarks.tpcc.procedure.Payment",
            "DROP TABLE spare");

    /** Statements that the data refuses. */
    private static final List<String> REFUSED = List.of(
            "ALTER TABLE usertable ADD CONSTRAINT small CHECK (ycsb_key < 1000)",
            "ALTER TABLE spare ADD CONSTRAINT once UNIQUE (id, part)",
            "ALTER TABLE spare ALTER COLUMN part SET NOT NULL");

    @Override
    public String name() {
        return "online-ddl";
    }

    @Override
    public String meaning() {
        return "the catalog changes under TPC-C and YCSB without an error and without a pause";
    }

    @Override
    public Findings run(Settings settings) throws Exception {
        Findings findings = new Findings(name(), settings.quick(), "none");
        Path log = Files.createTempFile("fulmar-online-ddl", ".gc");
        List<String> nodeSettings =
                List.of("partitions=" + PARTITIONS, "sites=1", "memory.limit=14g", "listen=127.0.0.1:0");
        try (JavaChild control = JavaChild.start(StallRecorder.class, List.of("-Xmx64m"), List.of());
                JavaChild node =
                        JavaChild.start(ChildNode.class, List.of("-Xmx1g", CollectorLog.option(log)), nodeSettings)) {
            Trial trial = new Trial(settings, "127.0.0.1:" + node.awaitLine(ChildNode.PORT));
            trial.run();
            trial.judge(findings, ControlStalls.parse(control.finish()), CollectorLog.pauses(log));
        }
        return findings;
    }

    /** A change and when it was made. */
    private record Change(String statement, long startNanos, long endNanos) {}

    /** One node's time. */
    private static final class Trial {
        private final Settings settings;
        private final String host;
        private final List<Change> changes = new ArrayList<>();
        private final List<String> problems = new ArrayList<>();
        private final List<SteadyTraffic> traffic = new ArrayList<>();
        private long measuredFromNanos;

        Trial(Settings settings, String host) {
            this.settings = settings;
            this.host = host;
        }

        private FulmarClient connect() {
            return FulmarClient.builder().hosts(host).maxOutstanding(1024).connect();
        }

        void run() throws InterruptedException {
            long records = PARTITIONS * (settings.quick() ? QUICK_RECORDS_PER_PARTITION : RECORDS_PER_PARTITION);
            SplittableRandom random = new SplittableRandom(settings.seed());
            YcsbWorkload ycsb = new YcsbWorkload(YcsbMix.A, records, new KeyChoice.Uniform(records), random.split());
            TpccWorkload tpcc = new TpccWorkload(TpccScale.full(PARTITIONS), random.split());
            try (FulmarClient one = connect();
                    FulmarClient other = connect();
                    FulmarClient changer = connect()) {
                BenchmarkRun ycsbRun = new BenchmarkRun(one, ycsb, Workload.Progress.silent());
                BenchmarkRun tpccRun = new BenchmarkRun(other, tpcc, Workload.Progress.silent());
                settings.output().accept("loading " + records + " records and " + PARTITIONS + " warehouses");
                ycsbRun.prepare();
                tpccRun.prepare();
                fillSpare(changer, records);
                changer.execute("DROP PROCEDURE YcsbInsert"); // it names no columns, and so would forbid more of them
                traffic.add(SteadyTraffic.start("ycsb", one, sources(ycsb, random), YCSB_PER_SECOND));
                traffic.add(SteadyTraffic.start("tpcc", other, sources(tpcc, random), TPCC_PER_SECOND));
                changeAll(changer);
                for (SteadyTraffic each : traffic) {
                    each.finish();
                }
                problems.addAll(ycsbRun.verifyTables());
                problems.addAll(tpccRun.verifyTables());
            }
            traffic.forEach(each -> each.errors().stream().limit(3).forEach(problems::add));
        }

        private static List<RequestSource> sources(Workload workload, SplittableRandom random) {
            return Stream.generate(() -> workload.requests(random.split()))
                    .limit(STREAMS)
                    .toList();
        }

        /** Fills a table of small rows for no other use, one of which has a null and two of which have the same key. */
        private static void fillSpare(FulmarClient client, long rows) {
            client.execute("CREATE TABLE spare (id BIGINT NOT NULL, part INTEGER, text VARCHAR(20))");
            client.execute("PARTITION TABLE spare ON COLUMN id");
            client.execute("CREATE INDEX by_text ON spare (text)");
            client.execute("CREATE PROCEDURE FillSpare PARTITION ON TABLE spare COLUMN id"
                    + " AS INSERT INTO spare VALUES (?, ?, ?)");
            PipelinedCalls calls = new PipelinedCalls(client, LOAD_IN_FLIGHT);
            for (long row = 0; row < rows; row++) {
                calls.call("FillSpare", row, 0, "text " + row);
            }
            calls.call("FillSpare", rows - 1, 0, "again");
            calls.call("FillSpare", rows, null, "null");
            calls.drain();
            client.execute("DROP PROCEDURE FillSpare");
        }

        private void changeAll(FulmarClient client) throws InterruptedException {
            Thread.sleep(1000L * (settings.quick() ? QUICK_WARMUP_SECONDS : WARMUP_SECONDS));
            measuredFromNanos = System.nanoTime();
            for (String statement : REFUSED) {
                if (change(client, statement)) {
                    problems.add("was not refused: " + statement);
                }
            }
            for (String statement : CHANGES) {
                if (!change(client, statement)) {
                    problems.add("was refused: " + statement);
                }
            }
        }

        private boolean change(FulmarClient client, String statement) throws InterruptedException {
            long start = System.nanoTime();
            String answer = "done";
            try {
                client.execute(statement);
            } catch (FulmarException e) {
                answer = e.code() + " " + e.getMessage();
            }
            changes.add(new Change(statement, start, System.nanoTime()));
            Thread.sleep(500); // what a change leaves behind belongs to it
            settings.output()
                    .accept(String.format(
                            Locale.ROOT,
                            "%7.2f s %s: %s",
                            (changes.getLast().endNanos() - start) / NANOS_PER_SECOND,
                            statement,
                            answer));
            return answer.equals("done");
        }

        void judge(Findings findings, ControlStalls stalls, List<CollectorLog.Pause> collections) {
            double longest = 0;
            List<Map<String, Object>> shown = new ArrayList<>();
            for (int i = 0; i < changes.size(); i++) {
                Change change = changes.get(i);
                long until = i + 1 < changes.size() ? changes.get(i + 1).startNanos() : Long.MAX_VALUE;
                double pause = longestExcessMillis(stalls, change.startNanos(), until);
                longest = Math.max(longest, pause);
                Map<String, Object> each = new LinkedHashMap<>();
                each.put("statement", change.statement());
                each.put("seconds", (change.endNanos() - change.startNanos()) / NANOS_PER_SECOND);
                each.put("longestPauseMillis", pause);
                shown.add(each);
                settings.output()
                        .accept(String.format(Locale.ROOT, "longest pause %6.1f ms: %s", pause, change.statement()));
            }
            long errors =
                    traffic.stream().mapToLong(each -> each.errors().size()).sum();
            problems.forEach(settings.output());
            findings.check("online-ddl.longest-pause", longest);
            findings.check("online-ddl.errors", (double) errors);
            findings.check("online-ddl.problems", problems.size());
            findings.series("changes", shown);
            findings.series("problems", problems);
            for (SteadyTraffic each : traffic) {
                findings.series(each.name() + " requests", each.completed());
            }
            findings.series(
                    "longestPauseOfTheCollectorMillis",
                    collections.stream()
                                    .filter(pause -> pause.startNanos() > measuredFromNanos)
                                    .mapToLong(CollectorLog.Pause::durationNanos)
                                    .max()
                                    .orElse(0)
                            / NANOS_PER_MILLI);
            findings.series("longestStallOfTheMachineMillis", stalls.longestNanos() / NANOS_PER_MILLI);
        }

        private double longestExcessMillis(ControlStalls stalls, long fromNanos, long untilNanos) {
            return traffic.stream()
                            .flatMap(each -> each.pauses().stream())
                            .filter(pause -> pause.startNanos() + pause.durationNanos() >= fromNanos
                                    && pause.startNanos() < untilNanos)
                            .mapToLong(stalls::excessNanos)
                            .max()
                            .orElse(0)
                    / NANOS_PER_MILLI;
        }
    }
}
