package dev.fulmar.node.server;

import dev.fulmar.coordinator.cluster.SessionCancels;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.memory.ByteBudget;
import dev.fulmar.foundation.scram.ChannelBinding;
import dev.fulmar.node.audit.AuditEvent;
import dev.fulmar.postgres.session.ClientIdentity;
import dev.fulmar.postgres.session.ClientOutput;
import dev.fulmar.postgres.session.PostgresSession;
import dev.fulmar.postgres.session.SessionServices;
import dev.fulmar.wire.postgres.codec.BackendEncoder;
import dev.fulmar.wire.postgres.codec.FrontendDecoder;
import dev.fulmar.wire.postgres.codec.FrontendHandler;
import dev.fulmar.wire.postgres.message.BackendMessage;
import dev.fulmar.wire.postgres.message.FrontendMessage;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import java.net.SocketAddress;
import java.security.SecureRandom;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Handler of one connection of PostgreSQL's protocol: encryption and log-in first, then its messages go to a
 * {@link PostgresSession}. On its event loop.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a failed close or write reaches channelInactive or exceptionCaught
final class PostgresConnection extends ChannelInboundHandlerAdapter
        implements FrontendHandler, ClientOutput, ServedConnection {
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final int OUT_BYTES = 32 << 10;
    private static final long LAST_SECONDS = 5;

    /** A client that sends more without waiting for answers is read no further for a while. */
    private static final int MOST_WAITING = 10_000;

    private static final long MOST_UNHANDLED_BYTES = 1 << 20;

    private final ServerContext server;
    private final SessionServices services;
    private final CancelKeys keys;
    private final SessionCancels cancels;
    private final ConnectionAdmission admission;
    private final ServerStatistics.Part statistics;

    private @Nullable ChannelHandlerContext context;
    private @Nullable FrontendDecoder decoder;
    private @Nullable ConnectionAudit audit;
    private @Nullable Entrance entrance;
    private @Nullable PostgresLogin login;
    private @Nullable PostgresSession session;
    private @Nullable ConnectionStatistics figures;
    private BackendMessage.@Nullable BackendKeyData key;
    private @Nullable ByteBuf out;

    /** Bytes that have been sent. */
    private long sentBytes;

    private String user = "";
    private boolean isTrusted = true;
    private boolean asksForEncryption;
    private boolean isBusy;
    private boolean closing;
    private int accountedBytes;

    /** Bytes that came since a statement began. */
    private long unhandledBytes;

    /** @param cancels ends statements of sessions, also of other nodes */
    PostgresConnection(
            ServerContext server,
            SessionServices services,
            CancelKeys keys,
            SessionCancels cancels,
            ServerStatistics.Part statistics,
            ConnectionAdmission admission) {
        this.server = server;
        this.services = services;
        this.keys = keys;
        this.cancels = cancels;
        this.statistics = statistics;
        this.admission = admission;
    }

    // The network.

    @Override
    public void channelActive(ChannelHandlerContext channelContext) {
        context = channelContext;
        decoder = new FrontendDecoder(channelContext.alloc());
        SocketAddress remote = channelContext.channel().remoteAddress();
        ConnectionAudit own = new ConnectionAudit(server.security, ClientOrigin.of(remote));
        audit = own;
        Entrance opened = new Entrance(server, admission, statistics, own, ClientOrigin.hostOf(remote));
        entrance = opened;
        login = new PostgresLogin(opened, server.security.users(), this::binding);
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
                ConnectionStatistics known = figures;
                if (known != null) {
                    known.bytesRead.add(bytes.readableBytes());
                }
                unhandledBytes += bytes.readableBytes();
                present(decoder).decode(bytes, this);
                account(present(decoder).heldBytes());
            }
        } catch (FulmarException e) {
            refuse(e);
        } finally {
            bytes.release();
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext channelContext) {
        update();
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext channelContext) {
        PostgresSession open = session;
        if (open != null && channelContext.channel().isWritable()) {
            open.writable();
        }
        update();
    }

    @Override
    public void channelInactive(ChannelHandlerContext channelContext) {
        closing = true;
        try {
            present(entrance).end();
            present(decoder).close();
            account(0);
            PostgresSession open = session;
            if (open != null) {
                open.leave();
            }
            BackendMessage.BackendKeyData known = key;
            if (known != null) {
                keys.remove(known);
            }
            dropOutput();
            busy(false);
        } finally {
            admission.connections.decrementAndGet();
        }
        ConnectionStatistics known = figures;
        if (known != null) {
            server.listener.closed(known);
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext channelContext, Throwable thrown) {
        ending().broke(thrown);
        if (closing || session == null || !ConnectionEnd.isDefect(thrown)) {
            channelContext.close();
            return;
        }
        FulmarException reason = thrown instanceof FulmarException known ? known : ConnectionEnd.defect();
        dropOutput(); // its last message may not be whole
        try {
            end(reason);
        } catch (RuntimeException | Error again) { // of a session that cannot be left
            ending().broke(again);
            fatal(reason);
        }
    }

    private void dropOutput() {
        ByteBuf rest = out;
        out = null;
        if (rest != null) {
            rest.release();
        }
    }

    /** A large message that arrives takes its memory from the node's budget. */
    private void account(int heldBytes) {
        int counted = heldBytes > ByteBudget.SMALL_BYTES ? heldBytes : 0;
        if (counted > accountedBytes && !server.underWay.take(counted - accountedBytes)) {
            throw server.underWay.refuse();
        }
        if (counted < accountedBytes) {
            server.underWay.giveBack(accountedBytes - counted);
        }
        accountedBytes = counted;
    }

    /** Reading stops while the client takes no answers, or has sent much that waits for a statement's end. */
    private void update() {
        PostgresSession open = session;
        if (open != null) {
            if (!open.isExecuting()) {
                unhandledBytes = 0;
            }
            boolean reads = present(context).channel().isWritable()
                    && open.waiting() < MOST_WAITING
                    && unhandledBytes < MOST_UNHANDLED_BYTES;
            present(context).channel().config().setAutoRead(reads);
            present(figures).pause(!reads);
            busy(open.isBusy());
        }
    }

    /** Requests that are executed are waited for when the node stops. */
    private void busy(boolean nowBusy) {
        if (nowBusy != isBusy) {
            isBusy = nowBusy;
            server.queued.addAndGet(nowBusy ? 1 : -1);
        }
    }

    // Messages.

    @Override
    public boolean message(FrontendMessage message) {
        PostgresSession open = session;
        if (open != null) {
            count(message);
            open.take(message);
            return !closing;
        }
        switch (message) {
            case FrontendMessage.SslRequest _ -> encrypt();
            case FrontendMessage.GssEncryptionRequest _ -> answer(false);
            case FrontendMessage.CancelRequest(int process, int secret) -> {
                cancels.cancel(process, secret);
                closing = true;
                present(context).close();
            }
            case FrontendMessage.StartupMessage start -> {
                checkEncrypted();
                take(present(login).start(start));
            }
            case FrontendMessage.AuthenticationResponse response ->
                take(present(login).respond(response));
            default -> throw PostgresLogin.malformed("a message came before the log-in was over");
        }
        return !closing;
    }

    private void count(FrontendMessage message) {
        if (message instanceof FrontendMessage.Query || message instanceof FrontendMessage.Execute) {
            statistics.requests.add(1);
            present(figures).requests.add(1);
        }
    }

    private void encrypt() {
        Supplier<SslContext> tls = server.security.tls();
        if (asksForEncryption) {
            throw PostgresLogin.malformed("a second request for encryption came");
        }
        asksForEncryption = true;
        answer(tls != null);
        if (tls != null) {
            SslHandler handler = tls.get().newHandler(present(context).alloc());
            handler.setHandshakeTimeoutMillis(
                    server.configuration.helloTimeout().toMillis());
            present(context).pipeline().addFirst(handler);
        }
    }

    private void answer(boolean isAccepted) {
        send(new BackendMessage.EncryptionAnswer(isAccepted));
        flush();
    }

    private void checkEncrypted() {
        if (server.security.tls() != null && present(context).pipeline().get(SslHandler.class) == null) {
            throw new FulmarException(
                    ErrorCode.AUTHENTICATION_FAILED, "connections are encrypted here; use sslmode=require or stricter");
        }
    }

    private @Nullable ChannelBinding binding() {
        SslHandler tls = present(context).pipeline().get(SslHandler.class);
        if (tls == null) {
            return null;
        }
        Certificate[] own = tls.engine().getSession().getLocalCertificates();
        return own != null && own.length > 0 && own[0] instanceof X509Certificate certificate
                ? ChannelBinding.ofServer(certificate).orElse(null)
                : null;
    }

    private void take(PostgresLogin.Result result) {
        switch (result) {
            case PostgresLogin.Result.Say(var messages) -> {
                messages.forEach(this::send);
                flush();
            }
            case PostgresLogin.Result.Entered entered -> open(entered);
            case PostgresLogin.Result.Refused(FulmarException reason) -> refuse(reason);
            case PostgresLogin.Result.Failed(FulmarException reason, long delayNanos) -> {
                closing = true;
                present(context).executor().schedule(() -> fatal(reason), delayNanos, TimeUnit.NANOSECONDS);
            }
        }
    }

    private void open(PostgresLogin.Result.Entered entered) {
        user = entered.caller().user();
        isTrusted = entered.caller().isTrusted();
        present(decoder).messageLimitBytes((int)
                Math.min(server.configuration.limits().frameBytes(), server.underWay.largestBytes()));
        String client = entered.settings().getOrDefault("application_name", "PostgreSQL client");
        ConnectionStatistics opened =
                new ConnectionStatistics(server.lastConnectionId.incrementAndGet(), client, origin().address());
        figures = opened;
        ClientIdentity identity = new ClientIdentity(
                entered.caller(),
                entered.user(),
                entered.database(),
                services.clientIds().of(() -> RANDOM.nextLong() | 1),
                origin().address());
        PostgresSession begun = new PostgresSession(services, identity, this::run, this);
        BackendMessage.BackendKeyData own = keys.add(() -> run(begun::cancel));
        key = own;
        session = begun;
        entered.messages().forEach(this::send);
        send(new BackendMessage.AuthenticationOk());
        server.listener.opened(opened);
        begun.begin(entered.settings(), own); // may refuse a setting, which ends the connection
    }

    private void run(Runnable task) {
        ChannelHandlerContext channel = present(context);
        channel.executor().execute(() -> {
            try {
                task.run();
                update();
            } catch (RuntimeException | Error defect) { // else its client would wait for ever
                exceptionCaught(channel, defect);
            }
        });
    }

    @Override
    public void send(BackendMessage message) {
        BackendEncoder.write(rows(), message);
        if (rows().readableBytes() >= OUT_BYTES) {
            flush();
        }
    }

    @Override
    public ByteBuf rows() {
        ByteBuf buffer = out;
        if (buffer == null) {
            buffer = present(context).alloc().buffer(OUT_BYTES);
            out = buffer;
        }
        return buffer;
    }

    @Override
    public boolean isWritable() {
        ByteBuf buffer = out;
        if (buffer != null && buffer.readableBytes() >= OUT_BYTES) {
            flush();
        }
        return present(context).channel().isWritable();
    }

    @Override
    public long place() {
        ByteBuf buffer = out;
        return sentBytes + (buffer == null ? 0 : buffer.readableBytes());
    }

    @Override
    public boolean holds(long place) {
        return sentBytes <= place;
    }

    @Override
    public void takeBack(long place) {
        Invariants.check(holds(place), "what has been sent is not taken back");
        ByteBuf buffer = out;
        if (buffer != null) {
            buffer.writerIndex(buffer.readerIndex() + (int) (place - sentBytes));
        }
    }

    @Override
    public void flush() {
        ByteBuf buffer = out;
        out = null;
        if (buffer != null) {
            sentBytes += buffer.readableBytes();
            ConnectionStatistics known = figures;
            if (known != null) {
                known.bytesWritten.add(buffer.readableBytes());
            }
            present(context).writeAndFlush(buffer);
        }
    }

    // The server.

    @Override
    public void sayGoodbye(String reason) {
        PostgresSession open = session;
        if (!closing && open != null) {
            open.stop(new FulmarException(
                    ErrorCode.NODE_STOPPING, "terminating connection due to administrator command: " + reason));
        }
    }

    @Override
    public void end(FulmarException reason) {
        if (!closing) {
            closing = true;
            // A client that reads nothing does not keep its connection.
            present(context)
                    .executor()
                    .schedule(
                            () -> {
                                present(context).close();
                            },
                            LAST_SECONDS,
                            TimeUnit.SECONDS);
            PostgresSession open = session;
            if (open != null) {
                open.leave();
            }
            fatal(reason);
        }
    }

    @Override
    public void close() {
        closing = true;
        flush();
        present(context).writeAndFlush(present(context).alloc().buffer(0)).addListener(ChannelFutureListener.CLOSE);
    }

    @Override
    public void endIf(Predicate<String> isGone) {
        if (!closing && session != null && !isTrusted && isGone.test(user)) {
            FulmarException gone = new FulmarException(
                    ErrorCode.AUTHENTICATION_FAILED,
                    "user " + user + " does not exist any more; connect as another one");
            present(audit)
                    .note(
                            AuditEvent.Kind.DENIED,
                            user,
                            "the connection is ended",
                            gone.code().name());
            end(gone);
        }
    }

    /** Says why and closes the connection. */
    private void refuse(FulmarException error) {
        if (closing) {
            return;
        }
        ending().refused(error);
        end(error);
    }

    private void fatal(FulmarException reason) {
        send(PostgresSession.fatal(reason));
        close();
    }

    private ConnectionEnd ending() {
        return new ConnectionEnd(statistics, origin());
    }

    private ClientOrigin origin() {
        return present(audit).origin();
    }

    private static <T> T present(@Nullable T part) {
        if (part == null) {
            throw new IllegalStateException("nothing happens before the connection is there");
        }
        return part;
    }
}
