package dev.fulmar.it.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.client.FulmarClient;
import dev.fulmar.node.wiring.FulmarNode;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A query that reads the keys of a small side first sees keys and rows of one snapshot. */
@Timeout(120)
class SemiJoinSnapshotTest {
    private static final int GUESTS = 12;
    private static final int LEAST_MOVES = 100;
    private static final int LEAST_READS = 300;
    private static final String QUERY =
            "SELECT COUNT(*) FROM guest g JOIN room r ON g.room = r.number WHERE r.is_open = 1";
    private static final List<String> SCHEMA = List.of(
            "CREATE TABLE room (id INTEGER NOT NULL PRIMARY KEY, number INTEGER, is_open INTEGER)",
            "PARTITION TABLE room ON COLUMN id",
            "CREATE TABLE guest (id INTEGER NOT NULL PRIMARY KEY, room INTEGER)",
            "PARTITION TABLE guest ON COLUMN id",
            "CREATE INDEX room_open ON room (is_open)",
            "CREATE INDEX guest_room ON guest (room)",
            "INSERT INTO room VALUES (0, 0, 1)");

    @Test
    void keysAndRowsAreOfOneMoment() throws Exception {
        try (FulmarNode node = SmallNode.start(4);
                FulmarClient reader = FulmarClient.connect("127.0.0.1:" + node.port());
                FulmarClient writer = FulmarClient.connect("127.0.0.1:" + node.port())) {
            SCHEMA.forEach(writer::execute);
            for (int id = 0; id < GUESTS; id++) {
                writer.execute("INSERT INTO guest VALUES (?, 0)", id);
            }
            AtomicBoolean over = new AtomicBoolean();
            CompletableFuture<Integer> moves = CompletableFuture.supplyAsync(() -> moveAround(writer, over));
            int reads = 0;
            while (reads < LEAST_READS || (!moves.isDone() && reads < 100 * LEAST_READS)) {
                assertThat(reader.execute(QUERY).table().first().getLong(0))
                        .as("guests in open rooms, read %s", reads)
                        .isEqualTo(GUESTS);
                reads++;
                if (reads == LEAST_READS) {
                    over.set(true);
                }
            }
            assertThat(moves.get()).as("moves meanwhile").isGreaterThanOrEqualTo(LEAST_MOVES);
        }
    }

    /** All guests are in open rooms at any time: the next room opens, all go there, and the last one closes. */
    private static int moveAround(FulmarClient writer, AtomicBoolean over) {
        int room = 0;
        while (!over.get() || room < LEAST_MOVES) {
            room++;
            writer.execute("INSERT INTO room VALUES (?, ?, 1)", room, room);
            writer.execute("UPDATE guest SET room = ?", room);
            writer.execute("UPDATE room SET is_open = 0 WHERE id = ?", room - 1);
        }
        return room;
    }
}
