package dev.fulmar.coordinator.cluster;

import dev.fulmar.coordinator.membership.AssignmentRecord;
import dev.fulmar.coordinator.membership.ChangeOutcome;
import dev.fulmar.coordinator.membership.ClusterRecord;
import dev.fulmar.coordinator.membership.ClusterState;
import dev.fulmar.coordinator.membership.StateKey;
import dev.fulmar.coordinator.membership.StateRecord;
import dev.fulmar.coordinator.membership.Versioned;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.schedule.Scheduler;
import java.util.List;
import java.util.function.Consumer;

/**
 * Founds a new cluster: writes the assignment of copies, then the cluster's identity, which tells that the assignment
 * is complete. An operator who founds a cluster that is there already is told so, and has changed nothing that is in
 * use.
 */
public final class ClusterFounding {
    private static final int MAX_ATTEMPTS = 100;
    private static final long RETRY_NANOS = 200_000_000;

    private final ClusterState state;
    private final Scheduler scheduler;
    private final ClusterRecord cluster;
    private final List<AssignmentRecord> plan;
    private final Consumer<String> answer;
    private int attempts;

    /** @param answer told once: nothing if the cluster is made, or else why not and what to do */
    public ClusterFounding(
            ClusterState state,
            Scheduler scheduler,
            ClusterRecord cluster,
            List<NodeId> nodes,
            Consumer<String> answer) {
        this.state = state;
        this.scheduler = scheduler;
        this.cluster = cluster;
        this.plan = AssignmentPlan.records(AssignmentPlan.withCatalog(nodes, cluster.partitions(), cluster.copies()));
        this.answer = answer;
    }

    /** Begins. */
    public void start() {
        place(0);
    }

    private void place(int chunk) {
        if (chunk == plan.size()) {
            put(new StateKey.Cluster(), cluster, () -> answer.accept(""));
        } else {
            put(new StateKey.Assignment(chunk), plan.get(chunk), () -> place(chunk + 1));
        }
    }

    private <R extends StateRecord> void put(StateKey<R> key, R record, Runnable next) {
        state.compareAndSet(key, Versioned.absent(), record, outcome -> {
            switch (outcome) {
                case ChangeOutcome.Applied<?> _ -> next.run();
                case ChangeOutcome.Conflict<Versioned<R>>(Versioned<R> current) -> {
                    if (record.equals(current.record())) {
                        next.run(); // an attempt of its own whose outcome was unknown
                    } else {
                        answer.accept("there is a cluster of the name " + cluster.name()
                                + " already, or half of one; choose another name, or start its nodes");
                    }
                }
                case ChangeOutcome.Unknown<?>(String reason) -> again(key, record, next, reason);
                case ChangeOutcome.SessionLost<?> _ -> again(key, record, next, "the session ended");
                case ChangeOutcome.Refused<?>(String message) -> answer.accept(message);
            }
        });
    }

    private <R extends StateRecord> void again(StateKey<R> key, R record, Runnable next, String reason) {
        if (++attempts < MAX_ATTEMPTS) {
            scheduler.schedule(RETRY_NANOS, () -> put(key, record, next));
        } else {
            answer.accept("ZooKeeper does not take the cluster's records (" + reason
                    + "); make sure that it runs and lets these credentials make /fulmar/" + cluster.name()
                    + ", and try again");
        }
    }
}
