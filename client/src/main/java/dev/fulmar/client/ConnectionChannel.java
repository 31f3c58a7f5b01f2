package dev.fulmar.client;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Parser;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.scram.ChannelBinding;
import dev.fulmar.wire.address.HostAddress;
import dev.fulmar.wire.call.CallWriter;
import dev.fulmar.wire.call.ReadConsistency;
import dev.fulmar.wire.call.ReplyReader;
import dev.fulmar.wire.frame.FrameDecoder;
import dev.fulmar.wire.frame.FrameFormat;
import dev.fulmar.wire.frame.FrameHandler;
import dev.fulmar.wire.frame.FrameKind;
import dev.fulmar.wire.limit.WireLimits;
import dev.fulmar.wire.proto.Bind;
import dev.fulmar.wire.proto.Bound;
import dev.fulmar.wire.proto.CatalogVersion;
import dev.fulmar.wire.proto.ConnectionError;
import dev.fulmar.wire.proto.Hello;
import dev.fulmar.wire.proto.Topology;
import dev.fulmar.wire.proto.Welcome;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import java.nio.charset.StandardCharsets;
import java.util.BitSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Handler of one TCP connection to a node: writes calls as frames, and passes the node's frames to its listener. All on
 * its event loop.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a failed write or close reaches exceptionCaught or channelInactive
final class ConnectionChannel extends ChannelInboundHandlerAdapter implements FrameHandler {
    /** Hears what comes over one TCP connection, on its event loop. */
    interface Listener {
        /** The address of the node. */
        HostAddress address();

        /** The handshake is over: calls can be sent. */
        void welcomed(ConnectionChannel source, Welcome welcome);

        /** @param reply valid during the call */
        void replied(ReplyReader reply);

        /** The nodes of the cluster, and the partitions that they serve. */
        void learn(Topology told);

        /** The partitioning parameter of a procedure. */
        void learn(Bound told);

        /** The node stops, and takes no new calls. */
        void serverStops();

        /** The server closes the connection and says why. Then it is lost. */
        void refused(ConnectionChannel source, FulmarException reason);

        void lost(ConnectionChannel source, FulmarException cause);
    }

    private static final int OUT_BYTES = 64 * 1024;

    private final Listener listener;
    private final Hello hello;
    private final long welcomeNanos;
    private final ClientHandshake handshake;
    private final ReplyReader replyReader = new ReplyReader();
    private final BitSet bound = new BitSet();

    private @Nullable ChannelHandlerContext context;
    private @Nullable FrameDecoder decoder;

    /** The end of the time for the Welcome. */
    private @Nullable Future<?> welcome;

    private @Nullable ByteBuf out;
    private WireLimits limits = WireLimits.DEFAULT;

    /** That both sides speak; 0 before the Welcome. */
    private int version;

    /** Of the catalog, that the server told last; 0 if it does not tell. */
    private long catalogVersion;

    /** The reason for which the connection ended, as far as it is known. */
    private @Nullable FulmarException cause;

    /** The server said why it ends the connection. */
    private boolean refused;

    /** @param welcomeNanos longest time until the server's Welcome; a process that hangs accepts connections too */
    ConnectionChannel(
            Listener listener, long clientId, String clientName, long welcomeNanos, ClientHandshake handshake) {
        this.listener = listener;
        this.welcomeNanos = welcomeNanos;
        this.hello = Hello.newBuilder()
                .setOldestVersion(FrameFormat.OLDEST_VERSION)
                .setNewestVersion(FrameFormat.NEWEST_VERSION)
                .setClientId(clientId)
                .setClientName(clientName)
                .setSoftware("fulmar-java")
                .build();
        this.handshake = handshake;
    }

    @Override
    public void channelActive(ChannelHandlerContext channelContext) {
        context = channelContext;
        decoder = new FrameDecoder(channelContext.alloc(), limits.frameBytes());
        welcome = channelContext.executor().schedule(this::notWelcomed, welcomeNanos, TimeUnit.NANOSECONDS);
        if (channelContext.pipeline().get(SslHandler.class) == null) {
            introduce(ChannelBinding.none());
        }
    }

    private void notWelcomed() {
        fail(new FulmarException(
                ErrorCode.NOT_CONNECTED,
                "the server at " + listener.address() + " took the connection, and said nothing for "
                        + TimeUnit.NANOSECONDS.toMillis(welcomeNanos) + " ms; look whether it hangs"));
    }

    private void awaitNoWelcome() {
        Future<?> awaited = welcome;
        if (awaited != null) {
            awaited.cancel(false);
        }
    }

    /** With TLS, nothing is said before it is known to whom. */
    @Override
    public void userEventTriggered(ChannelHandlerContext channelContext, Object event) {
        if (event instanceof SslHandshakeCompletionEvent completion) {
            SslHandler tls = channelContext.pipeline().get(SslHandler.class);
            if (!completion.isSuccess()) {
                fail(handshake.notEncrypted(completion.cause()));
            } else if (tls != null) {
                introduce(handshake.bindingOf(tls.engine().getSession()));
            }
        }
        channelContext.fireUserEventTriggered(event);
    }

    private void introduce(ChannelBinding binding) {
        FrameFormat.write(out(), FrameKind.HELLO, hello);
        String first = handshake.begin(hello, binding);
        if (!first.isEmpty()) {
            FrameFormat.write(out(), FrameKind.AUTHENTICATION, first);
        }
        flush();
    }

    private void authenticate(String text) {
        String answer = handshake.message(text);
        if (!answer.isEmpty()) {
            FrameFormat.write(out(), FrameKind.AUTHENTICATION, answer);
            flush();
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext channelContext, Object message) {
        ByteBuf bytes = (ByteBuf) message;
        try {
            if (cause == null && !decoder().decode(bytes, this)) {
                channelContext.close();
            }
        } catch (FulmarException e) {
            fail(e);
        } finally {
            bytes.release();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext channelContext) {
        awaitNoWelcome();
        if (decoder != null) {
            decoder.close();
        }
        if (out != null) {
            out.release();
            out = null;
        }
        FulmarException known = cause;
        if (known != null && refused) {
            listener.refused(this, known);
        }
        listener.lost(
                this, known != null ? known : new FulmarException(ErrorCode.NOT_CONNECTED, ended(channelContext)));
    }

    /** A node with TLS closes what does not speak it, and cannot say so. */
    private String ended(ChannelHandlerContext channelContext) {
        boolean isPlain = channelContext.pipeline().get(SslHandler.class) == null;
        return version == 0 && isPlain
                ? "the connection to " + listener.address()
                        + " was ended before the server said anything; if it wants TLS,"
                        + " connect so (bin/fulmar: --tls-trust), else see the server's log for the reason"
                : "the connection to " + listener.address() + " broke; see the server's log for the reason";
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext channelContext, Throwable thrown) {
        fail(
                thrown instanceof FulmarException known
                        ? known
                        : new FulmarException(
                                ErrorCode.NOT_CONNECTED,
                                "the connection to " + listener.address() + " failed: " + thrown.getMessage(),
                                thrown));
    }

    @Override
    public boolean frame(FrameKind kind, ByteBuf buffer, int offset, int length) {
        switch (kind) {
            case PROCEDURE_REPLY -> listener.replied(replyReader.wrap(buffer, offset, length));
            case WELCOME -> {
                handshake.welcomed();
                awaitNoWelcome();
                Welcome told = parse(Welcome.parser(), buffer, offset, length);
                limits = WireLimits.of(told.getLimits());
                version = told.getVersion();
                catalogVersion = told.getCatalogVersion();
                // A reply may be as large as the server allows, whatever this side would send.
                decoder().frameLimitBytes(limits.frameBytes());
                listener.welcomed(this, told);
            }
            case AUTHENTICATION -> authenticate(buffer.toString(offset, length, StandardCharsets.UTF_8));
            case TOPOLOGY -> listener.learn(parse(Topology.parser(), buffer, offset, length));
            case BOUND -> listener.learn(parse(Bound.parser(), buffer, offset, length));
            case CATALOG ->
                catalogVersion =
                        parse(CatalogVersion.parser(), buffer, offset, length).getVersion();
            case GOODBYE -> listener.serverStops();
            case CONNECTION_ERROR -> {
                ConnectionError error = parse(ConnectionError.parser(), buffer, offset, length);
                cause = new FulmarException(ErrorCode.ofNumber(error.getCode()), error.getMessage());
                refused = true;
                return false;
            }
            case HELLO, BIND, PROCEDURE_CALL, STATEMENT_CALL, CANCEL ->
                throw new FulmarException(
                        ErrorCode.MALFORMED_REQUEST,
                        "the server at " + listener.address() + " sent a " + kind
                                + "; use client and server of matching versions");
        }
        return true;
    }

    WireLimits limits() {
        return limits;
    }

    /** The version of the catalog that the server told last; 0 if it does not tell. */
    long catalogVersion() {
        return catalogVersion;
    }

    /** Appends the call to what is sent next. */
    void write(PendingCall call) {
        ByteBuf target = out();
        if (call.statement) {
            CallWriter.writeStatementCall(
                    target,
                    call.requestId,
                    call.text,
                    call.parameters,
                    call.parametersLength,
                    call.timeoutMillis,
                    consistency(call),
                    call.catalogVersion);
        } else if (call.procedureNumber <= limits.boundProcedures()) {
            if (!bound.get(call.procedureNumber)) {
                bind(target, call);
            }
            CallWriter.writeProcedureCall(
                    target,
                    call.requestId,
                    call.procedureNumber,
                    "",
                    call.parameters,
                    call.parametersLength,
                    call.timeoutMillis,
                    consistency(call),
                    call.catalogVersion);
        } else {
            CallWriter.writeProcedureCall(
                    target,
                    call.requestId,
                    0,
                    call.text,
                    call.parameters,
                    call.parametersLength,
                    call.timeoutMillis,
                    consistency(call),
                    call.catalogVersion);
        }
        if (call.isCancelled) {
            cancel(call);
        }
        if (target.readableBytes() >= OUT_BYTES) {
            handOver();
        }
    }

    /** Asks for the call to be ended; false if the server does not understand that, or the call has no handle. */
    boolean cancel(PendingCall call) {
        if (version < FrameFormat.CANCEL_VERSION || hello.getClientId() == 0) {
            return false;
        }
        CallWriter.writeCancel(out(), call.requestId);
        return true;
    }

    /**
     * A call's caller wants it to end: the server is asked now, or when the call is sent again.
     *
     * @param open over which it was sent, null if that is lost
     */
    static void cancel(PendingCall call, @Nullable ConnectionChannel open, CompletableFuture<@Nullable Void> asked) {
        call.isCancelled = true;
        if (call.settled || open == null || open.cancel(call)) {
            asked.complete(null);
        } else {
            asked.completeExceptionally(new FulmarException(
                    ErrorCode.NOT_SUPPORTED,
                    "the call goes on: the node is of a version that cannot cancel calls, or the client was built with"
                            + " repeatUnanswered(false), without which its calls have no handles"));
        }
    }

    private static ReadConsistency consistency(PendingCall call) {
        return switch (call.consistency) {
            case DECLARED -> ReadConsistency.DECLARED;
            case STRICT -> ReadConsistency.STRICT;
            case SNAPSHOT -> ReadConsistency.SNAPSHOT;
        };
    }

    /** Sends what was written. */
    void flush() {
        if (out != null && out.isReadable()) {
            handOver();
        }
        ChannelHandlerContext target = context;
        if (target != null) {
            target.flush();
        }
    }

    void close() {
        ChannelHandlerContext target = context;
        if (target != null) {
            target.close();
        }
    }

    private void bind(ByteBuf target, PendingCall call) {
        FrameFormat.write(
                target,
                FrameKind.BIND,
                Bind.newBuilder()
                        .setNumber(call.procedureNumber)
                        .setProcedure(call.text)
                        .build());
        bound.set(call.procedureNumber);
    }

    private void handOver() {
        ChannelHandlerContext target = context;
        ByteBuf bytes = out;
        if (target != null && bytes != null) {
            out = null;
            target.write(bytes, target.voidPromise());
        }
    }

    private ByteBuf out() {
        ByteBuf bytes = out;
        if (bytes == null) {
            ChannelHandlerContext target = context;
            if (target == null) {
                throw new IllegalStateException("nothing is written before the connection is there");
            }
            bytes = target.alloc().directBuffer(OUT_BYTES + OUT_BYTES / 4);
            out = bytes;
        }
        return bytes;
    }

    private FrameDecoder decoder() {
        FrameDecoder known = decoder;
        if (known == null) {
            throw new IllegalStateException("nothing is read before the connection is there");
        }
        return known;
    }

    private void fail(FulmarException error) {
        if (cause == null) {
            cause = error;
        }
        close();
    }

    private static <T> T parse(Parser<T> parser, ByteBuf buffer, int offset, int length) {
        try {
            return parser.parseFrom(buffer.nioBuffer(offset, length));
        } catch (InvalidProtocolBufferException e) {
            throw new FulmarException(
                    ErrorCode.MALFORMED_REQUEST,
                    "a message of the server cannot be read; use client and server of matching versions",
                    e);
        }
    }
}
