package dev.fulmar.simulator.cluster;

import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.coordinator.request.TransactionResponse.Failed;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.random.RandomSource;
import dev.fulmar.simulator.world.SimulatedDatabase;
import java.util.Arrays;

/** A client that sends one statement after another, each when it knows the outcome of the last one or gives it up. */
abstract class StatementClient extends ThinkingClient {
    private final SimulatedCluster cluster;
    private final ClusterAccess access;
    private final RandomSource random;
    private final long number;
    private final long patienceNanos;
    private NodeId home;
    private long lastRequest;

    /**
     * @param thought that the diary of the world names
     * @param number of the client
     * @param home of the node that it asks first
     */
    StatementClient(
            SimulatedCluster cluster,
            ClusterAccess access,
            String thought,
            RandomSource random,
            long number,
            int home,
            long patienceNanos) {
        super(cluster.world(), thought);
        this.cluster = cluster;
        this.access = access;
        this.random = random;
        this.number = number;
        this.patienceNanos = patienceNanos;
        this.home = cluster.idOf(home);
    }

    final SimulatedCluster cluster() {
        return cluster;
    }

    final RandomSource random() {
        return random;
    }

    /** Statements that it has sent. */
    final long sent() {
        return lastRequest;
    }

    final void send(String sql, Object... arguments) {
        new Sent(sql, arguments).call.send();
    }

    abstract void committed();

    /** Hears why its statement failed. Whether it may is its own affair. */
    abstract void failed(String text, Failed failed);

    /** Its statement is over, however it went, and it is about to think. */
    void over() {}

    /** Notes a failure that it has no reason to expect. */
    final void unexpected(String text, Failed failed) {
        if (!ClusterClient.isOfDisk(failed.code()) || !cluster.hasDisturbedDisk()) {
            cluster.violation("an unexpected failure of " + text + ": " + failed.code() + " " + failed.message());
        }
    }

    /** A statement until its outcome is known, or never will be. */
    private final class Sent implements ClusterCall.Outcome {
        private final String text;
        private final ClusterCall call;

        Sent(String sql, Object... arguments) {
            text = sql + " " + Arrays.toString(arguments);
            TransactionRequest request = new TransactionRequest.AdHoc(
                    number, ++lastRequest, 0, sql, SimulatedDatabase.parameters(arguments));
            call = new ClusterCall(cluster, access, random, home, request, patienceNanos, this);
        }

        @Override
        public void answered(TransactionResponse response, boolean isSure) {
            switch (response) {
                case Committed _ -> committed();
                case Failed failed -> failed(text, failed);
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
            over();
            think();
        }
    }
}
