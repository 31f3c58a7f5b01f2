package dev.fulmar.foundation.network.real;

import dev.fulmar.foundation.failstop.FatalErrors;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.network.Network;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.EventLoopGroup;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The links of one process to other nodes over TCP. It listens at once, and reaches others once it has its place in the
 * cluster ({@link #begin}) and knows them ({@link #reach}).
 */
@SuppressWarnings("FutureReturnValueIgnored") // what fails on a connection ends it, and its end is told
public final class TcpNetwork implements Network, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(TcpNetwork.class);
    private static final long TICK_MILLIS = 250;
    private static final long GRACE_SECONDS = 2;

    private final NodeId self;
    private final LinkSettings settings;
    private final LinkSockets sockets;
    private final EventLoopGroup loop;
    private final Map<NodeId, LinkSession> sessions = new ConcurrentHashMap<>();

    /** Only the links' thread uses what follows. */
    private final Map<NodeId, LinkPeer> peers = new TreeMap<>();

    private @Nullable Membership membership;
    private boolean closed;
    private volatile @Nullable Receiver receiver;
    private volatile @Nullable LinkListener listener;

    /** The process's place in the cluster. */
    record Membership(UUID clusterId, long incarnation) {}

    /** @param security null for connections without TLS */
    public TcpNetwork(NodeId self, LinkSettings settings, @Nullable LinkSecurity security) {
        this.self = self;
        this.settings = settings;
        this.sockets = new LinkSockets(security);
        this.loop = sockets.loop();
        loop.scheduleWithFixedDelay(this::tickOrEnd, TICK_MILLIS, TICK_MILLIS, TimeUnit.MILLISECONDS);
    }

    /** Listens at the address, port 0 for any that is free, and tells where. Nobody is heard before {@link #begin}. */
    public InetSocketAddress listen(InetSocketAddress address) throws IOException {
        return sockets.listen(address, () -> new AcceptedLink(this));
    }

    /** The process has its place: from now on others are reached and may come. Receiver and listener must be there. */
    public void begin(UUID clusterId, long incarnation) {
        loop.execute(() -> {
            membership = new Membership(clusterId, incarnation);
            peers.values().forEach(this::connect);
        });
    }

    /** The node is a member, its youngest known process has the incarnation and listens at the address. */
    public void reach(NodeId node, InetSocketAddress address, long incarnation) {
        if (node.equals(self)) {
            return;
        }
        loop.execute(() -> {
            LinkPeer peer = peers.computeIfAbsent(node, LinkPeer::new);
            peer.met(incarnation);
            if (!address.equals(peer.address)) {
                peer.address = address;
                peer.backoffNanos = 0;
            }
            connect(peer);
        });
    }

    /** The node is no member any more. */
    public void forget(NodeId node) {
        loop.execute(() -> {
            LinkPeer peer = peers.remove(node);
            if (peer != null) {
                peer.isForgotten = true;
                end(peer, "it has left the cluster");
            }
        });
    }

    /** States of all links. */
    public List<LinkState> links() {
        CompletableFuture<List<LinkState>> states = new CompletableFuture<>();
        try {
            loop.execute(() -> {
                List<LinkState> found = new ArrayList<>();
                peers.values().forEach(peer -> found.add(peer.state()));
                states.complete(found);
            });
        } catch (RejectedExecutionException e) {
            LOG.debug("the links are closed", e);
            return List.of();
        }
        return states.join();
    }

    @Override
    public NodeId self() {
        return self;
    }

    @Override
    public boolean send(NodeId to, ByteBuffer... parts) {
        int length = 0;
        for (ByteBuffer part : parts) {
            length = Math.addExact(length, part.remaining());
        }
        if (length > MAX_MESSAGE_BYTES) {
            throw new IllegalArgumentException(
                    "a message of " + length + " bytes; there are at most " + MAX_MESSAGE_BYTES);
        }
        if (to.equals(self)) {
            return sendToSelf(parts, length);
        }
        LinkSession session = sessions.get(to);
        if (session == null) {
            return false;
        }
        if (session.isTooMuch(length)) {
            endSession(session, "more than " + settings.maxWaitingBytes() + " bytes wait for it");
            return false;
        }
        ByteBuf frame = PooledByteBufAllocator.DEFAULT.buffer(Integer.BYTES + length);
        frame.writeInt(length);
        for (ByteBuffer part : parts) {
            frame.writeBytes(part.duplicate());
        }
        return session.add(frame);
    }

    private boolean sendToSelf(ByteBuffer[] parts, int length) {
        ByteBuffer message = ByteBuffer.allocate(length);
        for (ByteBuffer part : parts) {
            message.put(part.duplicate());
        }
        message.flip();
        try {
            loop.execute(() -> deliver(self, message));
        } catch (RejectedExecutionException e) {
            LOG.debug("the links are closed", e);
            return false;
        }
        return true;
    }

    @Override
    public boolean isBusy(NodeId to) {
        LinkSession session = sessions.get(to);
        return session != null && session.isBusy();
    }

    @Override
    public void endSession(NodeId node, String reason) {
        LinkSession session = sessions.get(node);
        if (session != null) {
            LinkHandler handler = session.channel.pipeline().get(LinkHandler.class);
            if (handler != null && session.channel.eventLoop().inEventLoop()) {
                handler.turnDeaf();
            }
            endSession(session, reason);
        }
    }

    private void endSession(LinkSession session, String reason) {
        loop.execute(() -> {
            LinkPeer peer = peers.get(session.peer);
            if (peer != null && peer.session == session) {
                end(peer, reason);
            }
        });
    }

    @Override
    public void onMessage(Receiver newReceiver) {
        receiver = newReceiver;
    }

    @Override
    public void onLink(LinkListener newListener) {
        listener = newListener;
    }

    // What follows runs on the links' thread.

    @Nullable Membership membership() {
        return membership;
    }

    /** The member; null for a stranger. */
    @Nullable LinkPeer peer(NodeId node) {
        return peers.get(node);
    }

    /** The handshake is done. */
    void open(LinkPeer peer, Channel channel, LinkHandler handler) {
        end(peer, "another session begins");
        LinkSession session = new LinkSession(peer.node, channel, settings, () -> {
            LinkListener current = listener;
            if (current != null) {
                current.linkFree(peer.node);
            }
        });
        peer.opened(session, handler);
        sessions.put(peer.node, session);
        LOG.info("the link to {} is up", peer.node);
        LinkListener current = listener;
        if (current != null) {
            current.linkUp(peer.node);
        }
    }

    /** The connection is broken. */
    void ended(LinkPeer peer, LinkHandler handler, String reason) {
        if (handler.equals(peer.handler)) {
            end(peer, reason);
        }
    }

    /** An attempt at a session has failed. */
    void failed(LinkPeer peer, String reason) {
        if (peer.failed(reason)) {
            LOG.info("no link to {}: {}", peer.node, reason);
        }
        connectLater(peer);
    }

    private void end(LinkPeer peer, String reason) {
        LinkSession session = peer.session;
        if (session == null) {
            return;
        }
        peer.closed(reason);
        session.end();
        sessions.remove(peer.node, session);
        session.channel.close();
        LOG.info("the link to {} is lost: {}", peer.node, reason);
        LinkListener current = listener;
        if (current != null) {
            current.linkLost(peer.node);
        }
        connectLater(peer);
    }

    private void connectLater(LinkPeer peer) {
        if (peer.isForgotten || closed || self.compareTo(peer.node) > 0) {
            return;
        }
        long delay = peer.nextBackoff(settings);
        peer.isWaiting = true;
        loop.schedule(
                () -> {
                    peer.isWaiting = false;
                    connect(peer);
                },
                delay,
                TimeUnit.NANOSECONDS);
    }

    private void connect(LinkPeer peer) {
        Membership own = membership;
        InetSocketAddress address = peer.address;
        if (own == null
                || address == null
                || closed
                || peer.isForgotten
                || peer.isWaiting
                || peer.isConnecting
                || peer.session != null
                || self.compareTo(peer.node) > 0) {
            return;
        }
        peer.isConnecting = true;
        ConnectingLink link =
                new ConnectingLink(this, peer, new Greeting.Hello(own.clusterId(), self, peer.node, own.incarnation()));
        sockets.connect(address, link, reason -> link.ended("it does not answer at " + address + ": " + reason));
    }

    void deliver(NodeId from, ByteBuffer message) {
        Receiver current = receiver;
        if (current == null) {
            return;
        }
        try {
            current.received(from, message);
        } catch (RuntimeException e) {
            LOG.error("a message from {} could not be handled; please report this", from, e);
            endSession(from, "a message of it could not be handled");
        }
    }

    /**
     * Netty repeats nothing that has thrown, and says nothing of it; without ticks a silent connection is never given
     * up.
     */
    private void tickOrEnd() {
        try {
            tick();
        } catch (RuntimeException | Error e) {
            FatalErrors.hand(e);
        }
    }

    private void tick() {
        int maxTicks = (int) Math.max(2, settings.silence().toMillis() / TICK_MILLIS);
        for (LinkPeer peer : List.copyOf(peers.values())) {
            LinkSession session = peer.session;
            LinkHandler handler = peer.handler;
            if (session == null || handler == null) {
                continue;
            }
            if (handler.tick() > maxTicks) {
                end(peer, "nothing was heard of it for " + settings.silence().toMillis() + " ms");
            } else {
                session.channel.writeAndFlush(
                        PooledByteBufAllocator.DEFAULT.buffer(Integer.BYTES).writeInt(0));
            }
        }
    }

    /** Ends all links; their loss is told. */
    @Override
    public void close() {
        loop.submit(() -> {
                    closed = true;
                    List.copyOf(peers.values()).forEach(peer -> end(peer, "this node stops"));
                })
                .awaitUninterruptibly();
        sockets.close(GRACE_SECONDS);
    }
}
