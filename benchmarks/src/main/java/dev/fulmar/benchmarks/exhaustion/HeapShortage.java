package dev.fulmar.benchmarks.exhaustion;

import dev.fulmar.client.FulmarClient;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/** Greedy clients send and ask for many times the node's heap, call after call, and some of them never read. */
final class HeapShortage implements Shortage {
    private static final int MEBIBYTE = 1 << 20;
    private static final int CALLS = 1 << 20;
    private static final int ROWS = 120;
    private static final int ROW_BYTES = 100_000;
    private static final Duration CALL_TIMEOUT = Duration.ofSeconds(20);

    /** Of so many clients one never reads. */
    private static final int READERS = 5;

    private final int heapMebibytes;
    private final int clients;
    private final List<GreedyClient> greedy = new ArrayList<>();
    private final Map<String, AtomicInteger> outcomes = GreedyClient.outcomes();

    HeapShortage(int heapMebibytes, int clients) {
        this.heapMebibytes = heapMebibytes;
        this.clients = clients;
    }

    @Override
    public String name() {
        return "heap of " + heapMebibytes + " MB, " + clients + " clients";
    }

    @Override
    public Optional<String> obstacle() {
        return Optional.empty();
    }

    @Override
    public List<String> javaOptions() {
        return List.of("-Xmx" + heapMebibytes + "m");
    }

    @Override
    public Set<Integer> statuses() {
        return Set.of(BROKEN);
    }

    @Override
    public void prepare(Path directory) {
        // The clients come later.
    }

    @Override
    public void begin(Victim victim) throws IOException {
        try (FulmarClient client = victim.cluster().connect(victim.node(), 1, CALL_TIMEOUT)) {
            client.execute("CREATE TABLE WIDE (ID BIGINT NOT NULL PRIMARY KEY, CONTENT VARCHAR(" + ROW_BYTES
                    + ")) REPLICATED");
            for (long row = 0; row < ROWS; row++) {
                client.execute("INSERT INTO WIDE VALUES (?, ?)", row, "x".repeat(ROW_BYTES));
            }
        }
        List<byte[]> frames = List.of(GreedyClient.ping(14 * MEBIBYTE), GreedyClient.statement("SELECT * FROM WIDE"));
        for (int i = 0; i < clients; i++) {
            GreedyClient client = new GreedyClient(victim.clientPort(), CALLS);
            greedy.add(client);
            byte[] frame = frames.get(i % frames.size());
            Thread.ofVirtual().start(() -> client.send(frame));
            if (i % READERS != READERS - 1) {
                Thread.ofVirtual().start(() -> client.read(outcomes));
            }
        }
    }

    @Override
    public void press(Victim victim) {
        // The clients press by themselves.
    }

    /** Whether the clients sent more than the heap could hold. */
    @Override
    public boolean isReached(Victim victim) {
        return greedy.stream().mapToLong(GreedyClient::sentBytes).sum() > (long) heapMebibytes * MEBIBYTE;
    }

    @Override
    public void end(Victim victim) throws IOException {
        close();
    }

    @Override
    public void close() throws IOException {
        for (GreedyClient client : greedy) {
            client.close();
        }
        greedy.clear();
    }
}
