package dev.fulmar.node.server;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Parser;
import dev.fulmar.coordinator.access.Caller;
import dev.fulmar.coordinator.access.CallerListener;
import dev.fulmar.coordinator.request.ReadConsistency;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.engine.catalog.access.AccessRules;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.failstop.FatalErrors;
import dev.fulmar.foundation.scram.ChannelBinding;
import dev.fulmar.node.audit.AuditEvent;
import dev.fulmar.wire.call.CallReader;
import dev.fulmar.wire.frame.FrameDecoder;
import dev.fulmar.wire.frame.FrameFormat;
import dev.fulmar.wire.frame.FrameHandler;
import dev.fulmar.wire.frame.FrameKind;
import dev.fulmar.wire.limit.WireLimits;
import dev.fulmar.wire.proto.Bind;
import dev.fulmar.wire.proto.Bound;
import dev.fulmar.wire.proto.Goodbye;
import dev.fulmar.wire.proto.Hello;
import dev.fulmar.wire.proto.Topology;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.ssl.NotSslRecordException;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.concurrent.ScheduledFuture;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One client's connection, which reads its frames and starts the requests in them. On its event loop. */
@SuppressWarnings("FutureReturnValueIgnored") // a failed close or write reaches channelInactive or exceptionCaught
final class ClientConnection extends ChannelInboundHandlerAdapter implements FrameHandler {
    private static final Logger LOG = LoggerFactory.getLogger(ClientConnection.class);
    private static final int FIRST_BOUND_CAPACITY = 16;
    private static final long NANOS_PER_MILLI = 1_000_000;
    private static final BoundProcedure UNBOUND = new BoundProcedure("", null);

    /** A procedure that has a number on this connection; a system procedure comes with what runs it. */
    private record BoundProcedure(String name, @Nullable SystemProcedure system) {}

    /** Routing keys last sent to the client, by the procedure's number. */
    private final Map<Integer, Bound> told = new TreeMap<>();

    private int version;

    private final ServerContext server;
    private final ConnectionAdmission admission;
    private final ServerStatistics.Part statistics;
    private final WireLimits limits;
    private final MemoryUse memory;
    private final CallReader call = new CallReader();

    private @Nullable FrameDecoder decoder;
    private @Nullable ReplyPath replies;
    private @Nullable ConnectionFlow flow;
    private @Nullable ConnectionStatistics client;
    private @Nullable ScheduledFuture<?> helloDeadline;
    private @Nullable Handshake handshake;
    private ClientOrigin origin = new ClientOrigin("?", false);
    private String host = "?";
    private boolean pending;

    /** The user of the connection; no user before the Welcome. */
    private Caller caller = Caller.user("", CallerListener.none());

    private BoundProcedure[] bound = new BoundProcedure[FIRST_BOUND_CAPACITY];
    private long clientId;
    private long readNanos;
    private boolean closing;

    ClientConnection(ServerContext server, ServerStatistics.Part statistics, ConnectionAdmission admission) {
        this.server = server;
        this.admission = admission;
        this.statistics = statistics;
        this.limits = server.configuration.limits();
        this.memory = new MemoryUse(server.underWay, statistics.lease);
        Arrays.fill(bound, UNBOUND);
    }

    @Override
    public void channelActive(ChannelHandlerContext channelContext) {
        decoder = new FrameDecoder(
                channelContext.alloc(), Math.min(limits.frameBytes(), FrameFormat.UNAUTHENTICATED_FRAME_BYTES));
        SocketAddress remote = channelContext.channel().remoteAddress();
        origin = ClientOrigin.of(remote);
        host = ClientOrigin.hostOf(remote);
        flow = new ConnectionFlow(channelContext, decoder(), memory, server, statistics);
        replies = new ReplyPath(channelContext, server, statistics, memory, flow());
        handshake = new Handshake(server.security.users(), () -> bindingOf(channelContext));
        admission.connections.incrementAndGet();
        pending = true;
        boolean room = admission.pending.enter(host);
        if (server.security.users() == null ? admission.isCrowded() : admission.isFull()) {
            refuseOneTooMany();
        } else if (!room) {
            statistics.connectionsRefused.increment();
            refuse(new FulmarException(
                    ErrorCode.TOO_MANY_CONNECTIONS,
                    "the node has its limit of connections that have not shown who they are; connect again after a"
                            + " moment, or raise server.max-unauthenticated"));
        } else if (server.takesNothing()) {
            refuse(new FulmarException(ErrorCode.NODE_STOPPING, "the node is stopping; connect to another one"));
        } else {
            helloDeadline = channelContext
                    .executor()
                    .schedule(
                            () -> refuse(malformed("no complete introduction came for "
                                    + server.configuration.helloTimeout().toSeconds() + " s; begin with a Hello")),
                            server.configuration.helloTimeout().toNanos(),
                            TimeUnit.NANOSECONDS);
        }
    }

    private void refuseOneTooMany() {
        statistics.connectionsRefused.increment();
        refuse(new FulmarException(
                ErrorCode.TOO_MANY_CONNECTIONS,
                "the node has its limit of " + admission.mostConnections()
                        + " connections; close some or raise the limit for connections"));
    }

    @Override
    public void channelRead(ChannelHandlerContext channelContext, Object message) {
        ByteBuf bytes = (ByteBuf) message;
        try {
            if (!closing) {
                readNanos = System.nanoTime();
                if (client != null) {
                    client.bytesRead.add(bytes.readableBytes());
                }
                int length = bytes.readableBytes();
                decoder().decode(bytes, this);
                flow().read(length);
            }
        } catch (FulmarException e) {
            refuse(e);
        } finally {
            bytes.release();
        }
    }

    /** At the end of a read batch: refusals of this batch go out together. */
    @Override
    public void channelReadComplete(ChannelHandlerContext channelContext) {
        replies().flushDirect();
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext channelContext) {
        flow().update();
        replies().countWaiting();
    }

    @Override
    public void channelInactive(ChannelHandlerContext channelContext) {
        closing = true;
        admission.connections.decrementAndGet();
        isPendingNoMore();
        if (helloDeadline != null) {
            helloDeadline.cancel(false);
        }
        decoder().close();
        replies().close();
        flow().close();
        if (client != null) {
            server.listener.closed(client);
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext channelContext, Throwable thrown) {
        FatalErrors.handIfFatal(thrown);
        if (thrown instanceof IOException) {
            LOG.debug("connection of {} broke", origin.address(), thrown);
        } else if (thrown.getCause() instanceof SSLException refused) {
            // The message of this one is all that came, whatever its length.
            String why = refused instanceof NotSslRecordException ? "what came is no TLS" : refused.getMessage();
            LOG.info("no TLS connection with {}: {}", origin.address(), why);
        } else {
            LOG.error("connection of {} is closed after a failure", origin.address(), thrown);
        }
        channelContext.close();
    }

    @Override
    public boolean frame(FrameKind kind, ByteBuf buffer, int offset, int length) {
        if (client == null) {
            introduction(kind, buffer, offset, length);
            return !closing;
        }
        try {
            handle(kind, buffer, offset, length);
        } finally {
            memory.frameEnded();
        }
        return !closing;
    }

    private void handle(FrameKind kind, ByteBuf buffer, int offset, int length) {
        switch (kind) {
            case PROCEDURE_CALL -> procedureCall(call.wrap(buffer, offset, length));
            case STATEMENT_CALL -> statementCall(call.wrap(buffer, offset, length));
            case BIND -> bind(parse(Bind.parser(), buffer, offset, length));
            case CANCEL -> cancel(call.wrap(buffer, offset, length));
            case HELLO -> throw malformed("a second Hello came");
            case AUTHENTICATION -> authenticationAfterWelcome();
            case WELCOME, PROCEDURE_REPLY, CONNECTION_ERROR, GOODBYE, TOPOLOGY, BOUND, CATALOG ->
                throw malformed("a " + kind + " came, which only servers send");
        }
    }

    /** Tells the client that the server stops. */
    void sayGoodbye(String reason) {
        if (!closing && client != null) {
            replies()
                    .writeDirect(
                            FrameKind.GOODBYE,
                            Goodbye.newBuilder().setReason(reason).build());
            replies().flushDirect();
        }
    }

    /** Says why, after the answers that there are, and closes the connection. */
    void end(FulmarException reason) {
        if (!closing) {
            closing = true;
            replies().end(reason);
        }
    }

    /** Closes the connection after what was written is sent. */
    void close() {
        closing = true;
        replies().closeAfterFlush();
    }

    private void introduction(FrameKind kind, ByteBuf buffer, int offset, int length) {
        switch (kind) {
            case HELLO -> step(handshake().hello(parse(Hello.parser(), buffer, offset, length)));
            case AUTHENTICATION -> step(handshake().message(buffer.toString(offset, length, StandardCharsets.UTF_8)));
            case PROCEDURE_CALL, STATEMENT_CALL, BIND, CANCEL -> throw malformed("a " + kind + " came before Hello");
            case WELCOME, PROCEDURE_REPLY, CONNECTION_ERROR, GOODBYE, TOPOLOGY, BOUND, CATALOG ->
                throw malformed("a " + kind + " came, which only servers send");
        }
    }

    private void step(Handshake.Step step) {
        switch (step) {
            case Handshake.Step.Say(String text) -> replies().writeText(FrameKind.AUTHENTICATION, text);
            case Handshake.Step.Enter(Hello hello, String text, String user) -> enter(hello, text, user);
            case Handshake.Step.Refuse(String user) -> refuseLogin(user);
        }
    }

    /** A client may send its user's name together with Hello, before it can know that no log-in is needed. */
    private void authenticationAfterWelcome() {
        if (server.security.users() != null) {
            throw malformed("an authentication came after the Welcome");
        }
    }

    private void enter(Hello hello, String text, String user) {
        if (helloDeadline != null) {
            helloDeadline.cancel(false);
        }
        isPendingNoMore();
        String name = AccessRules.nameOf(user);
        if (!mayStay(name)) {
            return;
        }
        decoder().frameLimitBytes((int) Math.min(limits.frameBytes(), server.underWay.largestBytes()));
        CallerListener witness = (what, outcome) -> note(AuditEvent.Kind.CHANGE, name, what, outcome);
        Caller known = server.security.users() == null ? Caller.trusted(witness) : Caller.user(user, witness);
        boolean isElsewhere = server.configuration.administration().isPresent() && !admission.isForAdministration();
        caller = isElsewhere ? known.withoutAdministration() : known;
        clientId = hello.getClientId();
        ConnectionStatistics opened = new ConnectionStatistics(
                server.lastConnectionId.incrementAndGet(), hello.getClientName(), origin.address());
        client = opened;
        flow().open(opened);
        replies().open(opened, message -> note(AuditEvent.Kind.DENIED, name, message, "PERMISSION_DENIED"));
        if (!text.isEmpty()) {
            replies().writeText(FrameKind.AUTHENTICATION, text);
            note(AuditEvent.Kind.LOGIN, name, hello.getClientName(), AuditEvent.DONE);
        }
        version = Math.min(hello.getNewestVersion(), FrameFormat.NEWEST_VERSION);
        replies()
                .writeDirect(
                        FrameKind.WELCOME,
                        server.description.apply(server.welcome.toBuilder()
                                .setVersion(version)
                                .setCatalogVersion(replies().tellsCatalog(version))
                                .build()));
        tellTopology();
        server.listener.opened(opened);
    }

    /** Places that are kept for administrators are theirs alone, and so is their door. */
    private boolean mayStay(String user) {
        UserDirectory users = server.security.users();
        if (users == null || users.isAdministrator(user)) {
            return true;
        }
        if (admission.isForAdministration()) {
            FulmarException refusal = new FulmarException(
                    ErrorCode.PERMISSION_DENIED,
                    "this port is for administrators, and user " + user + " lacks ADMIN; connect to the other one");
            note(
                    AuditEvent.Kind.DENIED,
                    user,
                    "a connection to the port of administrators",
                    refusal.code().name());
            refuse(refusal);
            return false;
        }
        if (admission.isCrowded()) {
            refuseOneTooMany();
            return false;
        }
        return true;
    }

    /** Ends the connection of a user who does not exist any more. */
    void endIf(Predicate<String> isGone) {
        if (!closing && client != null && !caller.isTrusted() && isGone.test(caller.user())) {
            FulmarException gone = new FulmarException(
                    ErrorCode.AUTHENTICATION_FAILED,
                    "user " + caller.user() + " does not exist any more; connect as another one");
            note(
                    AuditEvent.Kind.DENIED,
                    caller.user(),
                    "the connection is ended",
                    gone.code().name());
            end(gone);
        }
    }

    /** Tells the client which node serves what, if it understands that. */
    void tellTopology() {
        Topology topology = server.topology;
        if (topology != null
                && !closing
                && client != null
                && version >= FrameFormat.ROUTING_VERSION
                && topology.getSerializedSize() < limits.frameBytes() - WireLimits.FRAME_OVERHEAD_BYTES) {
            replies().writeDirect(FrameKind.TOPOLOGY, topology);
            replies().flushDirect();
        }
    }

    /** Tells the client again which parameters say where its procedures run, where that has changed. */
    void tellKeys() {
        if (!closing && client != null) {
            for (int number = 1; number < bound.length; number++) {
                if (!bound[number].name().isEmpty()) {
                    tellKey(number);
                }
            }
            replies().flushDirect();
        }
    }

    private void tellKey(int number) {
        if (version < FrameFormat.ROUTING_VERSION) {
            return;
        }
        Bound known = server.keys.keyOf(bound[number].name(), caller);
        Bound key = (known == null ? Bound.newBuilder() : known.toBuilder())
                .setNumber(number)
                .build();
        Bound before = told.put(number, key);
        if (before == null ? known != null : !key.equals(before)) {
            replies().writeDirect(FrameKind.BOUND, key);
        }
    }

    /** The answer is the same, after the same time, whether or not there is such a user. */
    private void refuseLogin(String user) {
        FulmarException refusal = new FulmarException(
                ErrorCode.AUTHENTICATION_FAILED, "user or password is wrong; check both, names of users ignore case");
        note(AuditEvent.Kind.LOGIN, user, "", refusal.code().name());
        closing = true;
        replies()
                .executor()
                .schedule(
                        () -> replies().end(refusal),
                        server.failedAttempts.failed(host, System.nanoTime()),
                        TimeUnit.NANOSECONDS);
    }

    private void note(AuditEvent.Kind kind, String user, String what, String outcome) {
        server.security.audit().note(new AuditEvent(kind, user, origin.address(), what, outcome));
    }

    private void isPendingNoMore() {
        if (pending) {
            pending = false;
            admission.pending.leave(host);
        }
    }

    private Handshake handshake() {
        return present(handshake);
    }

    private static ChannelBinding bindingOf(ChannelHandlerContext channelContext) {
        SslHandler tls = channelContext.pipeline().get(SslHandler.class);
        return tls == null
                ? ChannelBinding.none()
                : ChannelBinding.of(tls.engine().getSession());
    }

    private void bind(Bind message) {
        int number = message.getNumber();
        if (number < 1 || number > limits.boundProcedures()) {
            throw malformed(
                    "a procedure gets the number " + number + ", but numbers go from 1 to " + limits.boundProcedures());
        }
        if (number >= bound.length) {
            int old = bound.length;
            bound = Arrays.copyOf(bound, Math.min(limits.boundProcedures() + 1, Math.max(2 * old, number + 1)));
            Arrays.fill(bound, old, bound.length, UNBOUND);
        }
        bound[number] = resolve(message.getProcedure());
        tellKey(number);
    }

    private BoundProcedure resolve(String name) {
        return new BoundProcedure(name, name.startsWith("@") ? server.systemProcedures.named(name) : null);
    }

    private void procedureCall(CallReader message) {
        int number = message.procedureNumber();
        BoundProcedure procedure = UNBOUND;
        if (number == 0) {
            procedure = resolve(message.text());
        } else if (number > 0 && number < bound.length) {
            procedure = bound[number];
        }
        if (procedure.name().isEmpty()) {
            throw malformed("a call names no procedure, or one by the number " + number + ", which was not bound");
        }
        if (!admitted(message, procedure.system() != null ? ConnectionAdmission.KEPT_REQUESTS : 0)) {
            return;
        }
        replies().expect(message.requestId(), readNanos);
        TransactionRequest.Call request = new TransactionRequest.Call(
                clientId,
                message.requestId(),
                message.timeoutMillis() * NANOS_PER_MILLI,
                consistency(message),
                procedure.name(),
                message.parameters(),
                caller,
                message.catalogVersion());
        SystemProcedure system = procedure.system();
        if (system == null) {
            server.router.submit(request, replies());
        } else {
            system.call(request, origin, replies());
        }
    }

    private void statementCall(CallReader message) {
        if (admitted(message, 0)) {
            replies().expect(message.requestId(), readNanos);
            server.router.submit(
                    new TransactionRequest.AdHoc(
                            clientId,
                            message.requestId(),
                            message.timeoutMillis() * NANOS_PER_MILLI,
                            consistency(message),
                            message.text(),
                            message.parameters(),
                            caller,
                            message.catalogVersion()),
                    replies());
        }
    }

    /** The call's own reply tells what came of it. */
    private void cancel(CallReader message) {
        if (clientId == 0 || version < FrameFormat.CANCEL_VERSION) {
            throw malformed("a call cannot be cancelled without a client id, or in version " + version);
        }
        server.router.cancel(clientId, message.requestId());
    }

    private static ReadConsistency consistency(CallReader message) {
        return switch (message.consistency()) {
            case DECLARED -> ReadConsistency.DECLARED;
            case STRICT -> ReadConsistency.STRICT;
            case SNAPSHOT -> ReadConsistency.SNAPSHOT;
        };
    }

    /**
     * Checks the limits; a request that is over one is answered here.
     *
     * @param kept places beyond the limits that it may have
     */
    private boolean admitted(CallReader message, int kept) {
        statistics.requests.increment();
        ConnectionStatistics figures = client;
        if (figures != null) {
            figures.requests.increment();
        }
        if (message.requestId() == 0) {
            throw malformed("a call has the request id 0; number calls from 1 upwards");
        }
        ErrorCode code;
        String reason;
        if (server.takesNothing()) {
            code = ErrorCode.NODE_STOPPING;
            reason = "the node is stopping and did not begin with the call; send it to another node";
        } else if (message.parametersLength() > limits.parameterBytes()) {
            code = ErrorCode.FRAME_TOO_LARGE;
            reason = "the parameters take " + message.parametersLength() + " bytes, the limit is "
                    + limits.parameterBytes() + "; pass less in one call, or raise the limit for parameters";
        } else if (replies().outstanding() >= limits.outstandingRequests() + kept) {
            code = ErrorCode.SERVER_BUSY;
            reason = "the connection has its limit of " + limits.outstandingRequests()
                    + " requests without reply; wait for replies before sending more, or raise the limit for outstanding requests";
        } else if (server.queued.get() >= server.configuration.maxQueued() + kept) {
            code = ErrorCode.SERVER_BUSY;
            reason = "the node has its limit of " + server.configuration.maxQueued()
                    + " queued requests; send again later and less at a time, or raise the limit for queued requests";
        } else if (memory.admit(message.requestId(), message.parametersLength(), kept > 0)) {
            return true;
        } else {
            FulmarException busy = memory.refusal(message.requestId());
            code = busy.code();
            reason = String.valueOf(busy.getMessage());
        }
        replies().refuse(message.requestId(), code, reason);
        return false;
    }

    /** Says why and closes the connection. */
    private void refuse(FulmarException error) {
        if (closing) {
            return;
        }
        if (error.code() != ErrorCode.TOO_MANY_CONNECTIONS
                && error.code() != ErrorCode.PERMISSION_DENIED
                && error.code() != ErrorCode.NODE_STOPPING) {
            statistics.malformed.increment();
            LOG.info("connection of {} is closed: {}", origin.address(), error.getMessage());
        }
        end(error);
    }

    private FrameDecoder decoder() {
        return present(decoder);
    }

    private ConnectionFlow flow() {
        return present(flow);
    }

    private ReplyPath replies() {
        return present(replies);
    }

    private static <T> T present(@Nullable T part) {
        if (part == null) {
            throw new IllegalStateException("nothing happens before the connection is there");
        }
        return part;
    }

    static FulmarException malformed(String what) {
        return new FulmarException(
                ErrorCode.MALFORMED_REQUEST,
                what + "; connect with a client of Fulmar, and see docs/PROTOCOL.md to write one");
    }

    private static <T> T parse(Parser<T> parser, ByteBuf buffer, int offset, int length) {
        try {
            return parser.parseFrom(buffer.nioBuffer(offset, length));
        } catch (InvalidProtocolBufferException e) {
            throw malformed("a message cannot be read: " + e.getMessage());
        }
    }
}
