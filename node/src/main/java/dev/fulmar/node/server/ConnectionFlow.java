package dev.fulmar.node.server;

import dev.fulmar.foundation.memory.ByteBudget;
import dev.fulmar.wire.frame.FrameDecoder;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundBuffer;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Flow control of one client's connection: reading stops while the client takes no replies, or memory for its next
 * frame is short. It also limits the time for which a client may keep memory for nothing. A client that neither sends
 * more of a large frame nor takes any of its replies for some time is cut off, sooner where memory is scarce. On the
 * event loop.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a failed close reaches channelInactive
final class ConnectionFlow {
    /** Seconds for which a client may stand still where memory is scarce. */
    static final int SCARCE_SECONDS = 3;

    private static final Logger LOG = LoggerFactory.getLogger(ConnectionFlow.class);

    private final ChannelHandlerContext context;
    private final FrameDecoder decoder;
    private final MemoryUse memory;
    private final ByteBudget budget;
    private final ServerStatistics.Part statistics;
    private final long patienceSeconds;

    private @Nullable ConnectionStatistics client;
    private boolean waitsForRoom;
    private boolean isWatched;
    private boolean closed;

    // As the last look found them.
    private long received;
    private long seenReceived;
    private long seenWaiting;
    private long seenProgress;
    private int silentSeconds;
    private int unreadSeconds;

    ConnectionFlow(
            ChannelHandlerContext context,
            FrameDecoder decoder,
            MemoryUse memory,
            ServerContext server,
            ServerStatistics.Part statistics) {
        this.context = context;
        this.decoder = decoder;
        this.memory = memory;
        this.budget = server.underWay;
        this.statistics = statistics;
        this.patienceSeconds = Math.max(1, server.configuration.stallTimeout().toSeconds());
    }

    void open(ConnectionStatistics figures) {
        client = figures;
    }

    /** Bytes came, and the frames that they completed were handled. */
    void read(int bytes) {
        received += bytes;
        if (!waitsForRoom && !goesOn(statistics.awaitedRoom.isEmpty())) {
            waitsForRoom = true;
            update();
            statistics.awaitedRoom.add(context.executor(), this::goOn);
        }
    }

    private boolean goOn() {
        if (!closed) {
            if (!goesOn(true)) {
                return false;
            }
            waitsForRoom = false;
            update();
        }
        return true;
    }

    /** Whether there is room for what is awaited, which it then has. */
    private boolean goesOn(boolean isFirst) {
        int awaited = decoder.awaitedBytes();
        if (awaited <= ByteBudget.SMALL_BYTES || memory.hasFrame()) {
            return true;
        }
        if (!isFirst || !memory.begins(awaited)) {
            return false;
        }
        decoder.expectWhole();
        watch();
        return true;
    }

    /** Stops or resumes reading; a client that does not read its replies may not send requests either. */
    void update() {
        boolean reads = context.channel().isWritable() && !waitsForRoom;
        context.channel().config().setAutoRead(reads);
        if (client != null) {
            client.pause(!reads);
        }
    }

    /** Sets the bytes that wait to be written. */
    void waits(long bytes) {
        if (bytes != memory.waitingBytes()) {
            memory.waits(bytes);
            watch();
        }
    }

    void close() {
        closed = true;
        memory.waits(0);
        memory.frameEnded();
    }

    private void watch() {
        if (!isWatched && !closed && (memory.hasFrame() || memory.waitingBytes() > 0)) {
            isWatched = true;
            silentSeconds = 0;
            unreadSeconds = 0;
            context.executor().schedule(this::look, 1, TimeUnit.SECONDS);
        }
    }

    private void look() {
        isWatched = false;
        ChannelOutboundBuffer out = context.channel().unsafe().outboundBuffer();
        if (closed || out == null) {
            return;
        }
        int silent = silentSeconds;
        int unread = unreadSeconds;
        watch();
        silentSeconds = memory.hasFrame() && received == seenReceived ? silent + 1 : 0;
        boolean isUnread = out.totalPendingWriteBytes() > 0
                && out.totalPendingWriteBytes() == seenWaiting
                && out.currentProgress() == seenProgress;
        unreadSeconds = isUnread ? unread + 1 : 0;
        seenReceived = received;
        seenWaiting = out.totalPendingWriteBytes();
        seenProgress = out.currentProgress();
        long patience = budget.isScarce() ? Math.min(patienceSeconds, SCARCE_SECONDS) : patienceSeconds;
        if (Math.max(silentSeconds, unreadSeconds) >= patience) {
            statistics.stalled.increment();
            LOG.info(
                    "connection of {} is closed: its client {} for {} s",
                    context.channel().remoteAddress(),
                    unreadSeconds >= patience ? "took nothing of its replies" : "sent nothing more of a large request",
                    patience);
            context.close();
        }
    }
}
