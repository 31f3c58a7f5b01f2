package dev.fulmar.foundation.network.real;

import dev.fulmar.foundation.id.NodeId;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * State that {@link TcpNetwork} keeps of one other node: its address, current session, retry delay and traffic
 * counters. For the links' thread.
 */
final class LinkPeer {
    /** A session that has lived so long was a good one: the next attempt need not wait. */
    private static final long GOOD_SESSION_NANOS = 2_000_000_000L;

    final NodeId node;

    @Nullable InetSocketAddress address;

    @Nullable LinkSession session;

    @Nullable LinkHandler handler;

    boolean isForgotten;
    boolean isWaiting;
    boolean isConnecting;
    long backoffNanos;
    private long incarnation;
    private long openedNanos;
    private long sessions;
    private long sentMessages;
    private long sentBytes;
    private long receivedMessages;
    private long receivedBytes;
    private String problem = "";

    LinkPeer(NodeId node) {
        this.node = node;
    }

    /** Its youngest process known so far. */
    long incarnation() {
        return incarnation;
    }

    void met(long itsIncarnation) {
        incarnation = Math.max(incarnation, itsIncarnation);
    }

    void opened(LinkSession opened, LinkHandler itsHandler) {
        session = opened;
        handler = itsHandler;
        openedNanos = System.nanoTime();
        sessions++;
        problem = "";
    }

    void closed(String reason) {
        LinkSession last = session;
        if (last != null) {
            sentMessages += last.sentMessages();
            sentBytes += last.sentBytes();
        }
        if (handler != null) {
            handler.turnDeaf();
        }
        session = null;
        handler = null;
        problem = reason;
        if (System.nanoTime() - openedNanos > GOOD_SESSION_NANOS) {
            backoffNanos = 0;
        }
    }

    /** Whether this is another problem than before. */
    boolean failed(String reason) {
        boolean isNews = !reason.equals(problem);
        problem = reason;
        return isNews;
    }

    void received(int bytes) {
        receivedMessages++;
        receivedBytes += bytes;
    }

    long nextBackoff(LinkSettings settings) {
        backoffNanos = backoffNanos == 0
                ? settings.minBackoff().toNanos()
                : Math.min(2 * backoffNanos, settings.maxBackoff().toNanos());
        return backoffNanos;
    }

    LinkState state() {
        LinkSession open = session;
        return new LinkState(
                node,
                open != null,
                sessions,
                sentMessages + (open == null ? 0 : open.sentMessages()),
                sentBytes + (open == null ? 0 : open.sentBytes()),
                receivedMessages,
                receivedBytes,
                open == null ? 0 : open.waitingBytes(),
                problem);
    }
}
