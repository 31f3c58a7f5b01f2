package dev.fulmar.benchmarks.experiment;

import dev.fulmar.benchmarks.drive.LoadGenerator;
import dev.fulmar.benchmarks.drive.LoadReport;
import dev.fulmar.benchmarks.drive.LoadShape;
import dev.fulmar.benchmarks.hostile.HostileStatements;
import dev.fulmar.benchmarks.hostile.HostileStatements.Hostile;
import dev.fulmar.benchmarks.run.BenchmarkRun;
import dev.fulmar.benchmarks.tpcc.TpccScale;
import dev.fulmar.benchmarks.tpcc.TpccWorkload;
import dev.fulmar.benchmarks.workload.RequestSource;
import dev.fulmar.benchmarks.workload.Workload;
import dev.fulmar.client.FulmarClient;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Effect of statements that are hard to plan on other clients. TPC-C and ad hoc readers run in open loop at a share of
 * their closed-loop rate, in turns alone and beside clients that send one hostile statement after another.
 */
public final class HostilePlanning implements Experiment {
    private static final int PARTITIONS = 2;
    private static final int CLIENTS = 4;
    private static final int IN_FLIGHT = 16;
    private static final int HOSTILE_CLIENTS = 2;
    private static final double SHARE_OF_CAPACITY = 0.4;
    private static final int WARMUP_SECONDS = 2;
    private static final int CAPACITY_WARMUP_SECONDS = 10;
    private static final int SECONDS = 20;
    private static final int QUICK_SECONDS = 6;
    private static final int ROUNDS = 5;
    private static final int QUICK_ROUNDS = 2;
    private static final int MOST_OUTSTANDING = 512;
    private static final Duration TIMEOUT = Duration.ofSeconds(2);
    private static final double NANOS_PER_MILLI = 1e6;

    @Override
    public String name() {
        return "hostile-planning";
    }

    @Override
    public String meaning() {
        return "p99 of TPC-C and of ad hoc readers beside statements that are hard to plan, and without";
    }

    @Override
    public Findings run(Settings settings) throws Exception {
        Findings findings = new Findings(name(), settings.quick(), "none");
        List<String> node = List.of("partitions=" + PARTITIONS, "memory.limit=8g", "listen=127.0.0.1:0");
        try (JavaChild control = JavaChild.start(StallRecorder.class, List.of("-Xmx64m"), List.of());
                JavaChild child = JavaChild.start(ChildNode.class, List.of("-Xmx1g"), node)) {
            String host = "127.0.0.1:" + child.awaitLine(ChildNode.PORT);
            try (FulmarClient transactions = connect(host);
                    FulmarClient readers = connect(host);
                    FulmarClient hostile = connect(host)) {
                Trial trial = new Trial(settings, host, transactions, readers);
                trial.run(hostile);
                trial.judge(findings);
            }
            ControlStalls stalls = ControlStalls.parse(control.finish());
            findings.series("longestStallOfTheMachineMillis", stalls.longestNanos() / NANOS_PER_MILLI);
        }
        return findings;
    }

    private static FulmarClient connect(String host) {
        return FulmarClient.builder()
                .hosts(host)
                .maxOutstanding(MOST_OUTSTANDING)
                .connect();
    }

    /** One measurement of both loads. */
    private record Both(LoadReport transactions, LoadReport readers) {}

    /** One node's time. */
    private static final class Trial {
        private final Settings settings;
        private final String host;
        private final FulmarClient readers;
        private final BenchmarkRun run;
        private final int items;
        private final List<Both> quiet = new ArrayList<>();
        private final List<Both> beside = new ArrayList<>();
        private final List<String> problems = new CopyOnWriteArrayList<>();
        private final Map<String, Long> slowestMillis = new LinkedHashMap<>();
        private double slowestRefusalMillis;
        private double latestEndMillis;
        private double cancelMillis;
        private double afterwardsMillis;

        Trial(Settings settings, String host, FulmarClient transactions, FulmarClient readers) {
            this.settings = settings;
            this.host = host;
            this.readers = readers;
            TpccScale scale = TpccScale.full(PARTITIONS);
            items = scale.items();
            run = new BenchmarkRun(
                    transactions,
                    new TpccWorkload(scale, new SplittableRandom(settings.seed())),
                    Workload.Progress.silent());
        }

        void run(FulmarClient hostile) throws InterruptedException {
            run.prepare();
            HostileStatements.tables().forEach(hostile::execute);
            Both capacity = measure(CAPACITY_WARMUP_SECONDS, 0, 0, settings.seed());
            double transactionRate = SHARE_OF_CAPACITY * capacity.transactions().throughputPerSecond();
            double readRate = SHARE_OF_CAPACITY * capacity.readers().throughputPerSecond();
            int rounds = settings.quick() ? QUICK_ROUNDS : ROUNDS;
            for (int round = 1; round <= rounds; round++) {
                quiet.add(measure(WARMUP_SECONDS, transactionRate, readRate, settings.seed() + round));
                AtomicBoolean ending = new AtomicBoolean();
                List<Thread> attackers = attack(ending);
                beside.add(measure(WARMUP_SECONDS, transactionRate, readRate, settings.seed() + round));
                ending.set(true);
                for (Thread attacker : attackers) {
                    attacker.join();
                }
                settings.output().accept(shown("alone", quiet.getLast()));
                settings.output().accept(shown("beside", beside.getLast()));
            }
            cancel(hostile);
            problems.addAll(run.verify());
        }

        private static String shown(String when, Both both) {
            return String.format(
                    Locale.ROOT,
                    "%-6s TPC-C %,.0f/s, p99 %d us; ad hoc %,.0f/s, p99 %d us",
                    when,
                    both.transactions().throughputPerSecond(),
                    both.transactions().latency().p99Micros(),
                    both.readers().throughputPerSecond(),
                    both.readers().latency().p99Micros());
        }

        /** Both loads at the same time; rates of 0 for closed loops. */
        private Both measure(int warmupSeconds, double transactionRate, double readRate, long seed)
                throws InterruptedException {
            int seconds = settings.quick() ? QUICK_SECONDS : SECONDS;
            CompletableFuture<LoadReport> read = new CompletableFuture<>();
            Thread reading = Thread.ofPlatform().name("readers").start(() -> {
                try {
                    LoadShape shape = new LoadShape(CLIENTS, IN_FLIGHT, readRate, warmupSeconds, seconds);
                    SplittableRandom random = new SplittableRandom(seed);
                    List<RequestSource> sources = Stream.generate(() -> reader(random.split()))
                            .limit(shape.streams())
                            .toList();
                    read.complete(new LoadGenerator(readers, shape)
                            .run(sources, (second, warmup, done, aborted, failed, latency) -> {}));
                } catch (InterruptedException | RuntimeException e) {
                    read.completeExceptionally(e);
                }
            });
            LoadShape shape = new LoadShape(CLIENTS, IN_FLIGHT, transactionRate, warmupSeconds, seconds);
            LoadReport transactions = run.measure(shape, seed, (second, warmup, done, aborted, failed, latency) -> {});
            reading.join();
            Both both = new Both(transactions, read.join());
            note(both.transactions());
            note(both.readers());
            return both;
        }

        private void note(LoadReport report) {
            report.failures().forEach((code, failure) -> problems.add(code + ": " + failure.firstMessage()));
        }

        /** Reads one item by a literal. */
        private RequestSource reader(SplittableRandom random) {
            return client ->
                    client.executeAsync("SELECT i_name, i_price FROM item WHERE i_id = " + (1 + random.nextInt(items)));
        }

        private List<Thread> attack(AtomicBoolean ending) {
            List<Thread> attackers = new ArrayList<>();
            for (int i = 0; i < HOSTILE_CLIENTS; i++) {
                int first = i;
                attackers.add(Thread.ofPlatform().name("hostile-" + i).start(() -> {
                    try (FulmarClient own = connect(host)) {
                        List<Hostile> all = HostileStatements.all();
                        for (int next = first; !ending.get(); next++) {
                            send(own, all.get(next % all.size()));
                        }
                    }
                }));
            }
            return attackers;
        }

        private void send(FulmarClient client, Hostile hostile) {
            long start = System.nanoTime();
            @Nullable ErrorCode came = null;
            try {
                client.statement(hostile.sql()).withTimeout(TIMEOUT).execute();
            } catch (FulmarException e) {
                came = e.code();
            }
            double millis = (System.nanoTime() - start) / NANOS_PER_MILLI;
            ended(hostile, came, millis);
        }

        /** A legal statement may be planned in time on a quick machine; what it comes to then is its own affair. */
        private synchronized void ended(Hostile hostile, @Nullable ErrorCode came, double millis) {
            slowestMillis.merge(hostile.name(), Math.round(millis), Math::max);
            if (hostile.isLegal()) {
                latestEndMillis = Math.max(latestEndMillis, millis - TIMEOUT.toMillis());
                if (came == ErrorCode.INTERNAL || came == ErrorCode.OUTCOME_UNKNOWN) {
                    problems.add(hostile.name() + ": " + came);
                }
            } else {
                slowestRefusalMillis = Math.max(slowestRefusalMillis, millis);
                if (came != ErrorCode.STATEMENT_TOO_COMPLEX) {
                    problems.add(hostile.name() + ": " + came);
                }
            }
        }

        /** A planning that is cancelled ends, and one that is new begins at once. */
        private void cancel(FulmarClient client) throws InterruptedException {
            Hostile longest = HostileStatements.all().stream()
                    .filter(Hostile::isLegal)
                    .findFirst()
                    .orElseThrow();
            var call = client.statement(longest.sql() + " WHERE k = 1").start();
            Thread.sleep(100);
            long start = System.nanoTime();
            call.cancel().join();
            try {
                call.await();
                settings.output().accept("the statement was planned before it was cancelled");
            } catch (FulmarException e) {
                if (e.code() != ErrorCode.CANCELLED) {
                    problems.add("cancelled: " + e.code() + " " + e.getMessage());
                }
            }
            cancelMillis = (System.nanoTime() - start) / NANOS_PER_MILLI;
            start = System.nanoTime();
            client.execute("SELECT COUNT(*) AS afterwards FROM wide WHERE k > 5");
            afterwardsMillis = (System.nanoTime() - start) / NANOS_PER_MILLI;
        }

        void judge(Findings findings) {
            double transactionsQuiet = median(quiet, true);
            double readersQuiet = median(quiet, false);
            findings.check("hostile-planning.transactions", median(beside, true) / transactionsQuiet);
            findings.check("hostile-planning.readers", median(beside, false) / readersQuiet);
            findings.check("hostile-planning.refusal", slowestRefusalMillis);
            findings.check("hostile-planning.late", latestEndMillis);
            findings.check("hostile-planning.cancel", cancelMillis);
            findings.check("hostile-planning.afterwards", afterwardsMillis);
            findings.check("hostile-planning.problems", problems.size());
            problems.forEach(settings.output());
            findings.series("p99Micros of TPC-C alone", transactionsQuiet);
            findings.series("p99Micros of TPC-C beside", median(beside, true));
            findings.series("p99Micros of readers alone", readersQuiet);
            findings.series("p99Micros of readers beside", median(beside, false));
            findings.series("slowestMillis", slowestMillis);
            findings.series("problems", problems);
            findings.series("partitions", PARTITIONS);
            findings.series("timeoutMillis", TIMEOUT.toMillis());
        }

        private static double median(List<Both> phases, boolean ofTransactions) {
            double[] sorted = phases.stream()
                    .mapToDouble(both -> (ofTransactions ? both.transactions() : both.readers())
                            .latency()
                            .p99Micros())
                    .sorted()
                    .toArray();
            return sorted[sorted.length / 2];
        }
    }
}
