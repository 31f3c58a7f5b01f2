package dev.fulmar.node.server;

import dev.fulmar.coordinator.access.Caller;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.scram.ChannelBinding;
import dev.fulmar.node.audit.AuditEvent;
import dev.fulmar.wire.frame.FrameDecoder;
import dev.fulmar.wire.frame.FrameFormat;
import dev.fulmar.wire.frame.FrameHandler;
import dev.fulmar.wire.frame.FrameKind;
import dev.fulmar.wire.limit.WireLimits;
import dev.fulmar.wire.proto.Goodbye;
import dev.fulmar.wire.proto.Hello;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.ssl.SslHandler;
import java.net.SocketAddress;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Handler of one client's connection: passes its frames to the {@link Login} first, then to the {@link ClientSession},
 * and closes it. On its event loop.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a failed close or write reaches channelInactive or exceptionCaught
final class ClientConnection extends ChannelInboundHandlerAdapter implements FrameHandler, ServedConnection {
    private final ServerContext server;
    private final ConnectionAdmission admission;
    private final ServerStatistics.Part statistics;
    private final WireLimits limits;
    private final MemoryUse memory;

    private @Nullable FrameDecoder decoder;
    private @Nullable ReplyPath replies;
    private @Nullable ConnectionFlow flow;
    private @Nullable Entrance entrance;
    private @Nullable Login login;
    private @Nullable ConnectionAudit audit;

    /** Null before the Welcome. */
    private @Nullable ClientSession session;

    private long readNanos;
    private boolean closing;

    ClientConnection(ServerContext server, ServerStatistics.Part statistics, ConnectionAdmission admission) {
        this.server = server;
        this.admission = admission;
        this.statistics = statistics;
        this.limits = server.configuration.limits();
        this.memory = new MemoryUse(server.underWay, statistics.lease);
    }

    @Override
    public void channelActive(ChannelHandlerContext channelContext) {
        decoder = new FrameDecoder(
                channelContext.alloc(), Math.min(limits.frameBytes(), FrameFormat.UNAUTHENTICATED_FRAME_BYTES));
        SocketAddress remote = channelContext.channel().remoteAddress();
        ConnectionAudit own = new ConnectionAudit(server.security, ClientOrigin.of(remote));
        audit = own;
        flow = new ConnectionFlow(channelContext, decoder(), memory, server, statistics);
        replies = new ReplyPath(channelContext, server, statistics, memory, flow());
        Entrance opened = new Entrance(server, admission, statistics, own, ClientOrigin.hostOf(remote));
        entrance = opened;
        login = new Login(opened, server.security.users(), () -> bindingOf(channelContext));
        admission.connections.incrementAndGet();
        FulmarException objection = opened.begin(channelContext.executor(), this::refuse);
        if (objection != null) {
            refuse(objection);
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext channelContext, Object message) {
        ByteBuf bytes = (ByteBuf) message;
        try {
            if (!closing) {
                readNanos = System.nanoTime();
                if (session != null) {
                    session.figures().bytesRead.add(bytes.readableBytes());
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
        try {
            present(entrance).end();
            decoder().close();
            replies().close();
            flow().close();
        } finally { // only then, so that a place that is free has its memory
            admission.connections.decrementAndGet();
        }
        if (session != null) {
            server.listener.closed(session.figures());
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext channelContext, Throwable thrown) {
        ending().broke(thrown);
        channelContext.close();
    }

    @Override
    public boolean frame(FrameKind kind, ByteBuf buffer, int offset, int length) {
        ClientSession open = session;
        if (open == null) {
            take(present(login).frame(kind, buffer, offset, length));
            return !closing;
        }
        try {
            open.frame(kind, buffer, offset, length, readNanos);
        } finally {
            memory.frameEnded();
        }
        return !closing;
    }

    private void take(Login.Result result) {
        switch (result) {
            case Login.Result.Say(String text) -> replies().writeText(FrameKind.AUTHENTICATION, text);
            case Login.Result.Entered entered -> open(entered);
            case Login.Result.Refused(FulmarException reason) -> refuse(reason);
            case Login.Result.Failed(FulmarException reason, long delayNanos) -> {
                closing = true;
                replies().executor().schedule(() -> replies().end(reason), delayNanos, TimeUnit.NANOSECONDS);
            }
        }
    }

    private void open(Login.Result.Entered entered) {
        Hello hello = entered.hello();
        Caller caller = entered.caller();
        decoder().frameLimitBytes((int) Math.min(limits.frameBytes(), server.underWay.largestBytes()));
        ConnectionStatistics figures = new ConnectionStatistics(
                server.lastConnectionId.incrementAndGet(), hello.getClientName(), origin().address());
        int version = Math.min(hello.getNewestVersion(), FrameFormat.NEWEST_VERSION);
        ClientSession opened = new ClientSession(
                server,
                statistics,
                figures,
                memory,
                replies(),
                new ClientSession.Identity(caller, hello.getClientId(), version, origin()));
        session = opened;
        flow().open(figures);
        replies()
                .open(
                        figures,
                        message -> present(audit)
                                .note(AuditEvent.Kind.DENIED, entered.user(), message, "PERMISSION_DENIED"));
        if (!entered.text().isEmpty()) {
            replies().writeText(FrameKind.AUTHENTICATION, entered.text());
        }
        replies()
                .writeDirect(
                        FrameKind.WELCOME,
                        server.description.apply(server.welcome.toBuilder()
                                .setVersion(version)
                                .setCatalogVersion(replies().tellsCatalog(version))
                                .build()));
        opened.tellTopology();
        server.listener.opened(figures);
    }

    @Override
    public void sayGoodbye(String reason) {
        if (!closing && session != null) {
            replies()
                    .writeDirect(
                            FrameKind.GOODBYE,
                            Goodbye.newBuilder().setReason(reason).build());
            replies().flushDirect();
        }
    }

    @Override
    public void end(FulmarException reason) {
        if (!closing) {
            closing = true;
            replies().end(reason);
        }
    }

    @Override
    public void close() {
        closing = true;
        replies().closeAfterFlush();
    }

    @Override
    public void endIf(Predicate<String> isGone) {
        ClientSession open = session;
        if (!closing
                && open != null
                && !open.caller().isTrusted()
                && isGone.test(open.caller().user())) {
            String user = open.caller().user();
            FulmarException gone = new FulmarException(
                    ErrorCode.AUTHENTICATION_FAILED,
                    "user " + user + " does not exist any more; connect as another one");
            present(audit).denied(user, "the connection is ended", gone);
            end(gone);
        }
    }

    /** Tells the client which node serves what, if it understands that. */
    void tellTopology() {
        if (!closing && session != null) {
            session.tellTopology();
        }
    }

    /** Tells the client again which parameters say where its procedures run, where that has changed. */
    void tellKeys() {
        if (!closing && session != null) {
            session.tellKeys();
        }
    }

    private static ChannelBinding bindingOf(ChannelHandlerContext channelContext) {
        SslHandler tls = channelContext.pipeline().get(SslHandler.class);
        return tls == null
                ? ChannelBinding.none()
                : ChannelBinding.of(tls.engine().getSession());
    }

    /** Says why and closes the connection. */
    private void refuse(FulmarException error) {
        if (closing) {
            return;
        }
        ending().refused(error);
        end(error);
    }

    private ConnectionEnd ending() {
        return new ConnectionEnd(statistics, origin());
    }

    private ClientOrigin origin() {
        return present(audit).origin();
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
}
