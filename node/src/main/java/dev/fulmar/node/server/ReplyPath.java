package dev.fulmar.node.server;

import com.google.protobuf.MessageLite;
import dev.fulmar.coordinator.request.ConnectionSettings;
import dev.fulmar.coordinator.request.LastNumbers;
import dev.fulmar.coordinator.request.ResponseSink;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.failstop.FatalErrors;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.wire.call.ReplyKind;
import dev.fulmar.wire.call.ReplyWriter;
import dev.fulmar.wire.frame.FrameFormat;
import dev.fulmar.wire.frame.FrameKind;
import dev.fulmar.wire.proto.CatalogVersion;
import dev.fulmar.wire.proto.ConnectionError;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.util.concurrent.EventExecutor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jctools.queues.varhandle.MpscUnboundedVarHandleArrayQueue;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the responses to one client: accepts them on any thread, and encodes and sends them on the connection's event
 * loop. Everything else is on that event loop, too.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a failed close or write reaches the connection's handler
final class ReplyPath implements ResponseSink {
    private static final Logger LOG = LoggerFactory.getLogger(ReplyPath.class);
    private static final int QUEUE_CHUNK = 128;
    private static final int OUT_BYTES = 64 * 1024;

    /** Arrival times are kept by the request id's low bits; only statistics suffer when two ids meet. */
    private static final int ARRIVALS = 1024;

    /** Replies follow each other by a microsecond or two; reading the clock for each would be a good part of that. */
    private static final int REPLIES_PER_CLOCK_READING = 4;

    private static final int MAX_MESSAGE_LENGTH = 4096;
    private static final int NANOS_PER_MICRO = 1000;

    private record Reply(long requestId, TransactionResponse response) {}

    private final ChannelHandlerContext context;
    private final ServerContext server;
    private final ServerStatistics.Part statistics;
    private final MemoryUse memory;
    private final ConnectionFlow flow;
    private final MpscUnboundedVarHandleArrayQueue<Reply> handedOver =
            new MpscUnboundedVarHandleArrayQueue<>(QUEUE_CHUNK);
    private final AtomicBoolean drainScheduled = new AtomicBoolean();
    private final Runnable drain = this::drainOrClose;
    private final ChannelFutureListener taken = written -> countWaiting();
    private final LastNumbers lastNumbers = new LastNumbers();
    private final ConnectionSettings settings = new ConnectionSettings();
    private final long[] arrivalNanos = new long[ARRIVALS];

    private @Nullable ConnectionStatistics client;
    private Consumer<String> denied = reason -> {};
    private @Nullable ByteBuf out;
    private int outstanding;

    // When replies that come without a change of threads were written, near enough.
    private int repliesSinceFlush;
    private long replyNanos;

    /** Whether the socket was given bytes that it may keep until it is told to send. */
    private boolean unflushed;

    private boolean closed;

    /** The version of the protocol that the client speaks. */
    private int version;

    /** Version of the catalog last sent to the client; less than 0 if the client does not understand it. */
    private long toldCatalog = -1;

    ReplyPath(
            ChannelHandlerContext context,
            ServerContext server,
            ServerStatistics.Part statistics,
            MemoryUse memory,
            ConnectionFlow flow) {
        this.memory = memory;
        this.flow = flow;
        this.context = context;
        this.server = server;
        this.statistics = statistics;
    }

    @Override
    public boolean reserve(TransactionRequest request, long bytes) {
        return memory.reserve(request.requestId(), bytes);
    }

    @Override
    public void respond(TransactionRequest request, TransactionResponse response) {
        if (response instanceof TransactionResponse.Committed committed) {
            memory.arrived(request.requestId(), committed.results().length);
        }
        if (context.executor().inEventLoop()) {
            if ((repliesSinceFlush++ & (REPLIES_PER_CLOCK_READING - 1)) == 0) {
                replyNanos = System.nanoTime();
            }
            write(request.requestId(), response, replyNanos);
            answered(1);
        } else {
            handedOver.offer(new Reply(request.requestId(), response));
        }
    }

    @Override
    public LastNumbers lastNumbers() {
        return lastNumbers;
    }

    @Override
    public ConnectionSettings settings() {
        return settings;
    }

    @Override
    public boolean isGone() {
        return !context.channel().isActive();
    }

    @Override
    public String origin() {
        return ClientOrigin.of(context.channel().remoteAddress()).address();
    }

    @Override
    public void flush() {
        if (!drainScheduled.get() && drainScheduled.compareAndSet(false, true)) {
            try {
                context.executor().execute(drain);
            } catch (RejectedExecutionException e) {
                // The event loop has ended, and the connection with it: nobody waits for these any more.
                drainScheduled.set(false);
                LOG.debug("replies to {} are dropped, its event loop has ended", context.channel(), e);
            } catch (RuntimeException | Error e) {
                // Whether it will be run is not known; twice does no harm, never would.
                drainScheduled.set(false);
                throw e;
            }
        }
    }

    /** @param whenDenied hears why something was denied */
    void open(ConnectionStatistics statisticsOfClient, Consumer<String> whenDenied) {
        client = statisticsOfClient;
        denied = whenDenied;
    }

    /**
     * The version of the catalog that a client of that version of the protocol is welcomed with. From then on it is
     * told of a newer one before the next reply: whatever a reply may tell of it, the client knows.
     */
    long tellsCatalog(int spoken) {
        version = spoken;
        if (version < FrameFormat.CATALOG_VERSION) {
            return 0;
        }
        toldCatalog = server.catalogVersion.getAsLong();
        return toldCatalog;
    }

    private void tellCatalog() {
        long now = toldCatalog < 0 ? toldCatalog : server.catalogVersion.getAsLong();
        if (now != toldCatalog) {
            toldCatalog = now;
            writeDirect(
                    FrameKind.CATALOG,
                    CatalogVersion.newBuilder().setVersion(now).build());
        }
    }

    EventExecutor executor() {
        return context.executor();
    }

    /** Requests that were given to the router and not answered. */
    int outstanding() {
        return outstanding;
    }

    /** Counts a request that is given to the router next. */
    void expect(long requestId, long nanos) {
        outstanding++;
        server.queued.incrementAndGet();
        arrivalNanos[(int) requestId & (ARRIVALS - 1)] = nanos;
        if (client != null) {
            client.outstanding.set(outstanding);
        }
    }

    /** Answers a request that the router never saw. */
    void refuse(long requestId, ErrorCode code, String reason) {
        countFailure(code);
        ReplyWriter.writeFailed(out(), requestId, code, reason, 0);
    }

    void writeDirect(FrameKind kind, MessageLite message) {
        if (!closed) {
            FrameFormat.write(out(), kind, message);
        }
    }

    void writeText(FrameKind kind, String text) {
        if (!closed) {
            FrameFormat.write(out(), kind, text);
        }
    }

    private void writeError(FulmarException error) {
        writeDirect(
                FrameKind.CONNECTION_ERROR,
                ConnectionError.newBuilder()
                        .setCode(error.code().number())
                        .setMessage(String.valueOf(error.getMessage()))
                        .build());
    }

    /**
     * Says why the connection ends, after the answers that there are: what the client then has no answer to is what the
     * reason is about.
     */
    void end(FulmarException reason) {
        drain();
        writeError(reason);
        closeAfterFlush();
    }

    /** Sends what was written on the event loop itself. */
    void flushDirect() {
        repliesSinceFlush = 0;
        if (out != null && out.isReadable()) {
            handToSocket();
        }
        if (unflushed) {
            unflushed = false;
            context.flush();
            countWaiting();
        }
    }

    /** Counts what the client has not taken, which is nothing most of the time. */
    void countWaiting() {
        ChannelOutboundBuffer socket = context.channel().unsafe().outboundBuffer();
        flow.waits(socket == null ? 0 : socket.totalPendingWriteBytes());
    }

    void closeAfterFlush() {
        if (closed) {
            return;
        }
        ByteBuf last = out;
        out = null;
        if (last == null) {
            last = context.alloc().buffer(0);
        }
        context.writeAndFlush(last).addListener(ChannelFutureListener.CLOSE);
    }

    /** The connection is gone; answers that still come are counted and dropped. */
    void close() {
        closed = true;
        if (out != null) {
            out.release();
            out = null;
        }
        server.router.departed(this); // also without a request: it may have a transaction open
    }

    /**
     * A client whose reply is lost must not wait for it: its connection ends, which leaves its calls' outcomes unknown.
     */
    private void drainOrClose() {
        try {
            drain();
        } catch (RuntimeException | Error e) {
            context.close();
            if (e instanceof Error) {
                FatalErrors.hand(e);
            }
            LOG.error("connection {} is closed, its replies cannot be written", context.channel(), e);
        }
    }

    private void drain() {
        drainScheduled.set(false);
        long now = System.nanoTime();
        int count = 0;
        for (Reply reply = handedOver.poll(); reply != null; reply = handedOver.poll()) {
            count++;
            write(reply.requestId(), reply.response(), now);
        }
        answered(count);
        flushDirect();
    }

    private void answered(int count) {
        outstanding -= count;
        memory.answered(count);
        server.queued.addAndGet(-count);
        if (client != null) {
            client.outstanding.set(outstanding);
        }
    }

    private void write(long requestId, TransactionResponse response, long now) {
        try {
            if (!closed) {
                writeNow(requestId, response, now);
            }
        } finally {
            memory.answered(requestId);
        }
    }

    private void writeNow(long requestId, TransactionResponse response, long now) {
        long nanos = now - arrivalNanos[(int) requestId & (ARRIVALS - 1)];
        statistics.latency.record(nanos);
        int micros = (int) Math.min(Integer.MAX_VALUE, nanos / NANOS_PER_MICRO);
        tellCatalog();
        ByteBuf target = out();
        switch (response) {
            case TransactionResponse.Committed committed -> writeCommitted(target, requestId, committed, micros);
            case TransactionResponse.Failed failed -> {
                countFailure(failed.code());
                if (failed.code() == ErrorCode.PERMISSION_DENIED) {
                    denied.accept(failed.message());
                }
                NodeId lost = failed.lostNode();
                ReplyWriter.writeFailed(
                        target,
                        requestId,
                        known(failed.code()),
                        shortened(failed.message()),
                        micros,
                        lost == null ? ReplyWriter.NO_NODE : lost.number());
            }
        }
        if (target.readableBytes() >= OUT_BYTES) {
            handToSocket();
        }
    }

    /** The code, or the one that stood for it in the version that the client speaks. */
    private ErrorCode known(ErrorCode code) {
        ErrorCode known = version >= FrameFormat.NODE_ENDS_VERSION ? code : code.beforeEndsHadCodes();
        return version >= FrameFormat.BUDGET_CODES_VERSION ? known : known.beforeBudgetsHadCodes();
    }

    private void writeCommitted(ByteBuf target, long requestId, TransactionResponse.Committed committed, int micros) {
        byte[] results = committed.results();
        int limit = server.configuration.limits().resultBytes();
        if (results.length > limit) {
            countFailure(ErrorCode.RESULT_TOO_LARGE);
            ReplyWriter.writeFailed(
                    target,
                    requestId,
                    ErrorCode.RESULT_TOO_LARGE,
                    "the transaction is committed, but its results of " + results.length + " bytes exceed the limit of "
                            + limit + " and were not sent; return less, or raise the limit for results",
                    micros);
            return;
        }
        statistics.committed.increment();
        if (client != null) {
            client.committed.increment();
        }
        ReplyWriter.writeCommitted(
                target, requestId, kindOf(committed.kind()), committed.value(), results, micros, committed.snapshot());
    }

    private static ReplyKind kindOf(TransactionResponse.Kind kind) {
        return switch (kind) {
            case NOTHING -> ReplyKind.NOTHING;
            case VALUE -> ReplyKind.VALUE;
            case TABLE -> ReplyKind.TABLE;
            case TABLES -> ReplyKind.TABLES;
        };
    }

    private static String shortened(String message) {
        return message.length() <= MAX_MESSAGE_LENGTH ? message : message.substring(0, MAX_MESSAGE_LENGTH) + "...";
    }

    private void countFailure(ErrorCode code) {
        statistics.failedByCode[code.ordinal()].increment();
        if (client != null) {
            client.failed.increment();
        }
    }

    private void handToSocket() {
        ByteBuf bytes = out;
        if (bytes != null) {
            out = null;
            if (client != null) {
                client.bytesWritten.add(bytes.readableBytes());
            }
            unflushed = true;
            if (bytes.readableBytes() < OUT_BYTES && memory.waitingBytes() == 0) {
                context.write(bytes, context.voidPromise());
            } else { // it may wait for its client, and counts until that has taken it
                context.write(bytes).addListener(taken);
                countWaiting();
            }
        }
    }

    private ByteBuf out() {
        ByteBuf bytes = out;
        if (bytes == null) {
            bytes = context.alloc().directBuffer(OUT_BYTES + OUT_BYTES / 4);
            out = bytes;
        }
        return bytes;
    }
}
