package dev.fulmar.simulator.cluster;

import dev.fulmar.coordinator.request.ResponseSink;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.random.RandomSource;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A client's connection to one life of a node, over which it sends the statements of its transactions. */
final class SessionLink implements ResponseSink {
    private static final int MOST_NOTICE_NANOS = 50_000_000;

    private final SimulatedCluster cluster;
    private final FaultInjector faults;
    private final RandomSource random;
    private final SimulatedNode node;
    private final int life;
    private final TreeMap<Long, Listener> waiting = new TreeMap<>();
    private long lastArrivalNanos;
    private boolean isGone;

    /** Hears what came of a statement, once. */
    interface Listener {
        void answered(TransactionResponse response);

        /** No answer comes: the connection broke, or there never was one. */
        void lost();
    }

    SessionLink(SimulatedCluster cluster, FaultInjector faults, RandomSource random, NodeId to) {
        this.cluster = cluster;
        this.faults = faults;
        this.random = random;
        this.node = cluster.node(to);
        this.life = node.life();
    }

    NodeId node() {
        return node.node();
    }

    private int travelNanos() {
        return 1 + random.nextInt(cluster.scenario().maxTravelNanos());
    }

    /** Sends a statement of the transaction with the number. */
    void send(long transaction, TransactionRequest.AdHoc request, long patienceNanos, Listener listener) {
        if (isGone) {
            loses(listener);
            return;
        }
        waiting.put(request.requestId(), listener);
        long now = cluster.world().nowNanos();
        lastArrivalNanos = Math.max(lastArrivalNanos + 1, now + travelNanos()); // none overtakes another
        cluster.world().schedule(lastArrivalNanos - now, "a statement travels", () -> {
            if (!node.takesClients() || node.life() != life) {
                breaks();
            } else if (!isGone && faults.isReached(node.node())) {
                node.execute(transaction, request, this);
            }
        });
        cluster.world().schedule(patienceNanos, "a client waits for its statement", () -> {
            if (waiting.containsKey(request.requestId())) {
                breaks();
            }
        });
    }

    /** The client closes it, or its node has ended. */
    void breaks() {
        if (isGone) {
            return;
        }
        isGone = true;
        if (node.takesClients() && node.life() == life) {
            node.departed(this);
        }
        TreeMap<Long, Listener> left = new TreeMap<>(waiting);
        waiting.clear();
        left.values().forEach(this::loses);
    }

    private void loses(Listener listener) {
        cluster.world().schedule(random.nextInt(MOST_NOTICE_NANOS), "a session's connection breaks", listener::lost);
    }

    @Override
    public boolean isGone() {
        return isGone;
    }

    @Override
    public void respond(TransactionRequest request, TransactionResponse response) {
        @Nullable Listener listener = waiting.get(request.requestId());
        if (listener == null) {
            return; // it has given up
        }
        cluster.world().schedule(travelNanos(), "a client hears of its statement", () -> {
            if (faults.isReached(node.node()) && waiting.remove(request.requestId(), listener)) {
                listener.answered(response);
            }
        });
    }
}
