package dev.fulmar.node.server;

import dev.fulmar.coordinator.cluster.RequestForwarding;
import dev.fulmar.coordinator.cluster.SessionCancels;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.wire.postgres.message.BackendMessage;
import java.security.SecureRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The keys with which clients of PostgreSQL's protocol cancel statements over other connections. The first half of a
 * key names the node of its session, so such a connection may be one to another node. Thread-safe.
 */
public final class CancelKeys implements SessionCancels {
    private record Entry(int secret, Runnable cancel) {}

    /** A session has one of so many numbers; before it stand the last bits of the node's. */
    private static final int SESSION_BITS = 20;

    private static final int SESSION_MASK = (1 << SESSION_BITS) - 1;
    private static final int NODE_MASK = Integer.MAX_VALUE >>> SESSION_BITS;

    private final SecureRandom random = new SecureRandom();
    private final NodeId node;
    private final AtomicInteger last = new AtomicInteger();
    private final ConcurrentHashMap<Integer, Entry> byProcess = new ConcurrentHashMap<>();

    public CancelKeys(NodeId node) {
        this.node = node;
    }

    /**
     * A new key.
     *
     * @param cancel ends the connection's statement; called on any thread
     */
    BackendMessage.BackendKeyData add(Runnable cancel) {
        Entry entry = new Entry(random.nextInt(), cancel);
        int process;
        do { // past numbers of sessions that have lasted since they were counted last
            process = (bitsOf(node) << SESSION_BITS) | (last.incrementAndGet() & SESSION_MASK);
        } while (byProcess.putIfAbsent(process, entry) != null);
        return new BackendMessage.BackendKeyData(process, entry.secret());
    }

    void remove(BackendMessage.BackendKeyData key) {
        byProcess.remove(key.processId());
    }

    /** Cancels a statement of a session of this node. */
    @Override
    public void cancel(int process, int secret) {
        Entry entry = byProcess.get(process);
        if (entry != null && entry.secret() == secret) {
            entry.cancel().run();
        }
    }

    /**
     * Cancels statements of sessions of all nodes.
     *
     * @param links to the other nodes; null if there are none
     */
    public SessionCancels onAllNodes(@Nullable RequestForwarding links) {
        return (process, secret) -> {
            cancel(process, secret);
            if (links == null) {
                return;
            }
            for (NodeId other : links.clientAddresses().keySet()) {
                if (!other.equals(node) && bitsOf(other) == (process >>> SESSION_BITS)) {
                    links.cancelSession(other, process, secret);
                }
            }
        };
    }

    private static int bitsOf(NodeId node) {
        return node.number() & NODE_MASK;
    }
}
