package dev.fulmar.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.client.FulmarClient;
import dev.fulmar.client.ResultTable;
import dev.fulmar.client.Session;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.wire.session.Isolation;
import dev.fulmar.wire.session.TransactionMode;
import java.util.BitSet;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Transactions that only read, and cursors, by the Java client against a node. In the end nothing is held for them. */
@Timeout(120)
class ReadOnlyTransactionsTest extends LargeRows {
    private static final int PARTITIONS = 2;

    ReadOnlyTransactionsTest() {
        super(PARTITIONS, Map.of());
    }

    @Override
    boolean isAtRest() {
        return database.sessions().openTransactions() == 0
                && database.sessions().takenBytes() == 0;
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
