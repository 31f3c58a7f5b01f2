package dev.fulmar.simulator.cluster;

import dev.fulmar.foundation.simulated.SimulatedWorld;
import dev.fulmar.simulator.verify.HistoryRecorder;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** The clients of a run that change the catalog, those that fill the tables meanwhile, and their judge. */
final class CatalogDisturbers {
    private static final long ANSWER_NANOS = 40_000_000_000L;

    private final SimulatedCluster cluster;
    private final SimulatedWorld world;
    private final CatalogVerdict verdict;
    private final List<CatalogClient> changers = new ArrayList<>();
    private final List<RowClient> writers = new ArrayList<>();
    private final @Nullable WanderClient wanderer;
    private final @Nullable ConstraintClient constraints;

    CatalogDisturbers(
            SimulatedCluster cluster,
            ClusterAccess access,
            FaultInjector faults,
            HistoryRecorder recorder,
            ClusterVerdict executor) {
        this.cluster = cluster;
        this.world = cluster.world();
        CatalogKnowledge knowledge = new CatalogKnowledge();
        AtomicLong lastRow = new AtomicLong();
        this.verdict = new CatalogVerdict(cluster, executor, knowledge, lastRow);
        boolean joinsPartitions = cluster.scenario().joinsPartitions();
        for (int number = 1; number <= cluster.scenario().changers(); number++) {
            CatalogWishes wishes = new CatalogWishes(
                    number, joinsPartitions, cluster.scenario().isSteered(), knowledge, recorder);
            changers.add(new CatalogClient(number, cluster, access, faults, knowledge, wishes));
            writers.add(new RowClient(number, cluster, access, knowledge, lastRow));
        }
        this.wanderer = cluster.scenario().wanders() ? new WanderClient(cluster, access) : null;
        this.constraints = changers.isEmpty() ? null : new ConstraintClient(cluster, access, knowledge);
    }

    void begin() {
        verdict.begin();
        changers.forEach(CatalogClient::work);
        writers.forEach(RowClient::work);
        if (wanderer != null) {
            wanderer.work();
        }
        workOnConstraints();
    }

    private void workOnConstraints() {
        if (constraints != null) {
            constraints.work();
        }
    }

    private void leaveConstraints() {
        if (constraints != null) {
            constraints.rest();
        }
    }

    /** No change of the catalog begins until {@link #goOn}. */
    void pause() {
        changers.forEach(CatalogClient::rest);
        leaveConstraints();
    }

    /** Changes of the catalog that came to an end. */
    long ended() {
        return changers.stream().mapToLong(CatalogClient::ended).sum();
    }

    void goOn() {
        changers.forEach(CatalogClient::work);
        workOnConstraints();
    }

    private boolean isIdle() {
        return changers.stream().allMatch(CatalogClient::isIdle)
                && writers.stream().allMatch(RowClient::isIdle)
                && (constraints == null || constraints.isIdle())
                && (wanderer == null || wanderer.isIdle());
    }

    /** Lets the disturbers end their open wishes. */
    void calm() {
        changers.forEach(CatalogClient::rest);
        writers.forEach(RowClient::rest);
        leaveConstraints();
        if (wanderer != null) {
            wanderer.rest();
        }
        if (!world.runUntil(this::isIdle, ANSWER_NANOS)) {
            cluster.violation("clients wait for ever with the catalog\n" + cluster.describe());
        }
        verdict.askTables();
    }

    /** To be called when all copies are in sync. */
    void judge() {
        verdict.judge();
    }
}
