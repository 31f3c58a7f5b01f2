package dev.fulmar.simulator.cluster;

import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.coordinator.request.TransactionResponse.Failed;
import dev.fulmar.simulator.campaign.Replies;
import dev.fulmar.simulator.world.SimulatedDatabase;
import java.util.Arrays;
import java.util.List;

/**
 * A client that compares views with their queries while keys move, until it is told to rest. Rows of a view move with
 * the rows that they are of, so they are equal in each snapshot: before, at and after a hand-off.
 */
final class ViewClient extends AskingClient {
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

    private static final long CLIENT = 870;

    /** It rests so many times as long as others: each query needs all partitions. */
    private static final int SLOWNESS = 10;

    ViewClient(SimulatedCluster cluster, ClusterAccess access) {
        super(cluster, access, "a client thinks of a view", "views");
    }

    @Override
    long pauseNanos() {
        return (long) SLOWNESS * random().nextInt(cluster().scenario().maxThinkNanos());
    }

    @Override
    TransactionRequest request(long number) {
        return new TransactionRequest.AdHoc(CLIENT, number, 0, DIFFERENCES, SimulatedDatabase.parameters());
    }

    @Override
    void judge(TransactionResponse response) {
        if (response instanceof Committed committed) {
            judge(cluster(), Replies.decode(committed).tables().getFirst().getFirst());
        } else if (!(response instanceof Failed failed && ClusterClient.isOfDisk(failed.code()))) {
            cluster().violation("views cannot be read: " + response);
        }
    }

    /** Judges an answer to {@link #DIFFERENCES}. */
    static void judge(SimulatedCluster cluster, long[] differences) {
        cluster.probes().reached(COMPARED);
        if (Arrays.stream(differences).anyMatch(difference -> difference != 0)) {
            cluster.violation("views differ from their queries by " + Arrays.toString(differences) + " rows\n"
                    + cluster.describe());
        }
    }
}
