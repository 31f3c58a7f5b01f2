package dev.fulmar.simulator.cluster;

import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.request.TransactionResponse.Failed;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.random.RandomSource;
import dev.fulmar.simulator.world.SimulatedDatabase;

/**
 * Simulated client that calls {@code Wander}, which has a different effect at each copy, so that the cluster must
 * repair the divergence. It goes on until it is told to rest. Copies must be equal all the same.
 */
final class WanderClient extends ThinkingClient {
    private static final long PATIENCE_NANOS = 12_000_000_000L;
    private static final long CLIENT = 400;
    private static final int MOST_PAUSE_NANOS = 300_000_000;
    private static final int IDS = 10;

    private final SimulatedCluster cluster;
    private final ClusterAccess access;
    private final RandomSource random;
    private NodeId home;
    private long lastRequest;

    WanderClient(SimulatedCluster cluster, ClusterAccess access) {
        super(cluster.world(), "a client thinks of wandering");
        this.cluster = cluster;
        this.access = access;
        this.random = cluster.world().random("wander");
        this.home = cluster.idOf(1);
    }

    @Override
    long pauseNanos() {
        return random.nextInt(MOST_PAUSE_NANOS);
    }

    @Override
    void act() {
        new Stroll().begin();
    }

    /** A call until its outcome is known, or never will be. */
    private final class Stroll implements ClusterCall.Outcome {
        private final ClusterCall call;

        Stroll() {
            byte[] parameters = SimulatedDatabase.parameters((long) random.nextInt(IDS));
            TransactionRequest request = new TransactionRequest.Call(CLIENT, ++lastRequest, 0, "Wander", parameters);
            call = new ClusterCall(cluster, access, random, home, request, PATIENCE_NANOS, this);
        }

        void begin() {
            call.send();
        }

        @Override
        public void answered(TransactionResponse response, boolean isSure) {
            if (response instanceof Failed failed) {
                cluster.violation("a stroll failed: " + failed);
            }
            end();
        }

        @Override
        public void unknown() {
            end();
        }

        @Override
        public void noEffect() {
            end();
        }

        private void end() {
            home = call.node();
            think();
        }
    }
}
