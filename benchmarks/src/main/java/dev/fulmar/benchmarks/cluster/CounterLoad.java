package dev.fulmar.benchmarks.cluster;

import dev.fulmar.client.FulmarClient;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Open-loop load that counts up a counter in each partition at a fixed pace, in turns by a client of each node.
 * Counters tell of increments that were lost or done twice.
 */
public final class CounterLoad implements AutoCloseable {
    /** Makes the table of counters and its procedures. */
    public static final String SCHEMA = """
            CREATE TABLE COUNTER (ID BIGINT NOT NULL PRIMARY KEY, VALUE BIGINT NOT NULL);
            PARTITION TABLE COUNTER ON COLUMN ID;
            CREATE PROCEDURE OPEN_COUNTER PARTITION ON TABLE COUNTER COLUMN ID AS INSERT INTO COUNTER (ID, VALUE) VALUES (?, 0);
            CREATE PROCEDURE COUNT_UP PARTITION ON TABLE COUNTER COLUMN ID AS UPDATE COUNTER SET VALUE = VALUE + 1 WHERE ID = ?;
            CREATE PROCEDURE COUNT_OF PARTITION ON TABLE COUNTER COLUMN ID AS SELECT VALUE FROM COUNTER WHERE ID = ?;
            """;

    private static final Duration CALL_TIMEOUT = Duration.ofSeconds(20);
    private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(1);
    private static final int MAX_OUTSTANDING = 20_000;

    private final List<FulmarClient> clients = new ArrayList<>();
    private final int partitions;
    private final long intervalNanos;
    private final AtomicLong[] acknowledged;
    private final AtomicLong[] unknown;
    private final AtomicLong outstanding = new AtomicLong();
    private final ConcurrentLinkedQueue<Answer> answers = new ConcurrentLinkedQueue<>();
    private final Map<ErrorCode, String> failures = new ConcurrentHashMap<>();
    private final AtomicLong failed = new AtomicLong();
    private final Thread thread = Thread.ofPlatform().name("load").unstarted(this::run);
    private volatile boolean stopping;

    /**
     * Makes the counters: the key of a partition's is its number and one.
     *
     * @param intervalNanos between two calls for the same partition
     */
    public CounterLoad(RunningCluster cluster, long intervalNanos) {
        this.partitions = cluster.plan().partitions();
        this.intervalNanos = intervalNanos;
        acknowledged = new AtomicLong[partitions];
        unknown = new AtomicLong[partitions];
        for (int node = 1; node <= cluster.plan().nodes(); node++) {
            clients.add(cluster.connect(node, MAX_OUTSTANDING, CALL_TIMEOUT));
        }
        for (int partition = 0; partition < partitions; partition++) {
            acknowledged[partition] = new AtomicLong();
            unknown[partition] = new AtomicLong();
            clients.getFirst().call("OPEN_COUNTER", keyOf(partition));
        }
    }

    private static long keyOf(int partition) {
        return partition + 1L;
    }

    /** Begins to count. */
    public void start() {
        thread.start();
    }

    private void run() {
        long due = System.nanoTime();
        for (long turn = 0; !stopping; turn++) {
            for (int partition = 0; partition < partitions; partition++) {
                send((int) ((turn + partition) % clients.size()), partition);
            }
            due += intervalNanos;
            for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
                LockSupport.parkNanos(left);
            }
        }
    }

    private void send(int client, int partition) {
        long sentNanos = System.nanoTime();
        outstanding.incrementAndGet();
        var _ = clients.get(client).callAsync("COUNT_UP", keyOf(partition)).whenComplete((result, thrown) -> {
            if (thrown == null) {
                acknowledged[partition].incrementAndGet();
                answers.add(new Answer(client + 1, partition, sentNanos, System.nanoTime()));
            } else {
                failed(partition, thrown);
            }
            outstanding.decrementAndGet();
        });
    }

    private void failed(int partition, Throwable thrown) {
        Throwable cause =
                thrown instanceof CompletionException && thrown.getCause() != null ? thrown.getCause() : thrown;
        ErrorCode code = cause instanceof FulmarException error ? error.code() : ErrorCode.INTERNAL;
        failures.putIfAbsent(code, String.valueOf(cause.getMessage()));
        failed.incrementAndGet();
        if (code == ErrorCode.TIMEOUT || code == ErrorCode.OUTCOME_UNKNOWN || code == ErrorCode.INTERNAL) {
            unknown[partition].incrementAndGet();
        }
    }

    /**
     * A commit that a client was told of.
     *
     * @param node at which the client asked
     * @param sentNanos when, by {@link System#nanoTime()}
     */
    public record Served(int node, int partition, long sentNanos) {}

    /** The commits since the last time. */
    public List<Served> takeServed() {
        return takeAnswers().stream()
                .map(answer -> new Served(answer.node(), answer.partition(), answer.sentNanos()))
                .toList();
    }

    /** The answers since the last time. */
    List<Answer> takeAnswers() {
        List<Answer> taken = new ArrayList<>();
        for (Answer answer = answers.poll(); answer != null; answer = answers.poll()) {
            taken.add(answer);
        }
        return taken;
    }

    long acknowledged() {
        long sum = 0;
        for (AtomicLong count : acknowledged) {
            sum += count.get();
        }
        return sum;
    }

    /** Calls that failed, with or without effect. */
    long failed() {
        return failed.get();
    }

    /** The first message of each code. */
    public Map<ErrorCode, String> failures() {
        return failures;
    }

    /** Ends the load, waits for all answers, and compares the counters with them. Returns what is wrong. */
    public List<String> finish() throws InterruptedException {
        stopping = true;
        thread.join();
        while (outstanding.get() > 0) {
            Thread.sleep(10);
        }
        List<String> problems = new ArrayList<>();
        for (int partition = 0; partition < partitions; partition++) {
            long found = clients.getFirst()
                    .call("COUNT_OF", keyOf(partition))
                    .table()
                    .first()
                    .getLong(0);
            problemOf(partition, acknowledged[partition].get(), unknown[partition].get(), found, problems);
        }
        return problems;
    }

    /** A counter holds each acknowledged call once, and those of unknown outcome at most once. */
    static void problemOf(int partition, long acknowledged, long unknown, long found, List<String> problems) {
        if (found < acknowledged) {
            problems.add("partition " + partition + " lost " + (acknowledged - found) + " of " + acknowledged
                    + " acknowledged calls");
        } else if (found > acknowledged + unknown) {
            problems.add("partition " + partition + " has " + (found - acknowledged - unknown)
                    + " calls more than were sent or may have taken effect");
        }
    }

    @Override
    public void close() {
        stopping = true;
        clients.forEach(FulmarClient::close);
    }

    /** Whether a new client of the node is told what is on all partitions, and changes it. */
    public static boolean isAnswered(RunningCluster cluster, int node) {
        try (FulmarClient client = cluster.connect(node, 8, ANSWER_TIMEOUT)) {
            client.execute("SELECT COUNT(*) FROM COUNTER");
            return client.execute("UPDATE COUNTER SET VALUE = VALUE + 0").longValue()
                    == cluster.plan().partitions();
        } catch (FulmarException failed) {
            return false;
        }
    }
}
