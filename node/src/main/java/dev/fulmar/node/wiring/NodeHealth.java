package dev.fulmar.node.wiring;

import dev.fulmar.coordinator.Database;
import dev.fulmar.coordinator.durability.Durability;
import dev.fulmar.coordinator.membership.SessionState;
import dev.fulmar.engine.partition.Site;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.schedule.Scheduler;
import dev.fulmar.foundation.time.Clock;
import dev.fulmar.node.health.Heart;
import dev.fulmar.node.health.Liveness;
import dev.fulmar.node.health.Readiness;
import dev.fulmar.node.server.NodeServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** What supervisors are told of a node: while it starts and stops it lives, and takes no requests. */
final class NodeHealth {
    /** A procedure ends with its budget; nothing else keeps a thread for so long. */
    private static final Duration BEYOND_THE_BUDGET = Duration.ofSeconds(60);

    private final Database database;
    private final @Nullable ClusterPart part;
    private final Readiness readiness;
    private final Liveness liveness;
    private volatile String phase = "the node starts";

    NodeHealth(Database database, @Nullable ClusterPart part, Clock clock, Duration timeBudget) {
        this.database = database;
        this.part = part;
        readiness = new Readiness(database::probe, this::obstacle, this::idleObstacle, clock);
        liveness = new Liveness(clock, timeBudget.plus(BEYOND_THE_BUDGET).toNanos());
    }

    Readiness readiness() {
        return readiness;
    }

    Liveness liveness() {
        return liveness;
    }

    /** The node has started. */
    void begin(NodeServer server, Scheduler timers, Executor administration) {
        List<Heart> hearts = new ArrayList<>();
        database.sites().forEach(site -> hearts.add(heartOf(site)));
        List<Executor> loops = server.threads();
        for (int i = 0; i < loops.size(); i++) {
            hearts.add(Heart.of("event loop " + i, loops.get(i)));
        }
        hearts.add(Heart.of("timers", task -> timers.schedule(0, task)));
        hearts.add(Heart.of("administration", administration));
        liveness.watch(hearts);
        phase = "";
    }

    /** The node is about to stop. */
    void end() {
        phase = "the node stops";
        liveness.watchNoMore();
    }

    private static Heart heartOf(Site site) {
        return new Heart() {
            @Override
            public String name() {
                return site.roleName();
            }

            @Override
            public long beats() {
                return site.counters().busyTurns.get()
                        + site.counters().idleTurns.get();
            }

            @Override
            public void stir() {
                site.wake();
            }
        };
    }

    private Optional<String> obstacle() {
        if (!phase.isEmpty()) {
            return Optional.of(phase);
        }
        Durability durability = database.durability();
        FulmarException shortage = durability == null ? null : durability.shortage();
        return Optional.ofNullable(shortage).map(Throwable::getMessage);
    }

    /** A node without partitions to lead passes requests on, if it knows to whom. */
    private Optional<String> idleObstacle() {
        return part == null || part.member().session() == SessionState.CONNECTED
                ? Optional.empty()
                : Optional.of("the node leads no partition and has no connection to ZooKeeper");
    }
}
