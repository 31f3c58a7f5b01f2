package dev.fulmar.node.wiring;

import dev.fulmar.coordinator.Database;
import dev.fulmar.foundation.memory.ByteBudget;
import dev.fulmar.node.config.NodeConfiguration;
import dev.fulmar.node.server.CancelKeys;
import dev.fulmar.node.server.NodeServer;
import dev.fulmar.postgres.session.SessionServices;
import org.jspecify.annotations.Nullable;

/** Connects the server of PostgreSQL's protocol with the parts of its node. */
final class PostgresPart {
    private PostgresPart() {}

    /**
     * Has the server listen for clients of PostgreSQL's protocol, if the configuration wants that.
     *
     * @param underWay memory of results on their way
     * @param cluster the part of a cluster; null for none
     */
    static void connect(
            NodeConfiguration configuration,
            NodeServer server,
            ClientState clients,
            Database database,
            ByteBudget underWay,
            CancelKeys keys,
            @Nullable ClusterPart cluster) {
        SessionServices services = clients.services(
                database.descriptions(),
                database,
                underWay,
                configuration.transactions().limits());
        configuration
                .postgres()
                .ifPresent(address -> server.servePostgres(
                        address, services, keys.onAllNodes(cluster == null ? null : cluster.forwarding()), keys));
    }
}
