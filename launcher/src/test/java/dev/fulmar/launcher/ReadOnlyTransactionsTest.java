package dev.fulmar.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.benchmarks.run.LocalDatabase;
import dev.fulmar.client.CallResult;
import dev.fulmar.client.FulmarClient;
import dev.fulmar.client.ResultTable;
import dev.fulmar.client.Session;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.wire.session.Isolation;
import dev.fulmar.wire.session.TransactionMode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Transactions that only read, and cursors, by the Java client against a node. In the end nothing is held for them. */
@Timeout(120)
class ReadOnlyTransactionsTest {
    private static final int PARTITIONS = 2;
    private static final int LARGE_BYTES = 100_000;
    private static final int LARGE_ROWS = 2_000;
    private static final long MEBIBYTE = 1 << 20;
    private static final String ALL = "SELECT id, version, content FROM document";

    private LocalDatabase database;
    private FulmarClient client;

    @BeforeEach
    void start() {
        database = LocalDatabase.start(Map.of(
                "partitions", Integer.toString(PARTITIONS),
                "sites", "1",
                "memory.limit", "1g",
                "jmx", "false",
                "requests.memory-limit", "32m"));
        client = database.connect(100);
        client.execute("CREATE TABLE document (id BIGINT NOT NULL PRIMARY KEY, version BIGINT NOT NULL,"
                + " content VARBINARY(200000))");
        client.execute("PARTITION TABLE document ON COLUMN id");
    }

    @AfterEach
    void stop() {
        await(() -> database.sessions().openTransactions() == 0);
        await(() -> database.sessions().takenBytes() == 0);
        await(() -> readers() == 0);
        client.close();
        await(() -> database.database().underWay().underWayBytes() == 0);
        database.close();
    }

    private static void await(BooleanSupplier condition) {
        while (!condition.getAsBoolean()) { // the test's time-out ends it
            Thread.onSpinWait();
        }
    }

    private long readers() {
        long readers = 0;
        for (int partition = 0; partition < PARTITIONS; partition++) {
            readers += database.database()
                    .figures()
                    .partition(partition)
                    .snapshotsActive
                    .get();
        }
        return readers;
    }

    private void fill(int rows, int bytes) {
        List<CompletableFuture<CallResult>> sent = new ArrayList<>();
        for (int id = 0; id < rows; id++) {
            byte[] content = new byte[bytes];
            Arrays.fill(content, (byte) id);
            sent.add(client.callAsync("DOCUMENT.insert", id, 1, content));
        }
        sent.forEach(CompletableFuture::join);
    }

    private static void assertFails(ErrorCode code, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        FulmarException.class,
                        failure -> assertThat(failure.code())
                                .as(failure.getMessage())
                                .isEqualTo(code));
    }

    private static long first(Session session, String sql, Object... arguments) {
        return session.execute(sql, arguments).table().first().getLong(0);
    }

    /** The result takes 200 MB, six times what the node may have under way, and rows change while it is read. */
    @Test
    void aCursorReadsAResultBeyondEveryLimitWithALittleMemory() {
        fill(LARGE_ROWS, LARGE_BYTES);
        AtomicBoolean ends = new AtomicBoolean();
        Thread changes = Thread.ofPlatform().start(() -> {
            for (int id = 0; !ends.get(); id = (id + 1) % LARGE_ROWS) {
                client.execute("UPDATE document SET version = version + 1 WHERE id = ?", id);
            }
        });
        BitSet seen = new BitSet();
        long most = 0;
        try (Session session = client.begin(TransactionMode.READ_ONLY)) {
            long versions = first(session, "SELECT SUM(version) FROM document");
            long read = 0;
            session.execute("DECLARE all_documents CURSOR FOR " + ALL);
            ResultTable part;
            do {
                part = session.execute("FETCH 10 FROM all_documents").table();
                while (part.next()) {
                    int id = part.getInt(0);
                    assertThat(seen.get(id)).isFalse();
                    seen.set(id);
                    read += part.getLong(1);
                    assertThat(part.getByteCount(2)).isEqualTo(LARGE_BYTES);
                }
                most = Math.max(most, database.database().underWay().underWayBytes());
                assertThat(database.sessions().takenBytes()).isLessThan(MEBIBYTE / 4);
            } while (part.rowCount() > 0);
            assertThat(read).as("the cursor and the query see one state").isEqualTo(versions);
            session.commit();
        } finally {
            ends.set(true);
        }
        await(() -> !changes.isAlive());
        assertThat(seen.cardinality()).isEqualTo(LARGE_ROWS);
        assertThat(most).isBetween(MEBIBYTE / 2, 12 * MEBIBYTE);
        try (Session session = client.begin()) {
            assertFails(ErrorCode.RESULT_TOO_LARGE, () -> session.execute("DECLARE c CURSOR FOR " + ALL));
            session.commit();
        }
    }

    @Test
    void queriesOfAnyPlanSeeOneState() {
        fill(60, 10);
        String pairs = "SELECT COUNT(*) FROM document a, document b WHERE a.version = b.version";
        String groups = "SELECT COUNT(*) FROM (SELECT version FROM document GROUP BY version) g";
        try (Session session = client.begin(TransactionMode.READ_ONLY)) {
            assertThat(first(session, pairs)).isEqualTo(3_600);
            client.execute("UPDATE document SET version = id");
            client.execute("DELETE FROM document WHERE id > 30");
            assertThat(first(session, pairs)).isEqualTo(3_600);
            assertThat(first(session, groups)).isEqualTo(1);
            assertThat(first(session, "SELECT MAX(id) FROM document WHERE version = 1"))
                    .isEqualTo(59);
            assertFails(ErrorCode.DIVISION_BY_ZERO, () -> session.execute("SELECT 1 / (version - 1) FROM document"));
            assertFails(ErrorCode.UNKNOWN_OBJECT, () -> session.execute("SELECT * FROM nothing"));
            assertFails(ErrorCode.READ_ONLY_TRANSACTION, () -> session.execute("DROP TABLE document"));
            assertFails(ErrorCode.READ_ONLY_TRANSACTION, () -> session.execute("DELETE FROM document"));
            assertFails(ErrorCode.UNKNOWN_OBJECT, () -> session.execute("DECLARE c CURSOR FOR SELECT * FROM nothing"));
            assertThat(first(session, groups)).isEqualTo(1);
            session.commit();
        }
        try (Session session = client.begin(TransactionMode.READ_ONLY)) {
            assertThat(first(session, groups)).isEqualTo(31);
            session.commit();
        }
    }

    @Test
    void itsTimeIsThatOfItsBegin() throws InterruptedException {
        fill(1, 10);
        String time = "SELECT CAST(CURRENT_TIMESTAMP AS VARCHAR(40)) FROM document";
        for (Isolation isolation : Isolation.values()) {
            try (Session session = client.begin(TransactionMode.READ_ONLY.isolation(isolation))) {
                String begun = session.execute(time).table().first().getString(0);
                Thread.sleep(5);
                assertThat(session.execute(time).table().first().getString(0)).isEqualTo(begun);
                session.execute("DECLARE c CURSOR FOR " + time);
                assertThat(session.execute("FETCH c").table().first().getString(0))
                        .isEqualTo(begun);
                session.commit();
            }
        }
    }

    @Test
    void theLastNumberOfASequenceIsKnown() {
        client.execute("CREATE SEQUENCE numbers CACHE 10");
        try (FulmarClient single = FulmarClient.builder()
                .hosts("127.0.0.1:" + database.port())
                .connectionsPerHost(1)
                .connect()) {
            long drawn =
                    single.execute("SELECT nextval('numbers')").table().first().getLong(0);
            try (Session session = single.begin(TransactionMode.READ_ONLY)) {
                assertThat(first(session, "SELECT currval('numbers')")).isEqualTo(drawn);
                assertThat(first(session, "SELECT lastval()")).isEqualTo(drawn);
                assertFails(ErrorCode.READ_ONLY_TRANSACTION, () -> session.execute("SELECT nextval('numbers')"));
                assertThat(first(session, "SELECT currval('numbers')")).isEqualTo(drawn);
                session.commit();
            }
        }
    }

    @Test
    void outsideOfATransactionThereIsNoCursor() {
        assertFails(ErrorCode.NO_ACTIVE_TRANSACTION, () -> client.execute("DECLARE c CURSOR FOR " + ALL));
        for (String sql : new String[] {"FETCH 5 FROM c", "MOVE 5 FROM c", "CLOSE c"}) {
            assertFails(ErrorCode.UNKNOWN_CURSOR, () -> client.execute(sql));
        }
    }
}
