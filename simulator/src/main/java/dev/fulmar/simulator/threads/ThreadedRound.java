package dev.fulmar.simulator.threads;

import dev.fulmar.benchmarks.run.LocalDatabase;
import dev.fulmar.client.FulmarClient;
import dev.fulmar.foundation.random.RandomSource;
import dev.fulmar.foundation.random.SeededRandom;
import dev.fulmar.foundation.time.real.SystemClock;
import dev.fulmar.simulator.campaign.FinalState;
import dev.fulmar.simulator.campaign.Ledger;
import dev.fulmar.simulator.campaign.SerializabilityScript;
import dev.fulmar.simulator.verify.HistoryRecorder;
import dev.fulmar.simulator.verify.StrictSerializabilityVerifier;
import dev.fulmar.simulator.verify.Transaction;
import dev.fulmar.simulator.verify.Transaction.Outcome;
import dev.fulmar.simulator.verify.Verdict;
import dev.fulmar.simulator.workload.ClientReply;
import dev.fulmar.simulator.workload.Mix;
import dev.fulmar.simulator.workload.ProcedureEditions;
import dev.fulmar.simulator.workload.WishSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A node, clients on threads of their own, and the judges. The seed decides what is wished for; the threads decide the
 * rest.
 */
public final class ThreadedRound {
    private static final int SETTLE_MILLIS = 100;
    private static final String MEMORY = "256m";

    private final ThreadedSetup setup;
    private final RandomSource random;
    private final HistoryRecorder recorder = new HistoryRecorder(new SystemClock());
    private final Ledger ledger = new Ledger();

    public ThreadedRound(long seed) {
        this.random = new SeededRandom(seed);
        this.setup = ThreadedSetup.draw(random.split("setup"));
    }

    private ThreadedRound(RandomSource random, ThreadedSetup setup) {
        this.random = random;
        this.setup = setup;
    }

    /** A round in which many look at everything while others write. */
    public static ThreadedRound withReaders(long seed) {
        RandomSource random = new SeededRandom(seed);
        return new ThreadedRound(
                random, ThreadedSetup.draw(random.split("setup")).withReaders());
    }

    /** A round in which clients send many transactions statement by statement. */
    public static ThreadedRound withSessions(long seed) {
        RandomSource random = new SeededRandom(seed);
        return new ThreadedRound(
                random, ThreadedSetup.draw(random.split("setup")).withSessions());
    }

    /**
     * Outcomes of a round.
     *
     * @param transactions in the history
     * @param unknown of those, the ones whose outcome no client learnt
     * @param sessions of those, the ones of many statements that were committed
     */
    public record Outcomes(
            ThreadedSetup setup, int transactions, int committed, int unknown, int sessions, List<String> violations) {}

    /** Does it all; called once. */
    public Outcomes run() throws Exception {
        try (LocalDatabase database = start();
                FulmarClient administrator = database.connect(1)) {
            prepare(administrator);
            List<ThreadedClient> clients = runClients(database, administrator);
            FinalState state = new FinalState(
                    (sql, arguments) -> ClientReply.of(administrator.execute(sql, arguments)), setup.mix(), ledger);
            settle(administrator);
            state.read(recorder);
            List<Transaction> history = recorder.history();
            Verdict verdict = new StrictSerializabilityVerifier().verify(history);
            verdict.violations().forEach(violation -> ledger.violation(violation.toString()));
            state.check(history);
            int committed = (int) history.stream()
                    .filter(transaction -> transaction.outcome() == Outcome.OK)
                    .count();
            return new Outcomes(
                    setup,
                    history.size(),
                    committed,
                    clients.stream().mapToInt(ThreadedClient::unknown).sum(),
                    clients.stream().mapToInt(ThreadedClient::committedSessions).sum(),
                    List.copyOf(ledger.violations()));
        }
    }

    private LocalDatabase start() {
        Map<String, String> settings = Map.of("memory.limit", MEMORY, "jmx", "false");
        if (setup.ranges()) {
            return LocalDatabase.startWithRanges(
                    setup.partitions(), setup.sites(), setup.mix().keys(), settings);
        }
        return LocalDatabase.start(Map.of(
                "memory.limit",
                MEMORY,
                "jmx",
                "false",
                "partitions",
                Integer.toString(setup.partitions()),
                "sites",
                Integer.toString(setup.sites())));
    }

    private void prepare(FulmarClient administrator) {
        replace(administrator, ProcedureEditions.FIRST);
        SerializabilityScript.statements().forEach(administrator::execute);
        Mix mix = setup.mix();
        for (long id = 1; id <= mix.accounts(); id++) {
            administrator.execute("INSERT INTO account (id, balance) VALUES (?, ?)", id, mix.balance());
        }
    }

    private static void replace(FulmarClient administrator, long edition) {
        administrator.call("@LoadClasses", (Object) ProcedureEditions.jar(edition));
    }

    private List<ThreadedClient> runClients(LocalDatabase database, FulmarClient administrator) throws Exception {
        AtomicLong lastValue = new AtomicLong();
        List<ThreadedClient> clients = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(setup.clients())) {
            for (int number = 1; number <= setup.clients(); number++) {
                WishSource wishes = new WishSource(setup.mix(), random.split("wishes-" + number), lastValue);
                clients.add(new ThreadedClient(
                        number, setup, database, wishes, random.split("client-" + number), recorder));
            }
            List<Future<?>> running = new ArrayList<>();
            for (ThreadedClient client : clients) {
                running.add(threads.submit(() -> {
                    client.run();
                    return null;
                }));
            }
            for (int change = 1; change <= setup.catalogChanges(); change++) {
                changeCatalog(administrator, change);
            }
            for (Future<?> each : running) {
                each.get();
            }
        } catch (ExecutionException broken) {
            throw new IllegalStateException("a client broke", broken);
        } finally {
            clients.forEach(ThreadedClient::close);
        }
        clients.forEach(client -> ledger.add(client.ledger()));
        return clients;
    }

    private void changeCatalog(FulmarClient administrator, int change) {
        administrator.execute("CREATE INDEX extra_" + change + " ON entry (n)");
        long edition = ProcedureEditions.FIRST + change;
        HistoryRecorder.Pending record = recorder.invoke(0, List.of(ProcedureEditions.written(edition)));
        replace(administrator, edition);
        record.ok(List.of(ProcedureEditions.written(edition)), OptionalLong.empty());
        administrator.execute("DROP INDEX extra_" + change);
    }

    /** Calls that lost their clients may still be under way: waits until nothing is added any more. */
    private void settle(FulmarClient administrator) throws InterruptedException {
        long before = -1;
        for (long now = entries(administrator); now != before; now = entries(administrator)) {
            before = now;
            Thread.sleep(SETTLE_MILLIS);
        }
    }

    private static long entries(FulmarClient administrator) {
        return administrator
                .execute("SELECT COUNT(*) FROM entry")
                .table()
                .first()
                .getLong(0);
    }
}
