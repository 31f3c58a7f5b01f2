package dev.fulmar.simulator.cluster;

import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.random.RandomSource;
import dev.fulmar.foundation.simulated.SimulatedWorld;
import dev.fulmar.simulator.campaign.Ledger;
import dev.fulmar.simulator.verify.HistoryRecorder;
import dev.fulmar.simulator.workload.Wish;
import dev.fulmar.simulator.workload.WishSource;
import dev.fulmar.simulator.world.SimulatedDatabase;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A client of transactions of many statements, of all levels of isolation, one after another. It thinks between two
 * statements.
 */
final class SessionClient {
    /** As many transfers give way to a transaction that only reads. */
    private static final int AUDIT_ONE_IN = 4;

    /** As many transactions of PostgreSQL's clients are of forms that only they have. */
    private static final int OWN_ONE_IN = 2;

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

    /** Whether it speaks PostgreSQL's protocol. */
    private final boolean isOfPostgres;

    private @Nullable SessionLink link;
    private long lastRequest;
    private long lastTransaction;
    private boolean isResting;
    private boolean isBusy;

    /** @param isOfPostgres whether it speaks PostgreSQL's protocol */
    SessionClient(
            int number,
            boolean isOfPostgres,
            SimulatedCluster cluster,
            FaultInjector faults,
            ClusterAccess access,
            WishSource wishes,
            HistoryRecorder recorder,
            Ledger ledger) {
        this.number = FIRST_CLIENT + number;
        this.isOfPostgres = isOfPostgres;
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
    TransactionRequest.AdHoc request(String sql, long... arguments) {
        Object[] values = Arrays.stream(arguments).boxed().toArray();
        return new TransactionRequest.AdHoc(number, ++lastRequest, 0, sql, SimulatedDatabase.parameters(values));
    }

    /** Whether a COMMIT that fails with it may be executed all the same. */
    static boolean mayBeCommitted(ErrorCode code) {
        return switch (code) {
            case OUTCOME_UNKNOWN, TIMEOUT, NODE_LOST, STORAGE_FAILURE -> true;
            default -> false;
        };
    }

    /** Accepts failures that have to be expected in a cluster with faults. */
    void check(String sql, ErrorCode code, String message) {
        boolean isExpected = switch (code) {
            case SERIALIZATION_FAILURE -> {
                cluster.probes().reached(SessionPath.CONFLICT.name());
                yield true;
            }
            case NOT_CONNECTED,
                    WRONG_NODE,
                    SERVER_BUSY,
                    NODE_STOPPING,
                    TRANSACTION_RESTART,
                    NO_ACTIVE_TRANSACTION,
                    FAILED_TRANSACTION,
                    LOCK_NOT_AVAILABLE,
                    OUTCOME_UNKNOWN,
                    NODE_LOST,
                    TIMEOUT -> true;
            default -> ClusterClient.isOfDisk(code) && cluster.hasDisturbedDisk();
        };
        if (!isExpected) {
            cluster.violation("an unexpected failure of " + sql + " in a session of client " + number + ": " + code
                    + " " + message);
        }
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
            case Wish.Transact transact -> {
                if (isOfPostgres && random.nextInt(OWN_ONE_IN) == 0) {
                    new PostgresExchange(this, transact, postgresLink()).begin();
                } else {
                    new ListExchange(this, transact).begin();
                }
            }
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
            open = isOfPostgres
                    ? new PostgresLink(cluster, faults, random, to)
                    : new FulmarLink(cluster, faults, random, to);
            link = open;
        }
        return open;
    }

    private PostgresLink postgresLink() {
        return (PostgresLink) link();
    }

    private void close() {
        SessionLink open = link;
        link = null;
        if (open != null) {
            open.breaks();
        }
    }
}
