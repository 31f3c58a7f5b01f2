package dev.fulmar.simulator.cluster;

import dev.fulmar.coordinator.request.TransactionResponse.Failed;
import java.util.List;

/**
 * A client that changes keys over partitions, until it is told to rest. Names are unique over all partitions, and rows
 * refer to those of others. Its keys are few, so that it is often refused.
 */
final class KeyClient extends StatementClient {
    /** Tables with such keys. */
    static final List<String> TABLES = List.of(
            "CREATE TABLE person (id BIGINT NOT NULL PRIMARY KEY, name BIGINT NOT NULL UNIQUE)",
            "PARTITION TABLE person ON COLUMN id",
            "CREATE TABLE pet (id BIGINT NOT NULL PRIMARY KEY, person BIGINT REFERENCES person ON DELETE CASCADE)",
            "PARTITION TABLE pet ON COLUMN id");

    private static final long PATIENCE_NANOS = 12_000_000_000L;
    private static final long FIRST_CLIENT = 850;
    private static final int PERSONS = 12;
    private static final int NAMES = 8;
    private static final int PETS = 16;
    private static final int BADGES = 6;
    private static final int FIRST_OF_BADGES = 5;

    /** It rests so many times as long as others between its wishes: each needs all partitions. */
    private static final int SLOWNESS = 20;

    /** One that hurries rests for this part of the time of others. */
    private static final int HASTE = 8;

    private final boolean isBadgesOnly;

    /** @param isBadgesOnly whether it hurries, with badges alone */
    KeyClient(int number, boolean isBadgesOnly, SimulatedCluster cluster, ClusterAccess access) {
        super(
                cluster,
                access,
                "a client thinks of a key",
                cluster.world().random("keys-" + number),
                FIRST_CLIENT + number,
                number,
                PATIENCE_NANOS);
        this.isBadgesOnly = isBadgesOnly;
    }

    @Override
    long pauseNanos() {
        int thinkNanos = random().nextInt(cluster().scenario().maxThinkNanos());
        return isBadgesOnly ? thinkNanos / HASTE : (long) SLOWNESS * thinkNanos;
    }

    @Override
    void act() {
        if (cluster().isHushed()) {
            think();
        } else {
            begin();
        }
    }

    private void begin() {
        long person = 1L + random().nextInt(PERSONS);
        long name = 1L + random().nextInt(NAMES);
        long pet = 1L + random().nextInt(PETS);
        long badge = 1L + random().nextInt(BADGES);
        switch (isBadgesOnly ? FIRST_OF_BADGES + random().nextInt(2) : random().nextInt(8)) {
            case 0, 1 -> send("INSERT INTO person (id, name) VALUES (?, ?)", person, name);
            case 2 -> send("UPDATE person SET name = ? WHERE id = ?", name, person);
            case 3 -> send("DELETE FROM person WHERE id = ?", person);
            case 4 -> send("INSERT INTO pet (id, person) VALUES (?, ?)", pet, person);
            case 5 -> send("DELETE FROM badge WHERE id = ?", badge);
            case 6 -> send("INSERT INTO badge (id, code, person) VALUES (?, ?, ?)", badge, pet, person);
            default -> send("UPDATE pet SET person = ? WHERE id = ?", person, pet);
        }
    }

    @Override
    void committed() {
        cluster().probes().reached(KeyPath.KEY_CHANGED.name());
    }

    @Override
    void failed(String text, Failed failed) {
        switch (failed.code()) {
            case UNIQUE_VIOLATION -> cluster().probes().reached(KeyPath.KEY_TAKEN.name());
            case FOREIGN_KEY_VIOLATION -> cluster().probes().reached(KeyPath.NOTHING_TO_REFER_TO.name());
            default -> unexpected(text, failed);
        }
    }
}
