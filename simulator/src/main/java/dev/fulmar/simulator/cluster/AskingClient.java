package dev.fulmar.simulator.cluster;

import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.random.RandomSource;

/** Client that sends one request after another, each until its outcome is known or never will be. */
abstract class AskingClient extends ThinkingClient {
    private static final long PATIENCE_NANOS = 12_000_000_000L;

    private final SimulatedCluster cluster;
    private final ClusterAccess access;
    private final RandomSource random;
    private NodeId home;
    private long lastRequest;

    /** @param randomness name of its random numbers */
    AskingClient(SimulatedCluster cluster, ClusterAccess access, String thought, String randomness) {
        super(cluster.world(), thought);
        this.cluster = cluster;
        this.access = access;
        this.random = cluster.world().random(randomness);
        this.home = cluster.idOf(1);
    }

    final SimulatedCluster cluster() {
        return cluster;
    }

    final RandomSource random() {
        return random;
    }

    /** The request of the number. */
    abstract TransactionRequest request(long number);

    /** Judges the answer to a request. */
    abstract void judge(TransactionResponse response);

    @Override
    final void act() {
        new Exchange().begin();
    }

    private final class Exchange implements ClusterCall.Outcome {
        private final ClusterCall call;

        Exchange() {
            call = new ClusterCall(cluster, access, random, home, request(++lastRequest), PATIENCE_NANOS, this);
        }

        void begin() {
            call.send();
        }

        @Override
        public void answered(TransactionResponse response, boolean isSure) {
            judge(response);
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
