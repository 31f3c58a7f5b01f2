package dev.fulmar.simulator.cluster;

import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.coordinator.request.TransactionResponse.Failed;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.data.PartitioningHash;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.random.RandomSource;
import dev.fulmar.foundation.simulated.SimulatedWorld;
import org.jspecify.annotations.Nullable;

/**
 * A request from its first sending to the moment at which its client knows its outcome or gives up. It goes to another
 * node under the same handle when its node does not answer, does not serve, or ends, as the real client does; unless
 * its client would rather not know its outcome than have it done twice.
 */
final class ClusterCall implements ClusterAccess.Listener {
    private static final int FIRST_PAUSE_NANOS = 2_000_000;
    private static final int MOST_PAUSE_NANOS = 200_000_000;

    /** Time without a fault and with all copies in sync after which no client is turned away. */
    private static final long WELL_NANOS = 2_000_000_000L;

    private static final int MOST_REFUSALS = 10;

    private final SimulatedCluster cluster;
    private final ClusterAccess access;
    private final RandomSource random;
    private final SimulatedWorld world;
    private TransactionRequest request;
    private final long deadlineNanos;
    private final boolean repeats;
    private final Outcome outcome;
    private NodeId node;
    private int pauseNanos = FIRST_PAUSE_NANOS;
    private int attempt;

    /** Sendings that may have had, or may still have, an effect. */
    private int unsure;

    private boolean isOver;
    private @Nullable Failed lastRefusal;

    /** Number of refusals while all was well. */
    private int refusals;

    /** Listens to the outcome of a call. */
    interface Outcome {
        /** @param isSure whether no other sending of the request can have had, or have, an effect */
        void answered(TransactionResponse response, boolean isSure);

        /** It may have had an effect, or may have one later. */
        void unknown();

        /** It had none, and will have none. */
        void noEffect();

        /** Another answer came after that; usually that is no matter. */
        default void late(TransactionResponse response) {}
    }

    /** @param first the node that is asked first */
    ClusterCall(
            SimulatedCluster cluster,
            ClusterAccess access,
            RandomSource random,
            NodeId first,
            TransactionRequest request,
            long patienceNanos,
            Outcome outcome) {
        this(cluster, access, random, first, request, patienceNanos, true, outcome);
    }

    /** @param repeats whether it is sent again though a sending may have had an effect */
    ClusterCall(
            SimulatedCluster cluster,
            ClusterAccess access,
            RandomSource random,
            NodeId first,
            TransactionRequest request,
            long patienceNanos,
            boolean repeats,
            Outcome outcome) {
        this.repeats = repeats;
        this.cluster = cluster;
        this.access = access;
        this.random = random;
        this.world = cluster.world();
        this.node = first;
        this.request = request;
        this.deadlineNanos = world.nowNanos() + patienceNanos;
        this.outcome = outcome;
    }

    /** The node that was asked last. */
    NodeId node() {
        return node;
    }

    void send() {
        int mine = ++attempt;
        if (unsure == 0) {
            request = request.sentAt(access.toldCatalog(node));
        }
        unsure++;
        access.send(node, request, this);
        long patienceNanos =
                repeats ? cluster.scenario().patienceNanos() : Math.max(1, deadlineNanos - world.nowNanos());
        world.schedule(patienceNanos, "a client waits", () -> {
            if (!isOver && mine == attempt) {
                goElsewhere();
                againIfWanted();
            }
        });
    }

    /** Sends the request again, after a sending of unknown effect, if that is wanted. */
    private void againIfWanted() {
        if (repeats) {
            again();
        } else {
            isOver = true;
            outcome.unknown();
        }
    }

    private void goElsewhere() {
        node = cluster.idOf(random.nextInt(cluster.scenario().nodes()));
    }

    private void again() {
        attempt++; // what waits for the sending so far waits no more
        int mine = attempt;
        if (world.nowNanos() >= deadlineNanos) {
            isOver = true;
            if (refusals >= MOST_REFUSALS) {
                cluster.violation("a client is turned away again and again though all has been well for long: "
                        + request.subject() + " of client " + request.clientId() + ", number " + request.requestId()
                        + ": " + lastRefusal);
            }
            end();
            return;
        }
        pauseNanos = Math.min(2 * pauseNanos, MOST_PAUSE_NANOS);
        world.schedule(random.nextInt(pauseNanos), "a client tries again", () -> {
            if (!isOver && mine == attempt) {
                send();
            }
        });
    }

    /** Without an answer of its own. */
    private void end() {
        isOver = true;
        if (unsure > 0) {
            outcome.unknown();
        } else {
            outcome.noEffect();
        }
    }

    @Override
    public void notSent() {
        unsure--;
        if (!isOver) {
            goElsewhere();
            again();
        }
    }

    @Override
    public void lost() {
        if (!isOver) {
            cluster.probes().reached(ClusterPath.CONNECTION_LOST.name());
            goElsewhere();
            againIfWanted();
        }
    }

    @Override
    public void answered(TransactionResponse response) {
        note(response);
        if (isOver) {
            outcome.late(response);
            return;
        }
        switch (response) {
            case Committed committed -> over(committed);
            case Failed failed -> failed(failed);
        }
    }

    private void over(TransactionResponse response) {
        unsure--;
        isOver = true;
        outcome.answered(response, unsure == 0);
    }

    private void failed(Failed failed) {
        lastRefusal = failed;
        if (Invariants.isBreach(failed.message())) {
            cluster.violation("a client hears of a broken invariant: " + failed);
        }
        refusals += cluster.isWellFor(WELL_NANOS) ? 1 : 0;
        switch (failed.code()) {
            case NOT_CONNECTED, WRONG_NODE, SERVER_BUSY, NODE_STOPPING, TRANSACTION_RESTART -> {
                cluster.probes().reached(ClusterPath.TURNED_AWAY.name());
                unsure--;
                if (random.nextInt(2) == 0) {
                    goElsewhere();
                }
                again();
            }
            case CATALOG_CHANGED -> {
                cluster.probes().reached(CatalogPath.ROUTED_ANEW.name());
                unsure--;
                end();
            }
            case OUTCOME_UNKNOWN, NODE_LOST, TIMEOUT -> {
                cluster.probes().reached(ClusterPath.OUTCOME_UNKNOWN.name());
                againIfWanted();
            }
            default -> over(failed);
        }
    }

    private void note(TransactionResponse response) {
        switch (response) {
            case Committed(var kind, long value, byte[] results, long snapshot) -> {
                world.note(kind.ordinal());
                world.note(value);
                world.note(snapshot);
                world.note(PartitioningHash.ofBytes(results, 0, results.length));
            }
            case Failed(var code, String message, var _) -> {
                world.note(code.number());
                world.note(message);
            }
        }
    }
}
