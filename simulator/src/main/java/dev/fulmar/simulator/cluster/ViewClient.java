package dev.fulmar.simulator.cluster;

import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.random.RandomSource;
import dev.fulmar.simulator.campaign.Replies;
import dev.fulmar.simulator.world.SimulatedDatabase;
import java.util.Arrays;
import java.util.List;

/**
 * A client that compares views with their queries while keys move, until it is told to rest. Rows of a view move with
 * the rows that they are of, so they are equal in each snapshot: before, at and after a hand-off.
 */
final class ViewClient extends ThinkingClient {
    /**
     * A unique index and two views. The first view has the partitioning column. The second one has not, so it keeps a
     * row for each of its values.
     */
    static final List<String> VIEWS = List.of(
            "CREATE UNIQUE INDEX account_by_id_and_balance ON account (id, balance)",
            "CREATE MATERIALIZED VIEW list (k, entries, newest) AS SELECT k, COUNT(*), MAX(v) FROM entry GROUP BY k",
            "CREATE MATERIALIZED VIEW holding (balance, accounts, last) AS SELECT balance, COUNT(*), MAX(id) FROM account"
                    + " GROUP BY balance");

    /** Four numbers of rows by which views differ from their queries. */
    static final String DIFFERENCES = "SELECT"
            + " (SELECT COUNT(*) FROM entry) - (SELECT COALESCE(SUM(entries), 0) FROM list),"
            + " (SELECT COUNT(*) FROM account) - (SELECT COALESCE(SUM(accounts), 0) FROM holding),"
            + " (SELECT COUNT(*) FROM list l WHERE l.entries <> (SELECT COUNT(*) FROM entry e WHERE e.k = l.k)),"
            + " (SELECT COUNT(*) FROM list l WHERE l.newest <> (SELECT MAX(v) FROM entry e WHERE e.k = l.k))";

    /** Probe: views were compared with their queries. */
    static final String COMPARED = "VIEWS_COMPARED";

    private static final long PATIENCE_NANOS = 12_000_000_000L;
    private static final long CLIENT = 870;

    /** It rests so many times as long as others: each query needs all partitions. */
    private static final int SLOWNESS = 10;

    private final SimulatedCluster cluster;
    private final ClusterAccess access;
    private final RandomSource random;
    private NodeId home;
    private long lastRequest;

    ViewClient(SimulatedCluster cluster, ClusterAccess access) {
        super(cluster.world(), "a client thinks of a view");
        this.cluster = cluster;
        this.access = access;
        this.random = cluster.world().random("views");
        this.home = cluster.idOf(1);
    }

    @Override
    long pauseNanos() {
        return (long) SLOWNESS * random.nextInt(cluster.scenario().maxThinkNanos());
    }

    @Override
    void act() {
        new Look().begin();
    }

    /** Judges an answer to {@link #DIFFERENCES}. */
    static void judge(SimulatedCluster cluster, long[] differences) {
        cluster.probes().reached(COMPARED);
        if (Arrays.stream(differences).anyMatch(difference -> difference != 0)) {
            cluster.violation("views differ from their queries by " + Arrays.toString(differences) + " rows\n"
                    + cluster.describe());
        }
    }

    /** A query until its outcome is known, or never will be. */
    private final class Look implements ClusterCall.Outcome {
        private final ClusterCall call;

        Look() {
            TransactionRequest request =
                    new TransactionRequest.AdHoc(CLIENT, ++lastRequest, 0, DIFFERENCES, SimulatedDatabase.parameters());
            call = new ClusterCall(cluster, access, random, home, request, PATIENCE_NANOS, this);
        }

        void begin() {
            call.send();
        }

        @Override
        public void answered(TransactionResponse response, boolean isSure) {
            if (response instanceof Committed committed) {
                judge(cluster, Replies.decode(committed).tables().getFirst().getFirst());
            } else {
                cluster.violation("views cannot be read: " + response);
            }
            end();
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
            think();
        }
    }
}
