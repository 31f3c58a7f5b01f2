package dev.fulmar.simulator.cluster;

import dev.fulmar.coordinator.request.TransactionResponse.Failed;
import java.util.ArrayList;
import java.util.List;

/**
 * A client that changes keys over partitions, until it is told to rest. Names are unique over all partitions, and rows
 * refer to those of others. Its keys are few, so that it is often refused. It also inserts rows of a table without any
 * key.
 */
final class KeyClient extends StatementClient {
    /** Tables with such keys. */
    static final List<String> TABLES = List.of(
            "CREATE TABLE person (id BIGINT NOT NULL PRIMARY KEY, name BIGINT NOT NULL UNIQUE)",
            "PARTITION TABLE person ON COLUMN id",
            "CREATE TABLE pet (id BIGINT NOT NULL PRIMARY KEY, person BIGINT REFERENCES person ON DELETE CASCADE)",
            "PARTITION TABLE pet ON COLUMN id",
            "CREATE TABLE visit (code BIGINT NOT NULL) PARTITION ON ROW");

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

    /** Codes of visits of one client are apart from those of another. */
    private static final long VISITS = 1_000_000;

    private final boolean isBadgesOnly;
    private final long firstVisit;

    /** Visits that are stored for sure. */
    private final List<Long> visits = new ArrayList<>();

    private long lastVisit;

    /** Whether the statement under way inserts the last visit. */
    private boolean isVisiting;

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
        this.firstVisit = VISITS * number;
    }

    /** Codes of the visits whose INSERT was acknowledged. */
    List<Long> visits() {
        return visits;
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
        int choice = isBadgesOnly ? FIRST_OF_BADGES + random().nextInt(2) : random().nextInt(10);
        isVisiting = choice > 7;
        switch (choice) {
            case 0, 1 -> send("INSERT INTO person (id, name) VALUES (?, ?)", person, name);
            case 2 -> send("UPDATE person SET name = ? WHERE id = ?", name, person);
            case 3 -> send("DELETE FROM person WHERE id = ?", person);
            case 4 -> send("INSERT INTO pet (id, person) VALUES (?, ?)", pet, person);
            case 5 -> send("DELETE FROM badge WHERE id = ?", badge);
            case 6 -> send("INSERT INTO badge (id, code, person) VALUES (?, ?, ?)", badge, pet, person);
            case 8 -> send("INSERT INTO visit VALUES (?)", firstVisit + ++lastVisit);
            case 9 -> send("INSERT INTO visit SELECT ? + COUNT(*) - COUNT(*) FROM person", firstVisit + ++lastVisit);
            default -> send("UPDATE pet SET person = ? WHERE id = ?", person, pet);
        }
    }

    @Override
    void committed() {
        if (isVisiting) {
            visits.add(firstVisit + lastVisit);
            cluster().probes().reached(KeyPath.ROW_WITHOUT_KEY.name());
        } else {
            cluster().probes().reached(KeyPath.KEY_CHANGED.name());
        }
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
