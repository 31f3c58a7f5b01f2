package dev.fulmar.simulator.cluster;

import dev.fulmar.coordinator.request.ResponseSink;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.random.RandomSource;
import dev.fulmar.foundation.simulated.SimulatedWorld;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The ways of clients to the nodes: messages that take their time, connections that break when a process ends. */
final class ClusterAccess {
    private static final int MOST_NOTICE_NANOS = 50_000_000;

    private final SimulatedCluster cluster;
    private final FaultInjector faults;
    private final SimulatedWorld world;
    private final RandomSource random;
    private final Set<Sending> open = new LinkedHashSet<>();
    private long toldCatalog;

    /** Listens to the outcome of a request at one node. */
    interface Listener {
        void answered(TransactionResponse response);

        /** The request did not reach the node. */
        void notSent();

        /** The connection broke: no answer comes any more, and the node may have executed the request. */
        void lost();
    }

    ClusterAccess(SimulatedCluster cluster, FaultInjector faults) {
        this.cluster = cluster;
        this.faults = faults;
        this.world = cluster.world();
        this.random = world.random("access");
        cluster.onDeath(this::died);
    }

    private int travelNanos() {
        return 1 + random.nextInt(cluster.scenario().maxTravelNanos());
    }

    /**
     * The version of the catalog that a client of the node was told of last; where the node takes no clients, that any
     * client was.
     */
    long toldCatalog(NodeId of) {
        SimulatedNode node = cluster.node(of);
        if (node.takesClients() && faults.isReached(of)) {
            toldCatalog =
                    TransactionRequest.toldVersion(node.database().catalog().version());
        }
        return toldCatalog;
    }

    /** Sends the request to the node. */
    void send(NodeId to, TransactionRequest request, Listener listener) {
        world.schedule(travelNanos(), "a client sends", () -> {
            SimulatedNode node = cluster.node(to);
            if (!node.takesClients()) {
                world.schedule(travelNanos(), "a client is refused", listener::notSent);
            } else if (faults.isReached(to)) {
                Sending sending = new Sending(node, listener);
                open.add(sending);
                node.submit(request, sending);
            }
        });
    }

    private void died(SimulatedNode node) {
        for (Sending sending : List.copyOf(open)) {
            if (sending.node == node) {
                open.remove(sending);
                world.schedule(random.nextInt(MOST_NOTICE_NANOS), "a connection breaks", sending.listener::lost);
            }
        }
    }

    /** A request at a node. */
    private final class Sending implements ResponseSink {
        private final SimulatedNode node;
        private final Listener listener;
        private @Nullable TransactionResponse first;

        Sending(SimulatedNode node, Listener listener) {
            this.node = node;
            this.listener = listener;
        }

        @Override
        public void respond(TransactionRequest request, TransactionResponse response) {
            TransactionResponse before = first;
            if (before != null) {
                cluster.violation("a request was answered twice at " + node.process() + ": " + request.subject()
                        + " of client " + request.clientId() + ", number " + request.requestId() + ": " + before
                        + ", then " + response);
            }
            first = response;
            open.remove(this);
            world.schedule(travelNanos(), "a client hears", () -> {
                if (faults.isReached(node.node())) {
                    listener.answered(response);
                }
            });
        }
    }
}
