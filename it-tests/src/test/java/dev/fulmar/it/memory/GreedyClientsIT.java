package dev.fulmar.it.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.benchmarks.exhaustion.GreedyClient;
import dev.fulmar.benchmarks.experiment.ServerProcess;
import dev.fulmar.client.FulmarClient;
import dev.fulmar.client.ResultTable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A node with a heap of 256 MB serves everybody's small transactions while greedy clients ask for many times its
 * memory.
 */
final class GreedyClientsIT {
    private static final int CLIENTS = Integer.getInteger("fulmar.greedy.clients", 20);
    private static final int CALLS = 20;
    private static final int MEBIBYTE = 1 << 20;
    private static final int ROWS = 120;
    private static final String HEAP = System.getProperty("fulmar.greedy.heap", "256m");
    private static final long PATIENCE_NANOS = 180_000_000_000L;

    @TempDir
    private Path folder = Path.of("replaced by JUnit");

    private final List<String> said = new ArrayList<>();

    @Test
    void greedyClientsEndNoNodeAndOthersAreServed() throws Exception {
        try (ServerProcess node = ServerProcess.start(
                        folder, List.of("-Xmx" + HEAP), this::heard, "--partitions", "2", "--memory", "128m");
                FulmarClient modest = node.connect(4)) {
            modest.execute("CREATE TABLE kv (k BIGINT NOT NULL PRIMARY KEY, v VARCHAR(100000)) REPLICATED");
            modest.execute("CREATE TABLE n (k BIGINT NOT NULL PRIMARY KEY)");
            for (int row = 0; row < ROWS; row++) {
                modest.execute("INSERT INTO kv VALUES (?, ?)", (long) row, "x".repeat(100_000));
            }
            Map<String, AtomicInteger> outcomes = GreedyClient.outcomes();
            List<GreedyClient> clients = new ArrayList<>();
            List<Thread> threads = new ArrayList<>();
            List<byte[]> frames = List.of(GreedyClient.ping(14 * MEBIBYTE), GreedyClient.statement("SELECT * FROM kv"));
            for (int i = 0; i < CLIENTS; i++) {
                GreedyClient client = new GreedyClient(node.port(), CALLS);
                byte[] frame = frames.get(i % frames.size());
                clients.add(client);
                threads.add(Thread.ofPlatform().start(() -> client.send(frame)));
                if (i % 5 != 4) { // the others never read
                    threads.add(Thread.ofPlatform().start(() -> client.read(outcomes)));
                }
            }
            long done = serveWhile(modest, threads);
            for (GreedyClient client : clients) {
                client.close();
            }
            ResultTable count = modest.execute("SELECT COUNT(*) FROM n").table();
            assertThat(count.next()).isTrue();
            assertThat(count.getLong(0)).isEqualTo(done);
            awaitNothingUnderWay(modest);
            synchronized (said) {
                assertThat(said).noneMatch(line -> line.contains("OutOfMemory"));
            }
            assertThat(outcomes.keySet()).contains("done").isSubsetOf("done", "SERVER_BUSY");
        }
    }

    private long serveWhile(FulmarClient modest, List<Thread> threads) throws InterruptedException {
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        AtomicBoolean over = new AtomicBoolean();
        long done = 0;
        while (!over.get()) {
            over.set(threads.stream().noneMatch(Thread::isAlive));
            modest.execute("INSERT INTO n VALUES (?)", done);
            done++;
            Thread.sleep(20);
            assertThat(System.nanoTime()).isLessThan(deadline);
        }
        return done;
    }

    /** But for what asks. */
    private static void awaitNothingUnderWay(FulmarClient modest) throws InterruptedException {
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        long bytes = Long.MAX_VALUE;
        while (bytes > 2 << 10) {
            ResultTable figures = modest.call("@Statistics", "NODE").table();
            assertThat(figures.next()).isTrue();
            bytes = figures.getLong(figures.column("UNDER_WAY_BYTES"));
            assertThat(System.nanoTime()).isLessThan(deadline);
            Thread.sleep(20);
        }
    }

    private void heard(String line) {
        synchronized (said) {
            said.add(line);
        }
    }
}
