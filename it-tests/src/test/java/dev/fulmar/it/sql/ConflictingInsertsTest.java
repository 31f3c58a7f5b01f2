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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** INSERT ... ON CONFLICT with parameters, in transactions and by several clients at once. */
@Timeout(120)
class ConflictingInsertsTest extends DurableNodeFixture {
    private static final String ADD = "INSERT INTO counter VALUES (?, ?, ?) ON CONFLICT (id) DO UPDATE"
            + " SET n = counter.n + EXCLUDED.n + ?, note = ? WHERE counter.n < ?";

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

    /** Each client's row is either the first one, or added to it. */
    @Test
    void noneOfManyClientsFails() throws Exception {
        createCounter();
        int clients = 4;
        int each = 200;
        try (ExecutorService threads = Executors.newFixedThreadPool(clients)) {
            CountDownLatch start = new CountDownLatch(1);
            List<Future<?>> ended = new ArrayList<>();
            for (int i = 0; i < clients; i++) {
                ended.add(threads.submit(() -> {
                    try (FulmarClient own = SmallNode.connect(node)) {
                        start.await();
                        for (int row = 0; row < each; row++) {
                            own.execute(
                                    "INSERT INTO counter VALUES (?, 1, NULL) ON CONFLICT (id) DO UPDATE"
                                            + " SET n = counter.n + EXCLUDED.n",
                                    row);
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
        assertThat(ResultRows.of(client, "SELECT COUNT(*), MIN(n), MAX(n) FROM counter", " "))
                .containsExactly(each + " " + clients + " " + clients);
    }
}
