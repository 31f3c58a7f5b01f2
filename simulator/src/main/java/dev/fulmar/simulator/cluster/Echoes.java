package dev.fulmar.simulator.cluster;

import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.coordinator.request.TransactionResponse.Failed;
import dev.fulmar.foundation.random.RandomSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;

/**
 * Sends some of a client's committed requests again under their handles, and checks that the cluster gives the same
 * answer. The client does so now and then, long after the first answer, as a message that comes late, or a client that
 * began anew. It keeps the answers to requests that changed something, and must hear the same whoever leads the
 * partition meanwhile.
 */
final class Echoes {
    private static final int MOST_KEPT = 200;
    private static final long PATIENCE_NANOS = 6_000_000_000L;

    private final SimulatedCluster cluster;
    private final ClusterAccess access;
    private final RandomSource random;

    /** One wish in so many is followed by an echo; none if 0. */
    private final int oneIn;

    private final ArrayDeque<Answered> answered = new ArrayDeque<>();

    private record Answered(TransactionRequest request, Committed response) {}

    Echoes(SimulatedCluster cluster, ClusterAccess access, int client) {
        this.cluster = cluster;
        this.access = access;
        this.random = cluster.world().random("echoes-" + client);
        this.oneIn = cluster.scenario().echoOneIn();
    }

    /** The request was committed, and changed something. */
    void committed(TransactionRequest request, Committed response) {
        if (oneIn > 0) {
            answered.addLast(new Answered(request, response));
            if (answered.size() > MOST_KEPT) {
                answered.removeFirst();
            }
        }
    }

    /** Whether an echo is due. */
    boolean isDue() {
        return oneIn > 0 && !answered.isEmpty() && random.nextInt(oneIn) == 0;
    }

    /**
     * Asks for one of them again: for the last one, or for any.
     *
     * @param done run when it has its answer, or never will
     */
    void send(Runnable done) {
        Answered again = random.nextInt(2) == 0
                ? answered.getLast()
                : new ArrayList<>(answered).get(random.nextInt(answered.size()));
        new ClusterCall(
                        cluster,
                        access,
                        random,
                        cluster.idOf(random.nextInt(cluster.scenario().nodes())),
                        again.request,
                        PATIENCE_NANOS,
                        new Echo(again, done))
                .send();
    }

    private final class Echo implements ClusterCall.Outcome {
        private final Answered first;
        private final Runnable done;

        Echo(Answered first, Runnable done) {
            this.first = first;
            this.done = done;
        }

        @Override
        public void answered(TransactionResponse response, boolean isSure) {
            check(response);
            done.run();
        }

        private void check(TransactionResponse response) {
            boolean isSame = switch (response) {
                case Committed again ->
                    again.value() == first.response.value() && Arrays.equals(again.results(), first.response.results());
                case Failed failed -> cluster.hasDisturbedDisk() && ClusterClient.isOfDisk(failed.code());
            };
            if (!isSame) {
                cluster.violation("another answer to a handle later: client " + first.request.clientId() + " request "
                        + first.request.requestId() + " " + first.request.subject() + ": first " + first.response
                        + ", then " + response);
            } else {
                cluster.probes().reached(ClusterPath.ECHO.name());
            }
        }

        @Override
        public void unknown() {
            done.run();
        }

        @Override
        public void noEffect() {
            done.run();
        }

        @Override
        public void late(TransactionResponse response) {
            if (response instanceof Committed) {
                check(response);
            }
        }
    }
}
