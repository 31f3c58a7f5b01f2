package dev.fulmar.simulator.cluster;

import dev.fulmar.coordinator.request.TransactionResponse.Failed;
import java.util.List;

/**
 * A client that gives a table constraints over partitions and takes them away, while another one fills it. Some of the
 * rows break them, so some of its wishes are refused.
 */
final class ConstraintClient extends StatementClient {
    static final String TABLE = "BADGE";

    /** The table, as it begins. */
    static final List<String> TABLES = List.of(
            "CREATE TABLE badge (id BIGINT NOT NULL PRIMARY KEY, code BIGINT NOT NULL, person BIGINT)",
            "PARTITION TABLE badge ON COLUMN id");

    private static final long PATIENCE_NANOS = 15_000_000_000L;
    private static final long CLIENT = 890;

    /** Its number among the clients of keys. */
    private static final int WRITER = 3;

    /** The changes of a run: small logs hold few. */
    private static final int MOST = 12;

    private static final List<String> WISHES = List.of(
            "ALTER TABLE badge ADD CONSTRAINT badge_code UNIQUE (code)",
            "ALTER TABLE badge ADD CONSTRAINT badge_code UNIQUE (code)",
            "ALTER TABLE badge ADD CONSTRAINT badge_person FOREIGN KEY (person) REFERENCES person",
            "ALTER TABLE badge ADD CONSTRAINT badge_person FOREIGN KEY (person) REFERENCES person",
            "ALTER TABLE badge DROP CONSTRAINT IF EXISTS badge_code",
            "ALTER TABLE badge DROP CONSTRAINT IF EXISTS badge_person");

    private final CatalogKnowledge knowledge;

    /** It fills the table while a change is under way. */
    private final KeyClient writer;

    ConstraintClient(SimulatedCluster cluster, ClusterAccess access, CatalogKnowledge knowledge) {
        super(
                cluster,
                access,
                "a client thinks of a constraint",
                cluster.world().random("constraints"),
                CLIENT,
                1,
                PATIENCE_NANOS);
        this.knowledge = knowledge;
        this.writer = new KeyClient(WRITER, true, cluster, access);
    }

    @Override
    boolean isIdle() {
        return super.isIdle() && writer.isIdle();
    }

    @Override
    long pauseNanos() {
        return 2L * random().nextInt(cluster().scenario().maxChangePauseNanos());
    }

    @Override
    void act() {
        if (sent() >= MOST || knowledge.isFull()) {
            think();
        } else {
            writer.work();
            send(WISHES.get(random().nextInt(WISHES.size())));
        }
    }

    @Override
    void committed() {
        cluster().probes().reached(KeyPath.CONSTRAINT_CHANGED.name());
    }

    @Override
    void failed(String text, Failed failed) {
        switch (failed.code()) {
            case UNIQUE_VIOLATION, FOREIGN_KEY_VIOLATION ->
                cluster().probes().reached(KeyPath.CONSTRAINT_BROKEN.name());
            case OBJECT_EXISTS, TRANSACTION_RESTART -> {}
            default -> {
                if (CatalogClient.isCatalogFull(failed)) {
                    knowledge.catalogIsFull();
                } else {
                    unexpected(text, failed);
                }
            }
        }
    }

    @Override
    void over() {
        writer.rest();
    }
}
