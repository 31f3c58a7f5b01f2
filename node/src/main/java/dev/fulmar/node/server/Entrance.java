package dev.fulmar.node.server;

import dev.fulmar.coordinator.access.Caller;
import dev.fulmar.coordinator.access.CallerListener;
import dev.fulmar.engine.catalog.access.AccessRules;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.node.audit.AuditEvent;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Entrance of a connection, whatever its protocol: the time and the places that it has until it has logged in, and the
 * audit of that. On the connection's event loop.
 */
final class Entrance {
    /** Outcome of a log-in whose proof is right. */
    sealed interface Result {
        /** @param name of its user, as the catalog has it */
        record Entered(String name, Caller caller) implements Result {}

        /** There is no place for the client: the connection ends at once. */
        record Refused(FulmarException reason) implements Result {}
    }

    /**
     * Outcome of a log-in whose user or password is wrong.
     *
     * @param delayNanos after which the client hears of it
     */
    record Failure(FulmarException reason, long delayNanos) {}

    private final ServerContext server;
    private final ConnectionAdmission admission;
    private final ServerStatistics.Part statistics;
    private final ConnectionAudit audit;
    private final String host;
    private @Nullable ScheduledFuture<?> deadline;
    private boolean isPending;

    Entrance(
            ServerContext server,
            ConnectionAdmission admission,
            ServerStatistics.Part statistics,
            ConnectionAudit audit,
            String host) {
        this.server = server;
        this.admission = admission;
        this.statistics = statistics;
        this.audit = audit;
        this.host = host;
    }

    /**
     * Takes a place among the connections that have not shown who they are; returns why there is none for this one.
     *
     * @param late is told when no complete introduction came in time
     */
    @Nullable FulmarException begin(EventExecutor executor, Consumer<FulmarException> late) {
        isPending = true;
        boolean hasRoom = admission.pending.enter(host);
        if (server.security.users() == null ? admission.isCrowded() : admission.isFull()) {
            return oneTooMany();
        }
        if (!hasRoom) {
            statistics.connectionsRefused.increment();
            return new FulmarException(
                    ErrorCode.TOO_MANY_CONNECTIONS,
                    "the node has its limit of connections that have not shown who they are; connect again after a"
                            + " moment, or raise server.max-unauthenticated");
        }
        if (server.takesNothing()) {
            return new FulmarException(ErrorCode.NODE_STOPPING, "the node is stopping; connect to another one");
        }
        deadline = executor.schedule(
                () -> late.accept(Messages.malformed("no complete introduction came for "
                        + server.configuration.helloTimeout().toSeconds() + " s; begin with a Hello")),
                server.configuration.helloTimeout().toNanos(),
                TimeUnit.NANOSECONDS);
        return null;
    }

    /** Gives the place back; the client is in, or gone. */
    void end() {
        if (deadline != null) {
            deadline.cancel(false);
        }
        if (isPending) {
            isPending = false;
            admission.pending.leave(host);
        }
    }

    /**
     * Lets a client in.
     *
     * @param user as the client writes it; empty if it was not asked
     * @param clientName its name for itself
     */
    Result enter(String user, boolean isAuthenticated, String clientName) {
        end();
        String name = AccessRules.nameOf(user);
        FulmarException objection = objection(name);
        if (objection != null) {
            return new Result.Refused(objection);
        }
        CallerListener witness = (what, outcome) -> audit.note(AuditEvent.Kind.CHANGE, name, what, outcome);
        Caller known = server.security.users() == null ? Caller.trusted(witness) : Caller.user(user, witness);
        boolean isElsewhere = server.configuration.administration().isPresent() && !admission.isForAdministration();
        if (isAuthenticated) {
            audit.note(AuditEvent.Kind.LOGIN, name, clientName, AuditEvent.DONE);
        }
        return new Result.Entered(name, isElsewhere ? known.withoutAdministration() : known);
    }

    /** Places that are kept for administrators are theirs alone, and so is their door. */
    private @Nullable FulmarException objection(String user) {
        UserDirectory users = server.security.users();
        if (users == null || users.isAdministrator(user)) {
            return null;
        }
        if (admission.isForAdministration()) {
            FulmarException refusal = new FulmarException(
                    ErrorCode.PERMISSION_DENIED,
                    "this port is for administrators, and user " + user + " lacks ADMIN; connect to the other one");
            audit.denied(user, "a connection to the port of administrators", refusal);
            return refusal;
        }
        return admission.isCrowded() ? oneTooMany() : null;
    }

    private FulmarException oneTooMany() {
        statistics.connectionsRefused.increment();
        return new FulmarException(
                ErrorCode.TOO_MANY_CONNECTIONS,
                "the node has its limit of " + admission.mostConnections()
                        + " connections; close some or raise the limit for connections");
    }

    /** The answer is the same, after the same time, whether or not there is such a user. */
    Failure fail(String user) {
        FulmarException refusal = new FulmarException(
                ErrorCode.AUTHENTICATION_FAILED, "user or password is wrong; check both, names of users ignore case");
        audit.note(AuditEvent.Kind.LOGIN, user, "", refusal.code().name());
        return new Failure(refusal, server.failedAttempts.failed(host, System.nanoTime()));
    }
}
