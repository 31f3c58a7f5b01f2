package dev.fulmar.it.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.client.CallResult;
import dev.fulmar.client.ResultTable;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.wire.session.Isolation;
import dev.fulmar.wire.session.TransactionMode;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The client runs a transaction again while others are in its way, and only then. */
@Timeout(180)
class RetriedTransactionsTest extends DurableNodeFixture {
    private static final TransactionMode SNAPSHOT = TransactionMode.USUAL.isolation(Isolation.SNAPSHOT);

    private final AtomicInteger runs = new AtomicInteger();

    RetriedTransactionsTest() {
        super(2);
    }

    @BeforeEach
    void fill() {
        client.execute("CREATE TABLE counter (id BIGINT NOT NULL PRIMARY KEY, n BIGINT NOT NULL)");
        client.execute("INSERT INTO counter VALUES (1, 0), (2, 0)");
    }

    private static long first(CallResult result) {
        ResultTable table = result.table();
        assertThat(table.next()).isTrue();
        return table.getLong(0);
    }

    private long increment(TransactionMode mode) {
        return client.transaction(mode, session -> {
            runs.incrementAndGet();
            long next = first(session.execute("SELECT n FROM counter WHERE id = 1")) + 1;
            session.execute("UPDATE counter SET n = ? WHERE id = 1", next);
            return next;
        });
    }

    @Test
    void eachOfSeveralClientsCounts() {
        List<CompletableFuture<Void>> clients = new ArrayList<>();
        for (TransactionMode mode : List.of(TransactionMode.USUAL, SNAPSHOT, SNAPSHOT)) {
            clients.add(CompletableFuture.runAsync(
                    () -> {
                        for (int i = 0; i < 30; i++) {
                            increment(mode);
                        }
                    },
                    Thread::startVirtualThread));
        }
        CompletableFuture.allOf(clients.toArray(CompletableFuture[]::new)).join();

        assertThat(number("SELECT n FROM counter WHERE id = 1")).isEqualTo(90);
        assertThat(runs.get()).isGreaterThanOrEqualTo(90);
    }

    @Test
    void aTransactionInWhoseWayAnotherWasRunsAgain() {
        long seen = client.transaction(SNAPSHOT, session -> {
            long before = first(session.execute("SELECT n FROM counter WHERE id = 1"));
            if (runs.incrementAndGet() < 3) {
                client.execute("UPDATE counter SET n = n + 1 WHERE id = 1");
            }
            session.execute("UPDATE counter SET n = 100 WHERE id = 1");
            return before;
        });

        assertThat(runs).hasValue(3);
        assertThat(seen).isEqualTo(2);
    }

    @Test
    void theLastAttemptFailsAsItIs() {
        fails(
                ErrorCode.SERIALIZATION_FAILURE,
                () -> client.transaction(SNAPSHOT, 2, session -> {
                    runs.incrementAndGet();
                    session.execute("SELECT n FROM counter WHERE id = 1");
                    session.execute("UPDATE counter SET n = 100 WHERE id = 1");
                    return client.execute("UPDATE counter SET n = n + 1 WHERE id = 1");
                }));

        assertThat(runs).hasValue(2);
        assertThat(number("SELECT n FROM counter WHERE id = 1")).isEqualTo(2);
    }

    @Test
    void aTransactionThatOnlyReadsSeesOneStateAndChangesNothing() {
        long sum = client.transaction(TransactionMode.READ_ONLY, session -> {
            long one = first(session.execute("SELECT n FROM counter WHERE id = 1"));
            client.execute("UPDATE counter SET n = n + 1");
            return one + first(session.execute("SELECT n FROM counter WHERE id = 2"));
        });
        assertThat(sum).isZero();

        fails(
                ErrorCode.READ_ONLY_TRANSACTION,
                () -> client.transaction(TransactionMode.READ_ONLY, session -> {
                    runs.incrementAndGet();
                    return session.execute("UPDATE counter SET n = 7");
                }));
        assertThat(runs).as("it would fail again").hasValue(1);
    }

    @Test
    void whatTheBodyThrowsRollsBackAndIsNotTriedAgain() {
        assertThatThrownBy(() -> client.transaction(session -> {
                    runs.incrementAndGet();
                    session.execute("UPDATE counter SET n = 7 WHERE id = 1");
                    throw new IllegalStateException("of the body");
                }))
                .isInstanceOf(IllegalStateException.class);

        assertThat(runs).hasValue(1);
        assertThat(number("SELECT n FROM counter WHERE id = 1")).isZero();
    }
}
