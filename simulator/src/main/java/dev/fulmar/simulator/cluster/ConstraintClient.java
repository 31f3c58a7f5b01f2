package dev.fulmar.simulator.cluster;

import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.coordinator.request.TransactionResponse.Failed;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.random.RandomSource;
import dev.fulmar.simulator.world.SimulatedDatabase;
import java.util.List;

/**
 * A client that gives a table constraints over partitions and takes them away, while another one fills it. Some of the
 * rows break them, so some of its wishes are refused.
 */
final class ConstraintClient extends ThinkingClient {
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

    private final SimulatedCluster cluster;
    private final ClusterAccess access;
    private final CatalogKnowledge knowledge;
    private final RandomSource random;

    /** It fills the table while a change is under way. */
    private final KeyClient writer;

    private NodeId home;
    private long lastRequest;

    ConstraintClient(SimulatedCluster cluster, ClusterAccess access, CatalogKnowledge knowledge) {
        super(cluster.world(), "a client thinks of a constraint");
        this.cluster = cluster;
        this.access = access;
        this.knowledge = knowledge;
        this.random = cluster.world().random("constraints");
        this.home = cluster.idOf(1);
        this.writer = new KeyClient(WRITER, true, cluster, access);
    }

    @Override
    boolean isIdle() {
        return super.isIdle() && writer.isIdle();
    }

    @Override
    long pauseNanos() {
        return 2L * random.nextInt(cluster.scenario().maxChangePauseNanos());
    }

    @Override
    void act() {
        if (lastRequest >= MOST || knowledge.isFull()) {
            think();
        } else {
            writer.work();
            new Change(WISHES.get(random.nextInt(WISHES.size()))).call.send();
        }
    }

    /** A change until its outcome is known, or never will be. */
    private final class Change implements ClusterCall.Outcome {
        private final String text;
        private final ClusterCall call;

        Change(String text) {
            this.text = text;
            TransactionRequest request =
                    new TransactionRequest.AdHoc(CLIENT, ++lastRequest, 0, text, SimulatedDatabase.parameters());
            call = new ClusterCall(cluster, access, random, home, request, PATIENCE_NANOS, this);
        }

        @Override
        public void answered(TransactionResponse response, boolean isSure) {
            switch (response) {
                case Committed _ -> cluster.probes().reached(KeyPath.CONSTRAINT_CHANGED.name());
                case Failed failed -> failed(failed);
            }
            end();
        }

        private void failed(Failed failed) {
            switch (failed.code()) {
                case UNIQUE_VIOLATION, FOREIGN_KEY_VIOLATION ->
                    cluster.probes().reached(KeyPath.CONSTRAINT_BROKEN.name());
                case OBJECT_EXISTS, TRANSACTION_RESTART -> {}
                default -> {
                    boolean isFull = CatalogClient.isCatalogFull(failed);
                    if (isFull) {
                        knowledge.catalogIsFull();
                    } else if (failed.code() != ErrorCode.DISK_FULL || !cluster.hasDisturbedDisk()) {
                        cluster.violation(
                                "an unexpected failure of " + text + ": " + failed.code() + " " + failed.message());
                    }
                }
            }
        }

        @Override
        public void unknown() {
            end();
        }

        @Override
        public void noEffect() {
            end();
        }

        private void end() {
            home = call.node();
            writer.rest();
            think();
        }
    }
}
