package dev.fulmar.simulator.cluster;

import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.random.RandomSource;
import dev.fulmar.foundation.simulated.SimulatedWorld;
import dev.fulmar.simulator.campaign.Ledger;
import dev.fulmar.simulator.verify.HistoryRecorder;
import dev.fulmar.simulator.workload.Wish;
import dev.fulmar.simulator.workload.WishSource;
import dev.fulmar.simulator.world.SimulatedDatabase;
import org.jspecify.annotations.Nullable;

/**
 * A client of transactions of many statements, of all levels of isolation, one after another. It thinks between two
 * statements.
 */
final class SessionClient {
    /** As many transfers give way to a transaction that only reads. */
    private static final int AUDIT_ONE_IN = 4;

    private static final int FIRST_CLIENT = 300;

    private final int number;
    private final SimulatedCluster cluster;
    private final FaultInjector faults;
    private final ClusterAccess access;
    private final SimulatedWorld world;
    private final WishSource wishes;
    private final HistoryRecorder recorder;
    private final Ledger ledger;
    private final RandomSource random;
    private @Nullable SessionLink link;
    private long lastRequest;
    private long lastTransaction;
    private boolean isResting;
    private boolean isBusy;

    SessionClient(
            int number,
            SimulatedCluster cluster,
            FaultInjector faults,
            ClusterAccess access,
            WishSource wishes,
            HistoryRecorder recorder,
            Ledger ledger) {
        this.number = FIRST_CLIENT + number;
        this.cluster = cluster;
        this.faults = faults;
        this.access = access;
        this.world = cluster.world();
        this.wishes = wishes;
        this.recorder = recorder;
        this.ledger = ledger;
        this.random = world.random("session-" + number);
        cluster.onDeath(this::died);
    }

    void work() {
        isBusy = true;
        think(this::next);
    }

    /** Wants nothing more. */
    void rest() {
        isResting = true;
    }

    /** Whether it waits for nothing. */
    boolean isIdle() {
        return !isBusy;
    }

    private void died(SimulatedNode node) {
        SessionLink open = link;
        if (open != null && open.node().equals(node.node())) {
            link = null;
            open.breaks();
        }
    }

    int number() {
        return number;
    }

    SimulatedCluster cluster() {
        return cluster;
    }

    ClusterAccess access() {
        return access;
    }

    HistoryRecorder recorder() {
        return recorder;
    }

    Ledger ledger() {
        return ledger;
    }

    RandomSource random() {
        return random;
    }

    /** The next number of a transaction on its connections. */
    long nextTransaction() {
        return ++lastTransaction;
    }

    /** The next statement of a transaction. */
    TransactionRequest.AdHoc request(String sql, Object... arguments) {
        return new TransactionRequest.AdHoc(number, ++lastRequest, 0, sql, SimulatedDatabase.parameters(arguments));
    }

    void think(Runnable then) {
        world.schedule(random.nextInt(cluster.scenario().maxThinkNanos()), "a client thinks in its session", then);
    }

    /** Begins another transaction. */
    void next() {
        if (isResting) {
            isBusy = false;
            close();
            return;
        }
        Wish wish = wishes.next();
        if (cluster.isHushed()) {
            think(this::next);
            return;
        }
        switch (wish) {
            case Wish.Transact transact -> new ListExchange(this, transact).begin();
            case Wish.Transfer transfer -> {
                boolean isAudit = random.nextInt(AUDIT_ONE_IN) == 0;
                SessionExchange exchange =
                        isAudit ? new AuditExchange(this, transfer) : new TransferExchange(this, transfer);
                exchange.begin();
            }
            default -> think(this::next);
        }
    }

    /** Its connection to a node; a new one if it has none. */
    SessionLink link() {
        SessionLink open = link;
        if (open == null || open.isGone()) {
            NodeId to = cluster.idOf(random.nextInt(cluster.scenario().nodes()));
            open = new SessionLink(cluster, faults, random, to);
            link = open;
        }
        return open;
    }

    private void close() {
        SessionLink open = link;
        link = null;
        if (open != null) {
            open.breaks();
        }
    }
}
