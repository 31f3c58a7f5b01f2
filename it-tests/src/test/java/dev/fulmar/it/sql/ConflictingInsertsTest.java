package dev.fulmar.it.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.client.FulmarClient;
import dev.fulmar.client.Session;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** INSERT ... ON CONFLICT with parameters, in transactions and by several clients at once. */
@Timeout(120)
class ConflictingInsertsTest extends DurableNodeFixture {
    private static final String ADD = "INSERT INTO counter VALUES (?, ?, ?) ON CONFLICT (id) DO UPDATE"
            + " SET n = counter.n + EXCLUDED.n + ?, note = ? WHERE counter.n < ?";

    private static final int CLIENTS = 4;

    private final AtomicInteger ids = new AtomicInteger();

    ConflictingInsertsTest() {
        super(3);
    }

    private void createCounter() {
        client.execute("CREATE TABLE counter (id INTEGER NOT NULL PRIMARY KEY, n INTEGER NOT NULL, note VARCHAR(5))");
    }

    private List<String> counters() {
        return ResultRows.of(client, "SELECT id, n, note FROM counter ORDER BY id", " ");
    }

    @Test
    void parametersOfTheClauseFollowThoseOfTheInsert() {
        createCounter();
        assertThat(client.execute(ADD, 1, 10, "a", 100, "b", 50).longValue()).isEqualTo(1);
        assertThat(counters()).containsExactly("1 10 a");
        assertThat(client.execute(ADD, 1, 20, "a", 100, "b", 50).longValue()).isEqualTo(1);
        assertThat(counters()).containsExactly("1 130 b");
        assertThat(client.execute(ADD, 1, 20, "a", 100, "c", 50).longValue()).isZero();
        assertThatThrownBy(() -> client.execute(ADD, 1, 20, "a", 100, "too long", 500))
                .isInstanceOfSatisfying(
                        FulmarException.class,
                        failure -> assertThat(failure.code()).isEqualTo(ErrorCode.STRING_TOO_LONG))
                .hasMessageContaining("NOTE");
        assertThat(counters()).containsExactly("1 130 b");
        restart();
        assertThat(counters()).containsExactly("1 130 b");
    }

    @Test
    void literalsMeanTheSameAsParameters() {
        createCounter();
        for (int i = 0; i < 3; i++) {
            client.execute(
                    "INSERT INTO counter VALUES (" + i % 2 + ", " + i + ", 'a') ON CONFLICT (id) DO UPDATE SET n = "
                            + (100 + i) + ", note = 'b" + i + "' WHERE counter.note = 'a'");
        }
        assertThat(counters()).containsExactly("0 102 b2", "1 1 a");
    }

    @Test
    void aTransactionSeesItsOwnRow() {
        createCounter();
        client.execute("INSERT INTO counter VALUES (1, 1, NULL)");
        try (Session session = client.begin()) {
            session.execute(ADD, 1, 1, null, 0, "x", 10);
            session.execute(ADD, 2, 5, null, 0, "x", 10);
            session.execute(ADD, 2, 5, null, 0, "y", 10);
            assertThat(counters()).containsExactly("1 1 null");
            session.commit();
        }
        assertThat(counters()).containsExactly("1 2 x", "2 10 y");
        try (Session session = client.begin()) {
            session.execute(ADD, 3, 5, null, 0, "x", 10);
        }
        assertThat(counters()).hasSize(2);
    }

    @Test
    void aRowThatAnotherOneChangesMeanwhileIsInTheWayOfASnapshot() {
        createCounter();
        client.execute("INSERT INTO counter VALUES (1, 1, NULL)");
        try (Session session = client.begin()) {
            session.execute("SET TRANSACTION ISOLATION LEVEL SNAPSHOT");
            session.execute(ADD, 1, 1, null, 0, "x", 10);
            client.execute("UPDATE counter SET n = 5 WHERE id = 1");
            fails(ErrorCode.SERIALIZATION_FAILURE, session::commit);
        }
        try (Session session = client.begin()) {
            session.execute("INSERT INTO counter VALUES (1, 1, 'y') ON CONFLICT DO NOTHING");
            client.execute("DELETE FROM counter WHERE id = 1");
            fails(ErrorCode.SERIALIZATION_FAILURE, session::commit);
        }
        assertThat(counters()).isEmpty();
    }

    // Keys over partitions.

    private static final String VISIT = "INSERT INTO visit (id, mail, n) VALUES (?, ?, ?) ON CONFLICT (mail) DO UPDATE"
            + " SET n = visit.n + EXCLUDED.n + ? WHERE visit.n < ? RETURNING id, n";

    private void createVisit() {
        client.execute("CREATE TABLE visit (id INTEGER NOT NULL PRIMARY KEY, mail VARCHAR(9) UNIQUE, n INTEGER)");
    }

    private List<String> visits() {
        return ResultRows.of(client, "SELECT id, mail, n FROM visit ORDER BY id", " ");
    }

    private List<String> visit(@Nullable Object... parameters) {
        return ResultRows.of(client.execute(VISIT, parameters).table(), " ");
    }

    @Test
    void aKeyOverPartitionsTakesParameters() {
        createVisit();
        assertThat(visit(1, "ann", 10, 100, 50)).containsExactly("1 10");
        assertThat(visit(2, "ann", 20, 100, 50)).containsExactly("1 130");
        assertThat(visit(3, "ann", 20, 100, 50)).isEmpty();
        assertThat(visit(4, null, 20, 100, 50)).containsExactly("4 20");
        assertThat(visit(5, null, 20, 100, 50)).containsExactly("5 20");
        fails(ErrorCode.STRING_TOO_LONG, () -> client.execute(VISIT, 6, "too long for it", 1, 1, 1));
        fails(ErrorCode.UNIQUE_VIOLATION, () -> client.execute(VISIT, 1, "bob", 1, 1, 1));
        restart();
        assertThat(visits()).containsExactly("1 ann 130", "4 null 20", "5 null 20");
    }

    @Test
    void aTransactionSeesItsOwnKeyOverPartitions() {
        createVisit();
        try (Session session = client.begin()) {
            session.execute(VISIT, 1, "ann", 1, 0, 9);
            session.execute(VISIT, 2, "ann", 2, 0, 9);
            session.execute("INSERT INTO visit VALUES (3, 'ann', 0) ON CONFLICT (mail) DO NOTHING");
            assertThat(visits()).isEmpty();
            session.commit();
        }
        assertThat(visits()).containsExactly("1 ann 3");
        try (Session session = client.begin()) {
            assertThat(session.execute("INSERT INTO visit VALUES (3, 'ann', 0) ON CONFLICT (mail) DO NOTHING")
                            .longValue())
                    .isZero();
            client.execute("DELETE FROM visit");
            fails(ErrorCode.SERIALIZATION_FAILURE, session::commit);
        }
        assertThat(visits()).isEmpty();
    }

    /** All clients' rows have ids of their own, and meet by their keys. */
    @Test
    void noneOfManyClientsFailsByAKeyOverPartitions() throws Exception {
        createVisit();
        inParallel(
                40,
                (own, row) -> own.execute(
                        "INSERT INTO visit VALUES (?, ?, 1) ON CONFLICT (mail) DO UPDATE SET n = visit.n + EXCLUDED.n",
                        ids.incrementAndGet(),
                        "m" + row));
        assertThat(ResultRows.of(client, "SELECT COUNT(*), MIN(n), MAX(n) FROM visit", " "))
                .containsExactly("40 " + CLIENTS + " " + CLIENTS);
    }

    /** Each client's row is either the first one, or added to it. */
    @Test
    void noneOfManyClientsFails() throws Exception {
        createCounter();
        inParallel(
                200,
                (own, row) -> own.execute(
                        "INSERT INTO counter VALUES (?, 1, NULL) ON CONFLICT (id) DO UPDATE"
                                + " SET n = counter.n + EXCLUDED.n",
                        row));
        assertThat(ResultRows.of(client, "SELECT COUNT(*), MIN(n), MAX(n) FROM counter", " "))
                .containsExactly("200 " + CLIENTS + " " + CLIENTS);
    }

    /** A statement of one of the clients. */
    private interface Work {
        void run(FulmarClient own, int row);
    }

    private void inParallel(int each, Work work) throws Exception {
        try (ExecutorService threads = Executors.newFixedThreadPool(CLIENTS)) {
            CountDownLatch start = new CountDownLatch(1);
            List<Future<?>> ended = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                ended.add(threads.submit(() -> {
                    try (FulmarClient own = SmallNode.connect(node)) {
                        start.await();
                        for (int row = 0; row < each; row++) {
                            work.run(own, row);
                        }
                    }
                    return null;
                }));
            }
            start.countDown();
            for (Future<?> one : ended) {
                one.get();
            }
        }
    }
}
