package dev.fulmar.node.server;

import dev.fulmar.coordinator.access.Caller;
import dev.fulmar.coordinator.request.ReadConsistency;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.transaction.Answers;
import dev.fulmar.engine.spi.TemporaryMark;
import dev.fulmar.wire.call.CallReader;
import dev.fulmar.wire.frame.FrameFormat;
import dev.fulmar.wire.frame.FrameKind;
import dev.fulmar.wire.limit.WireLimits;
import dev.fulmar.wire.proto.Bind;
import dev.fulmar.wire.proto.Topology;
import io.netty.buffer.ByteBuf;

/**
 * Session of a client that has logged in: who it is, its bound procedures, and the requests that its frames bring. On
 * the connection's event loop.
 */
final class ClientSession {
    private static final long NANOS_PER_MILLI = 1_000_000;

    /**
     * Identity of a client.
     *
     * @param clientId first half of the handles of its requests; 0 if it never sends one twice
     * @param version of the protocol that it speaks
     */
    record Identity(Caller caller, long clientId, int version, ClientOrigin origin) {}

    private final ServerContext server;
    private final ServerStatistics.Part statistics;
    private final ConnectionStatistics figures;
    private final ReplyPath replies;
    private final Identity identity;
    private final BoundProcedures procedures;
    private final RequestLimits requestLimits;
    private final CallReader call = new CallReader();

    ClientSession(
            ServerContext server,
            ServerStatistics.Part statistics,
            ConnectionStatistics figures,
            MemoryUse memory,
            ReplyPath replies,
            Identity identity) {
        this.server = server;
        this.statistics = statistics;
        this.figures = figures;
        this.replies = replies;
        this.identity = identity;
        this.procedures = new BoundProcedures(server, replies, identity.caller(), identity.version());
        this.requestLimits = new RequestLimits(server, memory, replies);
    }

    Caller caller() {
        return identity.caller();
    }

    ConnectionStatistics figures() {
        return figures;
    }

    /**
     * Takes a frame.
     *
     * @param readNanos when its last byte was read
     */
    void frame(FrameKind kind, ByteBuf buffer, int offset, int length, long readNanos) {
        switch (kind) {
            case PROCEDURE_CALL -> procedureCall(call.wrap(buffer, offset, length), readNanos);
            case STATEMENT_CALL -> statementCall(call.wrap(buffer, offset, length), readNanos);
            case BIND -> procedures.bind(Messages.parse(Bind.parser(), buffer, offset, length));
            case CANCEL -> cancel(call.wrap(buffer, offset, length));
            case HELLO -> throw Messages.malformed("a second Hello came");
            case AUTHENTICATION -> authenticationAfterWelcome();
            case WELCOME, PROCEDURE_REPLY, CONNECTION_ERROR, GOODBYE, TOPOLOGY, BOUND, CATALOG ->
                throw Messages.fromServer(kind);
        }
    }

    /** A client may send its user's name together with Hello, before it can know that no log-in is needed. */
    private void authenticationAfterWelcome() {
        if (server.security.users() != null) {
            throw Messages.malformed("an authentication came after the Welcome");
        }
    }

    /** Tells the client which node serves what, if it understands that. */
    void tellTopology() {
        Topology topology = server.topology;
        if (topology != null
                && identity.version() >= FrameFormat.ROUTING_VERSION
                && topology.getSerializedSize()
                        < server.configuration.limits().frameBytes() - WireLimits.FRAME_OVERHEAD_BYTES) {
            replies.writeDirect(FrameKind.TOPOLOGY, topology);
            replies.flushDirect();
        }
    }

    /** Tells the client again which parameters say where its procedures run, where that has changed. */
    void tellKeys() {
        procedures.tellKeys();
    }

    private void procedureCall(CallReader message, long readNanos) {
        int number = message.procedureNumber();
        BoundProcedures.BoundProcedure procedure = procedures.of(number, number == 0 ? message.text() : "");
        SystemProcedure system = procedure.system();
        if (!isAdmitted(message, procedure.isForOperators() ? ConnectionAdmission.KEPT_REQUESTS : 0)) {
            return;
        }
        replies.expect(message.requestId(), readNanos);
        TransactionRequest.Call request = new TransactionRequest.Call(
                identity.clientId(),
                message.requestId(),
                message.timeoutMillis() * NANOS_PER_MILLI,
                consistency(message),
                procedure.name(),
                message.parameters(),
                identity.caller(),
                message.catalogVersion());
        if (system == null) {
            server.router.submit(request, replies);
        } else {
            system.call(request, identity.origin(), replies);
        }
    }

    private void statementCall(CallReader message, long readNanos) {
        if (isAdmitted(message, 0)) {
            replies.expect(message.requestId(), readNanos);
            TransactionRequest.AdHoc request = new TransactionRequest.AdHoc(
                    identity.clientId(),
                    message.requestId(),
                    message.timeoutMillis() * NANOS_PER_MILLI,
                    consistency(message),
                    message.text(),
                    message.parameters(),
                    identity.caller(),
                    message.catalogVersion());
            if (TemporaryMark.of(request.sql()).isEmpty()) {
                server.router.submit(request, replies);
            } else {
                replies.respond(request, Answers.failed(TemporaryMark.refused()));
                replies.flush();
            }
        }
    }

    /** The call's own reply tells what came of it. */
    private void cancel(CallReader message) {
        if (identity.clientId() == 0 || identity.version() < FrameFormat.CANCEL_VERSION) {
            throw Messages.malformed(
                    "a call cannot be cancelled without a client id, or in version " + identity.version());
        }
        server.router.cancel(identity.clientId(), message.requestId());
    }

    private static ReadConsistency consistency(CallReader message) {
        return switch (message.consistency()) {
            case DECLARED -> ReadConsistency.DECLARED;
            case STRICT -> ReadConsistency.STRICT;
            case SNAPSHOT -> ReadConsistency.SNAPSHOT;
        };
    }

    /** Checks the limits; a request that is over one is answered here. */
    private boolean isAdmitted(CallReader message, int kept) {
        statistics.requests.increment();
        figures.requests.increment();
        if (message.requestId() == 0) {
            throw Messages.malformed("a call has the request id 0; number calls from 1 upwards");
        }
        RequestLimits.Objection objection = requestLimits.objection(message, kept);
        if (objection != null) {
            replies.refuse(message.requestId(), objection.code(), objection.reason());
        }
        return objection == null;
    }
}
