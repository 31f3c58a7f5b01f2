package dev.fulmar.node.server;

import dev.fulmar.coordinator.advisory.AdvisoryLocks;
import dev.fulmar.coordinator.cluster.SessionCancels;
import dev.fulmar.coordinator.portal.PortalRouter;
import dev.fulmar.coordinator.session.ClientIds;
import dev.fulmar.coordinator.session.SessionLimits;
import dev.fulmar.coordinator.session.SessionTransactions;
import dev.fulmar.coordinator.statement.StatementDescriber;
import dev.fulmar.coordinator.temporary.TemporarySchemas;
import dev.fulmar.foundation.memory.ByteBudget;
import dev.fulmar.foundation.schedule.Scheduler;
import dev.fulmar.foundation.time.real.SystemClock;
import dev.fulmar.postgres.activity.SessionList;
import dev.fulmar.postgres.session.SessionServices;
import dev.fulmar.wire.address.HostAddress;
import dev.fulmar.wire.limit.WireLimits;
import dev.fulmar.wire.session.SettingCommand.RowPlace;
import java.lang.reflect.Proxy;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A server of PostgreSQL's protocol before a router that a test answers for; nothing else of a node is there. */
final class PostgresServer implements AutoCloseable {
    final ScriptedRouter router = new ScriptedRouter();
    private final NodeServer server;

    /** @param users null to let everybody in */
    PostgresServer(@Nullable UserDirectory users, CancelKeys keys, SessionCancels cancels) {
        ServerConfiguration configuration = new ServerConfiguration(
                new HostAddress("127.0.0.1", 0), 1, 100, 100, WireLimits.DEFAULT, Duration.ofSeconds(10), true);
        server = new NodeServer(
                configuration,
                0,
                77,
                router,
                name -> null,
                ConnectionListener.none(),
                new ServerSecurity(users, null, HandshakeLimits.DEFAULT, event -> {}));
        server.servePostgres(new PostgresAddress(new HostAddress("127.0.0.1", 0), true), services(), cancels, keys);
        server.start();
    }

    private SessionServices services() {
        return new SessionServices(
                router,
                unused(SessionTransactions.class),
                unused(PortalRouter.class),
                unused(StatementDescriber.class),
                ByteBudget.unlimited(),
                SessionLimits.DEFAULT,
                RowPlace.PARTITIONED,
                unused(TemporarySchemas.class),
                unused(AdvisoryLocks.class),
                ClientIds.any(),
                unused(Scheduler.class),
                new SessionList(new SystemClock(), caller -> true));
    }

    private static <T> T unused(Class<T> port) {
        return port.cast(Proxy.newProxyInstance(port.getClassLoader(), new Class<?>[] {port}, (self, method, given) -> {
            throw new IllegalStateException(method.getName() + " is not expected");
        }));
    }

    HostAddress address() {
        return server.postgresAddress().orElseThrow();
    }

    @Override
    public void close() {
        server.stop(Duration.ZERO);
        server.endThreads();
    }
}
