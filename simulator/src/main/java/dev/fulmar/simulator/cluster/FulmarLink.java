package dev.fulmar.simulator.cluster;

import dev.fulmar.coordinator.request.ResponseSink;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.coordinator.request.TransactionResponse.Failed;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.random.RandomSource;
import dev.fulmar.simulator.campaign.Replies;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A connection of Fulmar's own protocol. */
final class FulmarLink implements SessionLink, ResponseSink {
    private static final int MOST_NOTICE_NANOS = 50_000_000;

    private final SimulatedCluster cluster;
    private final FaultInjector faults;
    private final RandomSource random;
    private final SimulatedNode node;
    private final int life;
    private final TreeMap<Long, Listener> waiting = new TreeMap<>();
    private long lastArrivalNanos;
    private boolean isGone;

    FulmarLink(SimulatedCluster cluster, FaultInjector faults, RandomSource random, NodeId to) {
        this.cluster = cluster;
        this.faults = faults;
        this.random = random;
        this.node = cluster.node(to);
        this.life = node.life();
    }

    @Override
    public NodeId node() {
        return node.node();
    }

    private int travelNanos() {
        return 1 + random.nextInt(cluster.scenario().maxTravelNanos());
    }

    @Override
    public void send(
            long transaction,
            TransactionRequest.AdHoc request,
            long[] arguments,
            long patienceNanos,
            Listener listener) {
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

    @Override
    public void breaks() {
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
    public boolean answersQuestions() {
        return true;
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
                switch (response) {
                    case Committed committed -> listener.answered(rows(committed));
                    case Failed(ErrorCode code, String message, var _) -> listener.refused(code, message);
                }
            }
        });
    }

    private static List<long[]> rows(Committed done) {
        return done.results().length == 0
                ? List.of()
                : Replies.decode(done).tables().getFirst();
    }
}
