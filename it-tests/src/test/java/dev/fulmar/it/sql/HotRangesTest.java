package dev.fulmar.it.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.client.FulmarClient;
import dev.fulmar.client.Session;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.node.wiring.FulmarNode;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Many sessions that all read one range and then add to it: each adds a phantom to what the others have read. */
@Timeout(120)
class HotRangesTest {
    private static final int PARTITIONS = 4;
    private static final int CLIENTS = 8;
    private static final int BOOKINGS_EACH = 8;
    private static final int BOOKINGS = CLIENTS * BOOKINGS_EACH;

    private FulmarNode node;
    private FulmarClient client;

    @BeforeEach
    void start() {
        node = SmallNode.start(PARTITIONS);
        client = SmallNode.connect(node);
        client.execute(
                "CREATE TABLE booking (id BIGINT NOT NULL PRIMARY KEY, room INTEGER NOT NULL, seat INTEGER NOT NULL)"
                        + " PARTITION ON COLUMN id");
        client.execute("CREATE TABLE visit (room INTEGER NOT NULL, seat INTEGER NOT NULL, PRIMARY KEY (room, seat))"
                + " PARTITION ON COLUMN room");
    }

    @AfterEach
    void stop() {
        client.close();
        node.close();
    }

    /** Runs all transactions, and returns how many had to be run again. */
    private int retries(String query, String insert) {
        AtomicInteger ids = new AtomicInteger();
        AtomicInteger retries = new AtomicInteger();
        List<CompletableFuture<Void>> clients = IntStream.range(0, CLIENTS)
                .mapToObj(number -> CompletableFuture.runAsync(
                        () -> {
                            for (int done = 0; done < BOOKINGS_EACH; ) {
                                if (books(query, insert, ids)) {
                                    done++;
                                } else {
                                    retries.incrementAndGet();
                                }
                            }
                        },
                        task -> Thread.ofVirtual().start(task)))
                .toList();
        clients.forEach(CompletableFuture::join);
        return retries.get();
    }

    private boolean books(String query, String insert, AtomicInteger ids) {
        try (Session session = client.begin()) {
            long taken = session.execute(query).table().first().getLong(0);
            session.execute(insert.replace("ID", String.valueOf(ids.incrementAndGet())), taken);
            session.commit();
            return true;
        } catch (FulmarException failure) {
            assertThat(failure.code()).as(failure.getMessage()).isEqualTo(ErrorCode.SERIALIZATION_FAILURE);
            return false;
        }
    }

    /** A lease that ended under a slow client costs a retry, so there may be some. */
    private void takesTurns(String query, String insert, String table) {
        int queued = retries(query + " FOR UPDATE", insert);
        assertThat(count(table)).isEqualTo(BOOKINGS);
        client.execute("DELETE FROM " + table);
        int unqueued = retries(query, insert);
        assertThat(count(table)).isEqualTo(BOOKINGS);
        assertThat(queued).isLessThan(BOOKINGS / 8);
        assertThat(unqueued).isGreaterThan(4 * queued + BOOKINGS / 4);
    }

    private long count(String table) {
        return client.execute("SELECT COUNT(DISTINCT seat) FROM " + table)
                .table()
                .first()
                .getLong(0);
    }

    @Test
    void aHotRangeOfOnePartition() {
        takesTurns(
                "SELECT COUNT(*) FROM visit WHERE room = 7 AND seat BETWEEN 0 AND 1000",
                "INSERT INTO visit VALUES (7, ?)",
                "visit");
    }

    @Test
    void aHotRangeOverAllPartitions() {
        takesTurns("SELECT COUNT(*) FROM booking WHERE room = 7", "INSERT INTO booking VALUES (ID, 7, ?)", "booking");
    }
}
