package dev.fulmar.node.wiring;

import dev.fulmar.coordinator.Database;
import dev.fulmar.coordinator.cluster.Topology;
import dev.fulmar.coordinator.durability.Durability;
import dev.fulmar.coordinator.durability.replica.PartitionReplica;
import dev.fulmar.coordinator.durability.replica.PartitionReplicas;
import dev.fulmar.coordinator.durability.replica.ReplicaStatus;
import dev.fulmar.coordinator.membership.SessionState;
import dev.fulmar.engine.partition.PartitionExecutor;
import dev.fulmar.engine.partition.Site;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.id.PartitionId;
import dev.fulmar.foundation.schedule.Scheduler;
import dev.fulmar.foundation.time.Clock;
import dev.fulmar.node.health.Heart;
import dev.fulmar.node.health.Liveness;
import dev.fulmar.node.health.Readiness;
import dev.fulmar.node.server.NodeServer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** The health of a node: while it starts and stops it lives, and takes no requests. */
final class NodeHealth {
    private static final double NANOS_PER_SECOND = 1e9;

    private final Database database;
    private final @Nullable ClusterPart part;
    private final Readiness readiness;
    private final AgentThreads threads;
    private volatile String phase = "the node starts";

    NodeHealth(Database database, @Nullable ClusterPart part, Clock clock, AgentThreads threads) {
        this.database = database;
        this.part = part;
        this.threads = threads;
        this.readiness = new Readiness(database::probe, new Node(), clock);
    }

    Readiness readiness() {
        return readiness;
    }

    Liveness liveness() {
        return threads.liveness();
    }

    /** The node has started. Its administration is not watched, for it waits for files and other nodes. */
    void begin(NodeServer server, Scheduler timers) {
        List<Heart> hearts = new ArrayList<>();
        database.sites().forEach(site -> hearts.add(heartOf(site)));
        List<Executor> loops = server.threads();
        for (int i = 0; i < loops.size(); i++) {
            hearts.add(Heart.of("event loop " + i, loops.get(i)));
        }
        hearts.add(Heart.of("timers", task -> timers.schedule(0, task)));
        liveness().watch(hearts);
        phase = "";
    }

    /** The node is about to stop. */
    void end() {
        phase = "the node stops";
        liveness().watchNoMore();
    }

    /**
     * Grows with each turn of the site's thread, and with each message: a turn may have many procedures that each take
     * their whole budget.
     */
    static long beats(Site site) {
        long beats = site.counters().busyTurns.get() + site.counters().idleTurns.get();
        for (PartitionExecutor executor : site.executors()) {
            beats += executor.partition().counters().steps.get();
        }
        return beats;
    }

    private static Heart heartOf(Site site) {
        return new Heart() {
            @Override
            public String name() {
                return site.roleName();
            }

            @Override
            public long beats() {
                return NodeHealth.beats(site);
            }

            @Override
            public void stir() {
                site.wake();
            }
        };
    }

    /** The state of the node, which decides beside its partitions' answers. */
    private final class Node implements Readiness.Circumstances {
        @Override
        public Optional<String> obstacle() {
            return phase.isEmpty() ? Optional.empty() : Optional.of(phase);
        }

        @Override
        public List<String> problems(boolean leads) {
            List<String> problems = new ArrayList<>();
            logProblem(problems);
            ClusterPart joined = part;
            if (joined != null) {
                copyProblems(joined, problems);
                if (!leads && joined.member().session() != SessionState.CONNECTED) {
                    problems.add("the node leads no partition and has no connection to ZooKeeper");
                }
            }
            return problems;
        }

        @Override
        public boolean leads(PartitionId partition) {
            return part == null || database.copies().isHere(partition.number());
        }
    }

    /** With durability async no answer waits for the device, and no partition would tell that it hangs. */
    private void logProblem(List<String> problems) {
        Durability durability = database.durability();
        if (durability == null) {
            return;
        }
        FulmarException failure = durability.failure();
        FulmarException reason = failure == null ? durability.shortage() : failure;
        long stepNanos = threads.logStepNanos();
        if (reason != null) {
            problems.add(String.valueOf(reason.getMessage()));
        } else if (stepNanos >= Readiness.LIMIT_NANOS) {
            problems.add(String.format(
                    Locale.ROOT,
                    "the log has been in one write for %.1f s, so what comes does not become durable",
                    stepNanos / NANOS_PER_SECOND));
        }
    }

    /**
     * Adds the problems of copies that are not in sync. A rolling restart goes on once a node is ready, and the next
     * node may have the last copy that is in sync.
     */
    private void copyProblems(ClusterPart joined, List<String> problems) {
        PartitionReplicas copies = database.copies();
        if (!copies.knowsCatalog()) {
            problems.add("the tables and users of the cluster are not known here");
        }
        Topology known = joined.member().topology();
        for (PartitionReplica copy : copies.all()) {
            boolean isPlanned = known != null
                    && known.isPlannedOn(copy.partition(), joined.network().self());
            String problem = problemOf(copy.status(), isPlanned);
            if (!problem.isEmpty()) {
                problems.add("partition " + copy.partition() + ": " + problem);
            }
        }
    }

    /** The problem of a copy here; empty if it has none. */
    static String problemOf(ReplicaStatus status, boolean isPlanned) {
        return switch (status.role()) {
            case NONE -> isPlanned ? "its primary is not known here yet" : "";
            case LEARNER -> isPlanned ? "the copy here is not in sync" : "";
            case PRIMARY -> status.serves() ? "" : "this node is about to lead it";
            case BACKUP -> status.isBroken() ? "the copy here broke, and is to be built anew" : "";
        };
    }
}
