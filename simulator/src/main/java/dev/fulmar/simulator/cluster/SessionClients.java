package dev.fulmar.simulator.cluster;

import dev.fulmar.simulator.campaign.Ledger;
import dev.fulmar.simulator.verify.HistoryRecorder;
import dev.fulmar.simulator.workload.WishSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;

/** The clients of a run that send their transactions statement by statement; the last speaks PostgreSQL's protocol. */
final class SessionClients {
    private static final int CLIENTS = 3;
    private static final long ANSWER_NANOS = 60_000_000_000L;
    private static final int MOST_SHOWN = 5;

    private final SimulatedCluster cluster;
    private final List<SessionClient> clients = new ArrayList<>();

    SessionClients(SimulatedCluster cluster) {
        this.cluster = cluster;
    }

    /** Three begin, each with wishes of its own. */
    void begin(
            FaultInjector faults,
            ClusterAccess access,
            IntFunction<WishSource> wishes,
            HistoryRecorder recorder,
            Ledger ledger) {
        for (int number = 1; number <= CLIENTS; number++) {
            SessionClient client = new SessionClient(
                    number, number == CLIENTS, cluster, faults, access, wishes.apply(number), recorder, ledger);
            clients.add(client);
            client.work();
        }
    }

    /** Lets them end what they have begun. */
    void calm() {
        clients.forEach(SessionClient::rest);
        if (!cluster.comesTo(() -> clients.stream().allMatch(SessionClient::isIdle), ANSWER_NANOS)) {
            cluster.violation("clients wait for ever in their sessions\n" + cluster.describe());
        }
    }

    /** Nothing is left of a session whose client is gone. */
    void judge() {
        for (SimulatedNode node : cluster.nodes()) {
            if (node.takesClients()
                    && (node.sessions().openTransactions() > 0
                            || node.sessions().takenBytes() > 0)) {
                cluster.violation(node.process() + " has " + node.sessions().openTransactions()
                        + " open transactions with " + node.sessions().takenBytes() + " bytes, and no client: "
                        + node.sessions().oldest(MOST_SHOWN));
            }
            if (node.takesClients() && node.postgresBytes() > 0) {
                cluster.violation(node.process() + " holds " + node.postgresBytes()
                        + " bytes for clients of PostgreSQL's protocol, and there is none");
            }
        }
    }
}
