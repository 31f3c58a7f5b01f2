package dev.fulmar.node.server;

import dev.fulmar.coordinator.access.Caller;
import dev.fulmar.coordinator.access.CallerListener;
import dev.fulmar.engine.catalog.access.AccessRules;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.scram.ChannelBinding;
import dev.fulmar.node.audit.AuditEvent;
import dev.fulmar.wire.frame.FrameKind;
import dev.fulmar.wire.proto.Hello;
import io.netty.buffer.ByteBuf;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.ScheduledFuture;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Log-in of one connection: from its first byte to the Welcome, within a time and a number of places. On the
 * connection's event loop.
 */
final class Login {
    /** Step of the connection that a frame of the log-in leads to. */
    sealed interface Result {
        /** The server sends the text, and waits for the client's next message. */
        record Say(String text) implements Result {}

        /**
         * The client is in.
         *
         * @param text last message of the authentication; empty if there was none
         * @param user name of its user, as the catalog has it
         */
        record Entered(Hello hello, String text, String user, Caller caller) implements Result {}

        /** There is no place for the client: the connection ends at once. */
        record Refused(FulmarException reason) implements Result {}

        /**
         * User or password is wrong: the connection ends.
         *
         * @param delayNanos after which the client hears of it
         */
        record Failed(FulmarException reason, long delayNanos) implements Result {}
    }

    private final ServerContext server;
    private final ConnectionAdmission admission;
    private final ServerStatistics.Part statistics;
    private final ConnectionAudit audit;
    private final String host;
    private final Handshake handshake;
    private @Nullable ScheduledFuture<?> deadline;
    private boolean isPending;

    Login(
            ServerContext server,
            ConnectionAdmission admission,
            ServerStatistics.Part statistics,
            ConnectionAudit audit,
            String host,
            Supplier<ChannelBinding> binding) {
        this.server = server;
        this.admission = admission;
        this.statistics = statistics;
        this.audit = audit;
        this.host = host;
        this.handshake = new Handshake(server.security.users(), binding);
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

    /** Takes a frame of a client that has not got its Welcome. */
    Result frame(FrameKind kind, ByteBuf buffer, int offset, int length) {
        return switch (kind) {
            case HELLO -> result(handshake.hello(Messages.parse(Hello.parser(), buffer, offset, length)));
            case AUTHENTICATION -> result(handshake.message(buffer.toString(offset, length, StandardCharsets.UTF_8)));
            case PROCEDURE_CALL, STATEMENT_CALL, BIND, CANCEL ->
                throw Messages.malformed("a " + kind + " came before Hello");
            case WELCOME, PROCEDURE_REPLY, CONNECTION_ERROR, GOODBYE, TOPOLOGY, BOUND, CATALOG ->
                throw Messages.fromServer(kind);
        };
    }

    private Result result(Handshake.Step step) {
        return switch (step) {
            case Handshake.Step.Say(String text) -> new Result.Say(text);
            case Handshake.Step.Enter(Hello hello, String text, String user) -> entered(hello, text, user);
            case Handshake.Step.Refuse(String user) -> refused(user);
        };
    }

    private Result entered(Hello hello, String text, String user) {
        end();
        String name = AccessRules.nameOf(user);
        FulmarException objection = objection(name);
        if (objection != null) {
            return new Result.Refused(objection);
        }
        CallerListener witness = (what, outcome) -> audit.note(AuditEvent.Kind.CHANGE, name, what, outcome);
        Caller known = server.security.users() == null ? Caller.trusted(witness) : Caller.user(user, witness);
        boolean isElsewhere = server.configuration.administration().isPresent() && !admission.isForAdministration();
        if (!text.isEmpty()) {
            audit.note(AuditEvent.Kind.LOGIN, name, hello.getClientName(), AuditEvent.DONE);
        }
        return new Result.Entered(hello, text, name, isElsewhere ? known.withoutAdministration() : known);
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
    private Result refused(String user) {
        FulmarException refusal = new FulmarException(
                ErrorCode.AUTHENTICATION_FAILED, "user or password is wrong; check both, names of users ignore case");
        audit.note(AuditEvent.Kind.LOGIN, user, "", refusal.code().name());
        return new Result.Failed(refusal, server.failedAttempts.failed(host, System.nanoTime()));
    }
}
