package dev.fulmar.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.client.Consistency;
import dev.fulmar.client.FulmarClient;
import dev.fulmar.client.ResultStream;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.BitSet;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Results that the Java client fetches in parts from a node. In the end the node holds nothing for them. */
@Timeout(120)
class ResultStreamTest extends LargeRows {
    private static final int PARTITIONS = 3;

    ResultStreamTest() {
        super(PARTITIONS, Map.of("portals.idle-timeout", "2s", "portals.per-connection", "2"));
    }

    @Override
    boolean isAtRest() {
        return database.portals().openPortals() == 0 && database.portals().takenBytes() == 0;
    }

    /** The result takes 200 MB, six times what the node may have under way, and rows change while it is read. */
    @Test
    void aResultBeyondEveryLimitIsReadWithALittleMemory() {
        fill(LARGE_ROWS, LARGE_BYTES);
        assertThatThrownBy(() -> client.execute(ALL)).isInstanceOf(FulmarException.class);
        AtomicBoolean ends = new AtomicBoolean();
        Thread changes = Thread.ofPlatform().start(() -> {
            for (int id = 0; !ends.get(); id = (id + 1) % LARGE_ROWS) {
                client.execute("UPDATE document SET version = version + 1 WHERE id = ?", id);
            }
        });
        BitSet seen = new BitSet();
        long most = 0;
        try (ResultStream rows = client.stream(1_000_000, ALL)) {
            while (rows.next()) {
                int id = rows.getInt(0);
                assertThat(seen.get(id)).isFalse();
                seen.set(id);
                assertThat(rows.getLong(1)).isEqualTo(1);
                byte[] content = rows.getBytes(2);
                assertThat(content).hasSize(LARGE_BYTES);
                assertThat(content[LARGE_BYTES - 1]).isEqualTo((byte) id);
                assertThat(rows.partBytes()).isLessThan(2 * (int) MEBIBYTE);
                most = Math.max(most, database.database().underWay().underWayBytes());
            }
        } finally {
            ends.set(true);
        }
        await(() -> !changes.isAlive());
        assertThat(seen.cardinality()).isEqualTo(LARGE_ROWS);
        assertThat(most).isBetween(MEBIBYTE, 12 * MEBIBYTE);
    }

    @Test
    void whatIsChangedMeanwhileIsNotSeen() {
        fill(100, 10);
        try (ResultStream rows = client.stream(10, ALL)) {
            assertThat(rows.next()).isTrue();
            client.execute("DELETE FROM document WHERE id < 50");
            client.execute("UPDATE document SET version = 2");
            int count = 1;
            while (rows.next()) {
                assertThat(rows.getLong(rows.column("VERSION"))).isEqualTo(1);
                count++;
            }
            assertThat(count).isEqualTo(100);
            assertThat(rows.next()).isFalse();
            assertThat(rows.snapshotTimestamp()).isPositive();
        }
    }

    @Test
    void rowsThatAreSortedAreFetchedInParts() {
        fill(100, 10);
        try (ResultStream rows = client.stream(7, ALL + " WHERE version = ? ORDER BY id DESC", 1)) {
            assertThat(rows.columnCount()).isEqualTo(3);
            for (int id = 99; id >= 0; id--) {
                assertThat(rows.next()).isTrue();
                assertThat(rows.getLong(0)).isEqualTo(id);
            }
            assertThat(rows.next()).isFalse();
        }
        try (ResultStream rows = client.stream(7, ALL + " WHERE id = 200")) {
            assertThat(rows.next()).isFalse();
        }
        try (ResultStream rows = client.stream(Consistency.SNAPSHOT, 7, ALL + " WHERE id = 20")) {
            assertThat(rows.next()).isTrue();
            assertThat(rows.getBytes(2)).hasSize(10);
            assertThat(rows.next()).isFalse();
        }
    }

    @Test
    void aStreamThatIsClosedEarlyLeavesNothing() {
        fill(100, 10);
        ResultStream rows = client.stream(7, ALL);
        assertThat(rows.next()).isTrue();
        assertThat(database.portals().openPortals()).isEqualTo(1);
        rows.close();
        for (int i = 1; i < 7; i++) {
            assertThat(rows.next()).isTrue();
        }
        assertFails(ErrorCode.PORTAL_ENDED, rows::next);
        assertFails(ErrorCode.UNKNOWN_OBJECT, () -> client.stream(7, "SELECT * FROM nothing"));
        assertFails(ErrorCode.NOT_SUPPORTED, () -> client.stream(7, "DELETE FROM document"));
        assertFails(ErrorCode.WRONG_PARAMETERS, () -> client.stream(0, ALL));
    }

    /** Each part is half a megabyte, and the portal keeps its place only. */
    @Test
    void betweenTwoPartsNothingIsHeld() {
        fill(200, 10_000);
        try (ResultStream rows = client.stream(50, ALL)) {
            assertThat(rows.next()).isTrue();
            await(() -> database.database().underWay().underWayBytes() == 0);
            assertThat(database.portals().openPortals()).isEqualTo(1);
            assertThat(database.portals().takenBytes()).isLessThan(20_000);
        }
    }

    @Test
    void aClosedConnectionEndsItsStreams() {
        fill(100, 10);
        try (FulmarClient other = database.connect(10)) {
            other.stream(1, ALL);
            other.stream(1, ALL + " ORDER BY id");
            assertThat(database.portals().openPortals()).isEqualTo(2);
            assertFails(ErrorCode.TOO_MANY_PORTALS, () -> other.stream(1, ALL));
        }
    }

    @Test
    void aStreamThatIsNotReadEnds() {
        fill(100, 10);
        try (ResultStream rows = client.stream(10, ALL)) {
            for (int i = 0; i < 20; i++) { // its own part, and the one that is on its way
                assertThat(rows.next()).isTrue();
            }
            await(() -> database.portals().timedOut() > 0);
            for (int i = 0; i < 10; i++) {
                assertThat(rows.next()).isTrue();
            }
            assertFails(ErrorCode.PORTAL_ENDED, rows::next);
            assertFails(ErrorCode.PORTAL_ENDED, rows::next); // never as if that were all
        }
    }
}
