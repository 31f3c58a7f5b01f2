package dev.fulmar.node.server;

import dev.fulmar.coordinator.routing.TransactionRouter;
import dev.fulmar.foundation.memory.ByteBudget;
import dev.fulmar.wire.proto.Topology;
import dev.fulmar.wire.proto.Welcome;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** State that the connections of a server share. Thread-safe. */
final class ServerContext {
    final ServerConfiguration configuration;
    final TransactionRouter router;
    final SystemProcedures systemProcedures;
    final ConnectionListener listener;
    final ServerSecurity security;
    final ConnectionAdmission clients;
    final ConnectionAdmission administrators = ConnectionAdmission.forAdministrators();
    final FailedAttempts failedAttempts = new FailedAttempts();
    final ServerStatistics statistics;
    final ByteBudget underWay;

    /** The server's answer to a Hello, but for the version. */
    final Welcome welcome;

    /** Adds the changing parts to the Welcome. */
    volatile UnaryOperator<Welcome> description = UnaryOperator.identity();

    /** Topology for clients that understand it; null for a single node. */
    volatile @Nullable Topology topology;

    /** Partitioning parameters of procedures, for clients that understand them. */
    volatile RoutingKeys keys = RoutingKeys.NONE;

    /** The version of tables and procedures that the node knows now. */
    volatile LongSupplier catalogVersion = () -> 0;

    /** Requests that were taken and not answered. */
    final AtomicInteger queued = new AtomicInteger();

    final AtomicLong lastConnectionId = new AtomicLong();

    /** The server finishes what it has taken and takes nothing more. */
    volatile boolean stopping;

    /** The node broke: nothing that it has is answered any more. */
    volatile boolean broken;

    ServerContext(
            ServerConfiguration configuration,
            TransactionRouter router,
            SystemProcedures systemProcedures,
            ConnectionListener listener,
            ServerSecurity security,
            ServerStatistics statistics,
            Welcome welcome,
            ByteBudget underWay) {
        this.underWay = underWay;
        this.configuration = configuration;
        this.router = router;
        this.systemProcedures = systemProcedures;
        this.listener = listener;
        this.security = security;
        this.clients = ConnectionAdmission.forClients(security.limits(), configuration.maxConnections());
        this.statistics = statistics;
        this.welcome = welcome;
    }

    boolean takesNothing() {
        return stopping || broken;
    }
}
