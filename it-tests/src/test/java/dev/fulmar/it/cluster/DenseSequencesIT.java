package dev.fulmar.it.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.client.FulmarClient;
import dev.fulmar.client.ResultTable;
import dev.fulmar.foundation.error.FulmarException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Nodes of one cluster draw numbers of the same sequences, and one is killed. */
@Timeout(300)
class DenseSequencesIT {
    private static final String SCHEMA = """
            CREATE TABLE orders (id INTEGER GENERATED ALWAYS AS IDENTITY (CACHE 7) PRIMARY KEY, item VARCHAR(10));
            PARTITION TABLE orders ON COLUMN id;
            CREATE SEQUENCE ticket CACHE 50;
            CREATE TABLE stock (n INTEGER NOT NULL PRIMARY KEY);
            PARTITION TABLE stock ON COLUMN n;
            """;
    private static final int DRAWS = 50;

    /** Of a transaction: the node may not know yet which one serves a partition after the kill. */
    private static final int ATTEMPTS = 1_000;

    private static final long PATIENCE_NANOS = 60_000_000_000L;

    private final Set<Long> tickets = new ConcurrentSkipListSet<>();

    @TempDir
    private Path folder;

    private static long number(ResultTable table) {
        return table.first().getLong(0);
    }

    private long ticket(FulmarClient client) {
        long drawn = number(client.execute("SELECT nextval('ticket')").table());
        assertThat(tickets.add(drawn)).as("%s is new", drawn).isTrue();
        return drawn;
    }

    private void draw(FulmarClient client) {
        for (int i = 0; i < DRAWS; i++) {
            ticket(client);
            client.execute("INSERT INTO orders (item) VALUES (?)", "one");
            client.transaction(
                    ATTEMPTS, session -> session.execute("INSERT INTO orders (item) VALUES ('two'), ('three')"));
        }
    }

    /** Rows of a query that is on all partitions draw as many numbers. */
    private static void drawForRows(FulmarClient client) {
        for (int i = 0; i < DRAWS; i++) {
            client.execute("INSERT INTO orders (item) SELECT 'row' FROM stock");
            client.transaction(ATTEMPTS, session -> {
                session.execute("INSERT INTO orders (item) VALUES ('one')");
                return session.execute(
                        "INSERT INTO orders (item) SELECT \'own\' FROM stock WHERE n < 3 ORDER BY n RETURNING id");
            });
        }
    }

    private static void together(List<Runnable> clients) throws Exception {
        try (ExecutorService threads = Executors.newFixedThreadPool(clients.size())) {
            List<Future<?>> running = new ArrayList<>();
            clients.forEach(client -> running.add(threads.submit(client)));
            for (Future<?> each : running) {
                each.get();
            }
        }
    }

    private void drawFromBoth(FulmarClient one, FulmarClient other) throws Exception {
        together(List.of(() -> draw(one), () -> draw(other)));
    }

    /** A statement fails while the killed node's partitions have no primary. */
    private void drawWhenThereIsAPrimary(FulmarClient client) {
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        while (true) {
            try {
                ticket(client);
                client.execute("INSERT INTO orders (item) VALUES ('after')");
                return;
            } catch (FulmarException e) {
                assertThat(System.nanoTime() - deadline).as(e.getMessage()).isNegative();
            }
        }
    }

    @Test
    void nodesDrawDifferentNumbers() throws Exception {
        Path schema = Files.writeString(folder.resolve("schema.sql"), SCHEMA);
        try (StartedCluster cluster = StartedCluster.start(folder, 2, 3, List.of(schema), "64m");
                FulmarClient first = cluster.connectOnlyTo(1);
                FulmarClient second = cluster.connectOnlyTo(2)) {
            drawFromBoth(first, second);
            assertThat(tickets).hasSize(2 * DRAWS);
            assertThat(new TreeSet<>(tickets).last())
                    .as("what each node has not used is a gap")
                    .isLessThan(2 * DRAWS + 2 * 50);
            assertThat(number(first.execute("SELECT COUNT(*) FROM orders").table()))
                    .isEqualTo(6 * DRAWS);
            first.execute("INSERT INTO stock VALUES (1), (2), (3), (4), (5)");
            together(List.of(() -> drawForRows(first), () -> drawForRows(second)));
            assertThat(number(first.execute("SELECT COUNT(*) FROM orders").table()))
                    .as("each row of a query has a number of its own")
                    .isEqualTo((6 + 16) * DRAWS);
            for (long value = 10_000; value < 20_000; value += 1_000) {
                assertThat(number(first.execute("SELECT setval('ticket', " + value + ")")
                                .table()))
                        .isEqualTo(value);
                assertThat(ticket(second)).isGreaterThan(value);
                assertThat(ticket(first)).isGreaterThan(value);
            }
            cluster.kill(1);
            drawWhenThereIsAPrimary(second);
            cluster.awaitWithout(1);
            draw(second);
            cluster.startNode(1);
            cluster.awaitInSync();
            try (FulmarClient again = cluster.connectOnlyTo(1)) {
                drawFromBoth(again, second);
            }
        }
    }
}
