package dev.fulmar.foundation.network.real;

import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.network.Network;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Nodes of one process that reach each other without sockets. Each node receives on a thread of its own. A node that does not keep up loses
 * the messages that would exceed its limit of waiting bytes, as with a broken link.
 */
public final class LoopbackNetwork implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LoopbackNetwork.class);

    private final long maxWaitingBytes;
    private final Map<NodeId, Endpoint> endpoints = new ConcurrentHashMap<>();

    /** @param maxWaitingBytes limit of the bytes that wait for one node */
    public LoopbackNetwork(long maxWaitingBytes) {
        this.maxWaitingBytes = maxWaitingBytes;
    }

    /** Joins the node, replacing an earlier one with the id, whose waiting messages are lost. */
    public Network join(NodeId node) {
        Endpoint endpoint = new Endpoint(node);
        Endpoint previous = endpoints.put(node, endpoint);
        if (previous != null) {
            previous.leave();
        }
        return endpoint;
    }

    /** Takes the node off the network; waiting messages to it are lost. */
    public void leave(NodeId node) {
        Endpoint endpoint = endpoints.remove(node);
        if (endpoint != null) {
            endpoint.leave();
        }
    }

    @Override
    public void close() {
        endpoints.keySet().forEach(this::leave);
    }

    /** One node's access. */
    private final class Endpoint implements Network {
        private final NodeId self;
        private final ExecutorService executor;
        private final AtomicLong waitingBytes = new AtomicLong();
        private volatile @Nullable Receiver receiver;

        Endpoint(NodeId self) {
            this.self = self;
            this.executor = new ThreadPoolExecutor(
                    1,
                    1,
                    0,
                    TimeUnit.SECONDS,
                    new LinkedBlockingQueue<>(Integer.MAX_VALUE),
                    Thread.ofPlatform().daemon().name("network-" + self).factory());
        }

        @Override
        public NodeId self() {
            return self;
        }

        @Override
        public void send(NodeId to, ByteBuffer message) {
            byte[] copy = new byte[message.remaining()];
            message.get(copy);
            Endpoint target = endpoints.get(to);
            if (target != null && endpoints.get(self) == this) {
                target.accept(self, copy);
            }
        }

        private void accept(NodeId from, byte[] message) {
            if (waitingBytes.addAndGet(message.length) > maxWaitingBytes) {
                waitingBytes.addAndGet(-message.length);
                LOG.warn("{} has more than {} bytes waiting and loses a message from {}", self, maxWaitingBytes, from);
                return;
            }
            try {
                executor.execute(() -> deliver(from, message));
            } catch (RejectedExecutionException e) {
                LOG.debug("{} left before a message from {} arrived", self, from, e);
            }
        }

        private void deliver(NodeId from, byte[] message) {
            waitingBytes.addAndGet(-message.length);
            Receiver current = receiver;
            if (current != null) {
                try {
                    current.received(from, ByteBuffer.wrap(message));
                } catch (RuntimeException | Error e) {
                    LOG.error("The receiver of {} failed on a message from {}; please report this", self, from, e);
                }
            }
        }

        @Override
        public void onMessage(Receiver newReceiver) {
            receiver = newReceiver;
        }

        void leave() {
            executor.shutdownNow();
        }
    }
}
