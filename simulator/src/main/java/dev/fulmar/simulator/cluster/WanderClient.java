package dev.fulmar.simulator.cluster;

import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.request.TransactionResponse.Failed;
import dev.fulmar.simulator.world.SimulatedDatabase;

/**
 * Simulated client that calls {@code Wander}, which has a different effect at each copy, so that the cluster must
 * repair the divergence. It goes on until it is told to rest. Copies must be equal all the same.
 */
final class WanderClient extends AskingClient {
    private static final long CLIENT = 400;
    private static final int MOST_PAUSE_NANOS = 300_000_000;
    private static final int IDS = 10;

    WanderClient(SimulatedCluster cluster, ClusterAccess access) {
        super(cluster, access, "a client thinks of wandering", "wander");
    }

    @Override
    long pauseNanos() {
        return random().nextInt(MOST_PAUSE_NANOS);
    }

    @Override
    TransactionRequest request(long number) {
        byte[] parameters = SimulatedDatabase.parameters((long) random().nextInt(IDS));
        return new TransactionRequest.Call(CLIENT, number, 0, "Wander", parameters);
    }

    @Override
    void judge(TransactionResponse response) {
        if (response instanceof Failed failed && !ClusterClient.isOfDisk(failed.code())) {
            cluster().violation("a stroll failed: " + failed);
        }
    }
}
