package dev.fulmar.simulator.chaos;

import dev.fulmar.benchmarks.cluster.RunningCluster;
import dev.fulmar.benchmarks.run.LocalDatabase;
import dev.fulmar.client.FulmarClient;
import dev.fulmar.foundation.random.RandomSource;
import dev.fulmar.foundation.time.real.SystemClock;
import dev.fulmar.simulator.campaign.FinalState;
import dev.fulmar.simulator.campaign.Ledger;
import dev.fulmar.simulator.campaign.SerializabilityScript;
import dev.fulmar.simulator.verify.HistoryRecorder;
import dev.fulmar.simulator.verify.StrictSerializabilityVerifier;
import dev.fulmar.simulator.verify.Transaction;
import dev.fulmar.simulator.verify.Verdict;
import dev.fulmar.simulator.workload.ClientReply;
import dev.fulmar.simulator.workload.Mix;
import dev.fulmar.simulator.workload.ProcedureEditions;
import dev.fulmar.simulator.workload.WishSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** One cluster, clients, some faults one after another, and the verdict on the history. */
final class ChaosChapter {
    static final int NODES = 3;
    private static final int PARTITIONS = 6;
    private static final int COPIES = 2;
    private static final int CLIENTS = 6;
    private static final long THINKING_MILLIS = 20;
    private static final Duration CALL_TIMEOUT = Duration.ofSeconds(3);
    private static final Duration FINAL_TIMEOUT = Duration.ofSeconds(60);
    private static final Duration RECOVERY = Duration.ofSeconds(90);
    private static final long PROGRESS_NANOS = 30_000_000_000L;
    private static final long SETTLING_MILLIS = 500;
    private static final long POLL_MILLIS = 20;
    private static final List<String> JAVA_OPTIONS = List.of("-Xmx512m", "-XX:TieredStopAtLevel=1");

    /** Few keys, so that the clients meet; transactions on one partition and on several. */
    static final Mix MIX = new Mix(12, 8, 100, 3, 3, 60, 30, 5, 5, 15, 10, 5, 40);

    private final RandomSource random;
    private final Path directory;
    private final ChaosTally tally;
    private final Consumer<String> output;
    private final HistoryRecorder recorder = new HistoryRecorder(new SystemClock());
    private final Ledger ledger = new Ledger();
    private final AtomicLong lastCommitNanos = new AtomicLong();

    ChaosChapter(RandomSource random, Path directory, ChaosTally tally, Consumer<String> output) {
        this.random = random;
        this.directory = directory;
        this.tally = tally;
        this.output = output;
    }

    /** Does it all; called once. Some faults need disks that can be struck. */
    void run(List<Fault> faults) throws Exception {
        boolean needsDisks = faults.stream().anyMatch(fault -> fault.kind().needsDisks());
        try (Disks disks = needsDisks ? new Disks(places(), new SplittableRandom(random.nextLong())) : null;
                RunningCluster cluster = RunningCluster.start(directory, plan());
                FulmarClient administrator = connect(cluster, FINAL_TIMEOUT)) {
            for (long id = 1; id <= MIX.accounts(); id++) {
                administrator.execute("INSERT INTO account (id, balance) VALUES (?, ?)", id, MIX.balance());
            }
            runClients(cluster, disks, faults);
            judge(administrator);
        }
    }

    private List<Path> places() {
        return IntStream.rangeClosed(1, NODES)
                .mapToObj(node -> RunningCluster.placeOf(directory, node))
                .toList();
    }

    private RunningCluster.Plan plan() throws IOException {
        Path jar = Files.write(directory.resolve("procedures.jar"), ProcedureEditions.jar(ProcedureEditions.FIRST));
        Path script = Files.writeString(
                directory.resolve("schema.sql"), String.join(";\n", SerializabilityScript.statements()) + ";\n");
        return new RunningCluster.Plan(
                NODES,
                PARTITIONS,
                COPIES,
                JAVA_OPTIONS,
                Map.of(
                        "schema",
                        jar + "," + script,
                        "sites",
                        "1",
                        "memory.limit",
                        "128m",
                        "partitioning",
                        LocalDatabase.ranges(PARTITIONS, MIX.keys())),
                true);
    }

    private static FulmarClient connect(RunningCluster cluster, Duration callTimeout) {
        return FulmarClient.builder()
                .hosts(IntStream.rangeClosed(1, NODES)
                        .mapToObj(cluster::address)
                        .toList())
                .callTimeout(callTimeout)
                .connect();
    }

    private void runClients(RunningCluster cluster, @Nullable Disks disks, List<Fault> faults) throws Exception {
        AtomicLong lastValue = new AtomicLong();
        List<ChaosClient> clients = new ArrayList<>();
        List<FulmarClient> connections = new ArrayList<>();
        List<Future<?>> running = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(CLIENTS)) {
            for (int number = 1; number <= CLIENTS; number++) {
                FulmarClient connection = connect(cluster, CALL_TIMEOUT);
                connections.add(connection);
                WishSource wishes = new WishSource(MIX, random.split("wishes-" + number), lastValue);
                ChaosClient client = new ChaosClient(
                        number,
                        connection,
                        wishes,
                        random.split("client-" + number),
                        recorder,
                        lastCommitNanos,
                        THINKING_MILLIS);
                clients.add(client);
                running.add(threads.submit(() -> {
                    client.run();
                    return null;
                }));
            }
            try {
                strike(cluster, disks, faults);
            } finally {
                clients.forEach(ChaosClient::stop);
            }
            for (Future<?> each : running) {
                each.get();
            }
        } finally {
            connections.forEach(FulmarClient::close);
        }
        clients.forEach(client -> {
            ledger.add(client.ledger());
            tally.clientFailures(client.failures());
            tally.sessions(client.committedSessions());
        });
    }

    private void strike(RunningCluster cluster, @Nullable Disks disks, List<Fault> faults)
            throws IOException, InterruptedException {
        FaultAction action = new FaultAction(cluster, disks, output);
        for (Fault fault : faults) {
            Thread.sleep(SETTLING_MILLIS);
            output.accept(fault.toString());
            action.strikeAndHeal(fault);
            awaitProgress(fault);
            cluster.awaitAllInSync(RECOVERY);
            tally.survived(fault.kind());
        }
    }

    private void awaitProgress(Fault fault) throws InterruptedException {
        long healedNanos = System.nanoTime();
        while (lastCommitNanos.get() - healedNanos < 0) {
            if (System.nanoTime() - healedNanos > PROGRESS_NANOS) {
                ledger.violation("nothing was committed for " + PROGRESS_NANOS / 1_000_000_000 + " s after " + fault);
                return;
            }
            Thread.sleep(POLL_MILLIS);
        }
    }

    private void judge(FulmarClient administrator) throws InterruptedException {
        Thread.sleep(CALL_TIMEOUT.toMillis()); // calls without an answer have ended by then
        FinalState state =
                new FinalState((sql, arguments) -> ClientReply.of(administrator.execute(sql, arguments)), MIX, ledger);
        state.read(recorder);
        List<Transaction> history = recorder.history();
        Verdict verdict = new StrictSerializabilityVerifier().verify(history);
        verdict.violations().forEach(violation -> ledger.violation(violation.toString()));
        state.check(history);
        tally.chapter(history, ledger.violations());
        ledger.violations().forEach(output);
    }
}
