package dev.fulmar.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.benchmarks.run.LocalDatabase;
import dev.fulmar.client.CallResult;
import dev.fulmar.client.FulmarClient;
import dev.fulmar.client.ResultTable;
import dev.fulmar.client.Session;
import dev.fulmar.foundation.data.ResultColumn;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.wire.session.Isolation;
import dev.fulmar.wire.session.TransactionMode;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Transactions of many statements, by the Java client against a node. */
@Timeout(120)
class SessionTransactionsTest {
    private static final String READ = "SELECT balance FROM account WHERE id = ?";
    private static final String TOTAL = "SELECT SUM(balance) FROM account";
    private static final int ACCOUNTS = 20;

    @TempDir
    private Path folder = Path.of("replaced by JUnit");

    private LocalDatabase database;
    private FulmarClient client;

    @BeforeEach
    void openAccounts() {
        start();
        client.execute("CREATE TABLE account (id BIGINT NOT NULL PRIMARY KEY, balance BIGINT NOT NULL)");
        client.execute("PARTITION TABLE account ON COLUMN id");
        for (int id = 0; id < ACCOUNTS; id++) {
            client.execute("INSERT INTO account VALUES (?, 100)", id);
        }
    }

    private void start() {
        database = LocalDatabase.start(Map.of(
                "partitions", "3",
                "sites", "1",
                "memory.limit", "64m",
                "jmx", "false",
                "durability", "sync",
                "transactions.idle-timeout", "2s",
                "transactions.lease-time", "1m", // so that no lease ends by itself, however slow the machine is
                "data", folder.resolve("data").toString()));
        client = database.connect(100);
    }

    @AfterEach
    void stop() {
        client.close();
        database.close();
    }

    private long first(String sql, Object... arguments) {
        return client.execute(sql, arguments).table().first().getLong(0);
    }

    private static long first(Session session, String sql, Object... arguments) {
        return session.execute(sql, arguments).table().first().getLong(0);
    }

    private static void assertFails(ErrorCode code, ThrowingCallable statement) {
        assertThatThrownBy(statement)
                .isInstanceOfSatisfying(
                        FulmarException.class,
                        failure -> assertThat(failure.code())
                                .as(failure.getMessage())
                                .isEqualTo(code));
    }

    @Test
    void aTransactionIsThereAfterTheNodesRestart() {
        try (Session session = client.begin()) {
            long balance = first(session, READ, 3);
            session.execute("UPDATE account SET balance = ? WHERE id = 3", balance - 40);
            session.execute("UPDATE account SET balance = balance + 40 WHERE id = 4");
            session.savepoint("before the mistake");
            session.execute("DELETE FROM account");
            session.rollbackTo("before the mistake");
            assertThat(first(session, TOTAL)).isEqualTo(100L * ACCOUNTS);
            session.commit();
            assertThat(session.isOpen()).isFalse();
        }
        stop();
        start();
        assertThat(first(READ, 3)).isEqualTo(60);
        assertThat(first(READ, 4)).isEqualTo(140);
    }

    @Test
    void whatIsNotCommittedIsRolledBack() {
        try (Session session = client.begin()) {
            session.execute("DELETE FROM account");
        }
        try (Session session = client.begin()) {
            session.execute("UPDATE account SET balance = 0");
            session.rollback();
        }
        assertThat(first(TOTAL)).isEqualTo(100L * ACCOUNTS);
        assertThat(database.sessions().openTransactions()).isZero();
    }

    @Test
    void aClosedConnectionEndsItsTransactions() {
        try (FulmarClient other = database.connect(10)) {
            other.begin().execute("UPDATE account SET balance = 0");
            assertThat(database.sessions().openTransactions()).isEqualTo(1);
        }
        while (database.sessions().openTransactions() > 0) {
            Thread.onSpinWait();
        }
        assertThat(first(TOTAL)).isEqualTo(100L * ACCOUNTS);
    }

    private static List<Long> ids(Session session, String sql, Object... arguments) {
        List<Long> ids = new ArrayList<>();
        ResultTable table = session.execute(sql, arguments).table();
        while (table.next()) {
            ids.add(table.getLong(0));
        }
        return ids;
    }

    @Test
    void rowsThatOtherTransactionsHaveAreLeftOut() {
        String two = "SELECT id, balance FROM account a WHERE balance = ? ORDER BY id LIMIT 2 FOR UPDATE SKIP LOCKED";
        try (Session one = client.begin();
                Session other = client.begin()) {
            one.execute("UPDATE account SET balance = 1 WHERE id IN (4, 5)");
            assertThat(ids(one, two, 100)).containsExactly(0L, 1L);
            assertThat(ids(one, two, 1)).as("its own change counts").containsExactly(4L, 5L);
            assertThat(ids(other, two, 100)).containsExactly(2L, 3L);
            assertThat(ids(other, two, 100)).as("its own rows are not left out").containsExactly(2L, 3L);
            assertThat(ids(
                            other,
                            "SELECT id FROM account WHERE balance > 0 OR id < 9 ORDER BY balance, id DESC FETCH FIRST ?"
                                    + " ROWS ONLY FOR UPDATE OF account SKIP LOCKED",
                            3))
                    .containsExactly(19L, 18L, 17L);
            assertThat(other.execute("SELECT * FROM account WHERE balance = 3 LIMIT 5 FOR UPDATE SKIP LOCKED")
                            .table()
                            .columns())
                    .extracting(ResultColumn::name)
                    .containsExactly("ID", "BALANCE");
            one.execute("UPDATE account SET balance = 2 WHERE id = 1");
            one.commit();
            other.execute("UPDATE account SET balance = balance + 1 WHERE id = 3");
            other.commit();
        }
        assertThat(first(READ, 3)).isEqualTo(101);
    }

    /** The rows that were shown must be the same at the COMMIT, and nothing else that the query has read. */
    @Test
    void rowsThatWereShownAreKept() {
        String query = "SELECT id FROM account WHERE balance = 100 ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED";
        try (Session session = client.begin()) {
            assertThat(ids(session, query)).containsExactly(0L);
            client.execute("UPDATE account SET balance = 7 WHERE id = 1");
            client.execute("INSERT INTO account VALUES (-1, 100)");
            session.execute("UPDATE account SET balance = 8 WHERE id = 0");
            session.commit();
        }
        try (Session session = client.begin()) {
            assertThat(ids(session, query)).containsExactly(-1L);
            client.execute("UPDATE account SET balance = 9 WHERE id = -1");
            assertFails(ErrorCode.SERIALIZATION_FAILURE, () -> session.execute("DELETE FROM account WHERE id = 5"));
        }
        assertThat(database.sessions().takenBytes()).isZero();
    }

    @Test
    void aQueryOfRowsThatFailsLeavesTheTransactionAsItWas() {
        try (Session session = client.begin()) {
            session.execute("UPDATE account SET balance = 5 WHERE id = 5");
            assertFails(
                    ErrorCode.WRONG_PARAMETERS,
                    () -> session.execute("SELECT id FROM account LIMIT ? FOR UPDATE SKIP LOCKED", 1_001));
            assertFails(
                    ErrorCode.DIVISION_BY_ZERO,
                    () -> session.execute(
                            "SELECT 1 / (id - 1) FROM account ORDER BY id LIMIT 5 FOR UPDATE SKIP LOCKED"));
            assertThat(ids(session, "SELECT id FROM account LIMIT ? FOR UPDATE SKIP LOCKED", 0))
                    .isEmpty();
            session.commit();
        }
        assertThat(first(READ, 5)).isEqualTo(5);
    }

    /** Rows as a queue of work: each worker has other rows, and none fails. */
    @Test
    void workersShareRowsOut() throws Exception {
        String next = "SELECT id FROM account WHERE balance = 100 ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED";
        List<Thread> workers = new ArrayList<>();
        List<Long> done = Collections.synchronizedList(new ArrayList<>());
        List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());
        for (int i = 0; i < 4; i++) {
            workers.add(Thread.ofPlatform().start(() -> {
                try {
                    boolean found = true;
                    while (found) {
                        try (Session session = client.begin()) {
                            List<Long> ids = ids(session, next);
                            found = !ids.isEmpty();
                            for (long id : ids) {
                                session.execute("UPDATE account SET balance = balance - 1 WHERE id = ?", id);
                            }
                            session.commit();
                            done.addAll(ids);
                        }
                    }
                } catch (RuntimeException | Error e) {
                    failures.add(e);
                }
            }));
        }
        for (Thread worker : workers) {
            worker.join();
        }
        assertThat(failures).isEmpty();
        assertThat(done).hasSize(ACCOUNTS).doesNotHaveDuplicates();
        assertThat(first(TOTAL)).isEqualTo(99L * ACCOUNTS);
    }

    @Test
    void openTransactionsAreListed() {
        try (Session session = client.begin(TransactionMode.USUAL.isolation(Isolation.READ_COMMITTED))) {
            session.execute("UPDATE account SET balance = 0 WHERE id = 2");
            ResultTable open = client.call("@Statistics", "TRANSACTION").table();
            assertThat(open.rowCount()).isEqualTo(1);
            ResultTable row = open.first();
            assertThat(row.getString(row.column("CLIENT"))).startsWith("127.0.0.1:");
            assertThat(row.getString(row.column("USER_NAME"))).isEmpty();
            assertThat(Instant.parse(row.getString(row.column("SINCE"))))
                    .isBetween(Instant.now().minusSeconds(60), Instant.now());
            assertThat(row.getString(row.column("STATE"))).isEqualTo("IDLE");
            assertThat(row.getLong(row.column("STATEMENTS"))).isEqualTo(1);
            assertThat(row.getLong(row.column("BYTES")))
                    .isEqualTo(database.sessions().takenBytes());
            assertThat(row.getString(row.column("ISOLATION"))).isEqualTo("READ_COMMITTED");
        }
        client.begin().rollback();
        assertThat(client.call("@Statistics", "TRANSACTION").table().rowCount()).isZero();
    }

    /** The end of the connection ends its leases long before their time would. */
    @Test
    void aClosedConnectionEndsItsLeases() {
        FulmarClient other = database.connect(10);
        assertThat(first(other.begin(), READ + " FOR UPDATE", 5)).isEqualTo(100);
        try (Session session = client.begin()) {
            CompletableFuture<CallResult> next = session.executeAsync(READ + " FOR UPDATE", 5);
            other.close();
            assertThat(next.join().table().first().getLong(0)).isEqualTo(100);
        }
    }

    @Test
    void aRowThatAnotherTransactionHasIsLeftOut() {
        String skipping = "SELECT balance AS b, 'x' || id AS name FROM account WHERE id = 3 FOR UPDATE SKIP LOCKED";
        try (Session one = client.begin();
                Session two = client.begin()) {
            assertThat(one.execute(skipping).table().rowCount()).isEqualTo(1);
            ResultTable left = two.execute(skipping).table();
            assertThat(left.rowCount()).isZero();
            assertThat(left.columns().stream().map(ResultColumn::name)).containsExactly("B", "NAME");
            one.execute("UPDATE account SET balance = 7 WHERE id = 3");
            one.commit();
            ResultTable found = two.execute(skipping).table();
            assertThat(found.first().getLong(0)).isEqualTo(7);
            assertThat(found.columns()).isEqualTo(left.columns());
            two.commit();
        }
    }

    @Test
    void aClientThatThinksTooLongIsTold() {
        try (Session session = client.begin()) {
            session.execute("UPDATE account SET balance = 0");
            while (database.sessions().timedOut() == 0) {
                Thread.onSpinWait();
            }
            assertFails(ErrorCode.IDLE_TRANSACTION, () -> session.execute(TOTAL));
            assertThat(session.isOpen()).isFalse();
            assertFails(ErrorCode.SERIALIZATION_FAILURE, session::commit);
            assertFails(ErrorCode.NO_ACTIVE_TRANSACTION, session::commit);
        }
        assertThat(first(TOTAL)).isEqualTo(100L * ACCOUNTS);
    }

    @Test
    void statementsMayBeSentTogether() {
        try (Session session = client.begin()) {
            List<CompletableFuture<?>> sent = new ArrayList<>();
            for (int id = 0; id < ACCOUNTS; id++) {
                sent.add(session.executeAsync("UPDATE account SET balance = balance + ? WHERE id = ?", id, id));
            }
            CompletableFuture.allOf(sent.toArray(CompletableFuture[]::new)).join();
            session.commit();
        }
        assertThat(first(TOTAL)).isEqualTo(100L * ACCOUNTS + ACCOUNTS * (ACCOUNTS - 1) / 2);
    }

    /** As a driver sends a batch: they run together, else they would take minutes. */
    @Test
    @Timeout(30)
    void thousandsOfRowsAreInsertedInOneTransaction() {
        try (FulmarClient loader = database.connect(4_000);
                Session session = loader.begin()) {
            List<CompletableFuture<?>> sent = new ArrayList<>();
            for (int id = 0; id < 4_000; id++) {
                sent.add(session.executeAsync("INSERT INTO account VALUES (?, 0)", 1_000 + id));
            }
            CompletableFuture.allOf(sent.toArray(CompletableFuture[]::new)).join();
            session.commit();
        }
        assertThat(first("SELECT COUNT(*) FROM account")).isEqualTo(4_000 + ACCOUNTS);
    }

    /** Each reads two balances, and writes what it has computed of them; procedures and statements come in between. */
    @Test
    void moneyIsNeitherMadeNorLost() {
        List<CompletableFuture<Void>> all = new ArrayList<>();
        for (int worker = 0; worker < 4; worker++) {
            int seed = worker;
            all.add(CompletableFuture.runAsync(() -> transfers(seed)));
        }
        all.add(CompletableFuture.runAsync(() -> {
            for (int i = 0; i < 100; i++) {
                client.execute(
                        "UPDATE account SET balance = CASE id WHEN ? THEN balance + 3 ELSE balance - 3 END"
                                + " WHERE id IN (?, ?)",
                        i % ACCOUNTS,
                        i % ACCOUNTS,
                        (i + 1) % ACCOUNTS);
                assertThat(first(TOTAL)).isEqualTo(100L * ACCOUNTS);
            }
        }));
        CompletableFuture.allOf(all.toArray(CompletableFuture[]::new)).join();
        assertThat(first(TOTAL)).isEqualTo(100L * ACCOUNTS);
    }

    private void transfers(int seed) {
        Random random = new Random(seed);
        for (int i = 0; i < 50; i++) {
            int from = random.nextInt(ACCOUNTS);
            int to = (from + 1 + random.nextInt(ACCOUNTS - 1)) % ACCOUNTS;
            client.transaction(1_000, session -> {
                long left = first(session, READ, from) - 7;
                long right = first(session, READ, to) + 7;
                session.execute("UPDATE account SET balance = ? WHERE id = ?", left, from);
                session.execute("UPDATE account SET balance = ? WHERE id = ?", right, to);
                return left;
            });
        }
    }

    /** The helper commits what is open yet, once. */
    @Test
    void aBodyMayEndItsTransactionByItself() {
        client.transaction(session -> {
            session.execute("UPDATE account SET balance = balance + 1 WHERE id = 1");
            session.commit();
            assertFails(ErrorCode.NO_ACTIVE_TRANSACTION, session::commit);
            assertFails(ErrorCode.NO_ACTIVE_TRANSACTION, () -> session.execute(TOTAL));
            return 0;
        });
        client.transaction(session -> {
            session.execute("UPDATE account SET balance = balance + 1 WHERE id = 1");
            session.rollback();
            return 0;
        });
        assertThat(first(READ, 1)).isEqualTo(101);
        assertThat(database.sessions().openTransactions()).isZero();
    }

    @Test
    void commandsHaveMethodsOfTheirOwn() {
        try (Session session = client.begin()) {
            for (String command :
                    List.of("COMMIT", "rollback;", "END -- of it", "BEGIN ISOLATION LEVEL SERIALIZABLE")) {
                assertFails(ErrorCode.NOT_SUPPORTED, () -> session.execute(command));
            }
            session.execute("SAVEPOINT a");
        }
    }

    /** An exception of the body rolls back, and is passed on. */
    @Test
    void anExceptionRollsBack() {
        assertThatThrownBy(() -> client.transaction(session -> {
                    session.execute("DELETE FROM account");
                    throw new IllegalStateException("changed my mind");
                }))
                .hasMessage("changed my mind");
        assertThat(first(TOTAL)).isEqualTo(100L * ACCOUNTS);
    }

    /** The number that a client is shown is that of the row, though others insert in between. */
    @Test
    void numbersOfSequencesAreDrawnOnce() {
        client.execute(
                "CREATE TABLE event (owner BIGINT NOT NULL, id BIGINT GENERATED ALWAYS AS IDENTITY, note VARCHAR(20),"
                        + " PRIMARY KEY (owner, id))");
        client.execute("PARTITION TABLE event ON COLUMN owner");
        client.execute("CREATE TABLE receipt (n BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY, event BIGINT)");
        client.execute("PARTITION TABLE receipt ON COLUMN n");
        client.execute("CREATE SEQUENCE ticket START WITH 1000");
        List<Long> ids = new ArrayList<>();
        List<Long> receipts = new ArrayList<>();
        List<Long> tickets = new ArrayList<>();
        try (Session one = client.begin();
                Session two = client.begin()) {
            for (Session session : List.of(one, two, one, two)) {
                long id = first(session, "INSERT INTO event (owner, note) VALUES (7, 'it''s') RETURNING id");
                long receipt = first(session, "INSERT INTO receipt (event) VALUES (?) RETURNING n", id);
                long ticket = first(session, "SELECT NEXT VALUE FOR ticket");
                session.execute(
                        "INSERT INTO event (owner, note) VALUES (?, 'a'), (?, 'b'), (9, 'ticket ' || ?)",
                        8,
                        9,
                        "" + ticket);
                client.execute("INSERT INTO event (owner, note) VALUES (7, 'another')");
                client.execute("INSERT INTO receipt (event) VALUES (0)");
                ids.add(id);
                receipts.add(receipt);
                tickets.add(ticket);
                assertThat(first(session, "SELECT COUNT(*) FROM event WHERE id = ?", id))
                        .isEqualTo(1);
            }
            one.commit();
            two.commit();
        }
        assertThat(ids).doesNotHaveDuplicates();
        assertThat(receipts).doesNotHaveDuplicates();
        assertThat(tickets).doesNotHaveDuplicates();
        for (int i = 0; i < ids.size(); i++) {
            assertThat(first(
                            "SELECT COUNT(*) FROM event e JOIN receipt r ON r.event = e.id WHERE e.id = ? AND r.n = ?",
                            ids.get(i),
                            receipts.get(i)))
                    .isEqualTo(1);
        }
        assertThat(first("SELECT COUNT(*) FROM event")).isEqualTo(4 * 5);
        assertThat(first("SELECT COUNT(DISTINCT id) FROM event WHERE owner = 7"))
                .isEqualTo(8);
    }

    /** Clients name sequences and statements by their own means only. */
    @Test
    void numbersThatAreDrawnAheadNeedRights() {
        assertFails(ErrorCode.UNKNOWN_OBJECT, () -> client.execute("SELECT NEXT VALUE FOR \"#999\""));
        assertFails(ErrorCode.SYNTAX, () -> client.execute("\u0002SELECT 1"));
        try (Session session = client.begin()) {
            assertFails(ErrorCode.SYNTAX, () -> session.execute("\u0002SELECT 1"));
        }
    }

    @Test
    void aRowThatIsReadForUpdateIsKeptAtTheWeakerLevel() {
        TransactionMode weak = TransactionMode.USUAL.isolation(Isolation.READ_COMMITTED);
        try (Session one = client.begin(weak);
                Session two = client.begin(weak)) {
            long seen = first(one, READ + " FOR UPDATE", 3);
            assertFails(ErrorCode.LOCK_NOT_AVAILABLE, () -> two.execute(READ + " FOR UPDATE NOWAIT", 3));
            CompletableFuture<?> waiting = two.executeAsync(READ + " FOR UPDATE", 3);
            one.execute("UPDATE account SET balance = ? WHERE id = 3", seen + 1);
            one.commit();
            waiting.join();
            assertThat(first(two, READ, 3)).isEqualTo(seen + 1);
            two.commit();
        }
    }
}
