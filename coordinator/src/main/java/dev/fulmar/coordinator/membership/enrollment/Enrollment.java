package dev.fulmar.coordinator.membership.enrollment;

import dev.fulmar.coordinator.membership.ChangeOutcome;
import dev.fulmar.coordinator.membership.ClusterRecord;
import dev.fulmar.coordinator.membership.ClusterState;
import dev.fulmar.coordinator.membership.NodeRecord;
import dev.fulmar.coordinator.membership.Presence;
import dev.fulmar.coordinator.membership.ReadOutcome;
import dev.fulmar.coordinator.membership.SessionState;
import dev.fulmar.coordinator.membership.StateKey;
import dev.fulmar.coordinator.membership.Versioned;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.schedule.Scheduler;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Enrollment of one process in the cluster. The process checks that the cluster is its own, counts up its node's
 * incarnation, and announces its presence, again in each new session. Everything happens on the owner's thread.
 */
public final class Enrollment {
    private final ClusterState state;
    private final Executor home;
    private final Scheduler scheduler;
    private final Applicant applicant;
    private final long retryNanos;
    private final Listener listener;
    private @Nullable ClusterRecord cluster;
    private @Nullable NodeRecord own;
    private boolean announced;
    private boolean announcing;
    private boolean ended;

    /**
     * The process that enrols.
     *
     * @param clusterId that the node's data belong to; empty for a new node
     * @param address where other nodes reach this process
     */
    public record Applicant(NodeId node, String address, Optional<UUID> clusterId) {}

    /** Listener for the enrollment, on the owner's thread. */
    public interface Listener {
        /** The process has its incarnation and is among the living. Once. */
        void enrolled(ClusterRecord cluster, long incarnation);

        /** The process must not go on; the message says why and what to do. Once, and nothing after it. */
        void refused(String message);
    }

    public Enrollment(
            ClusterState state,
            Executor home,
            Scheduler scheduler,
            Applicant applicant,
            long retryNanos,
            Listener listener) {
        this.state = state;
        this.home = home;
        this.scheduler = scheduler;
        this.applicant = applicant;
        this.retryNanos = retryNanos;
        this.listener = listener;
    }

    /** Begins. */
    public void start() {
        home.execute(this::readCluster);
    }

    private void readCluster() {
        state.read(
                new StateKey.Cluster(),
                outcome -> home.execute(() -> {
                    switch (outcome) {
                        case ReadOutcome.Found<Versioned<ClusterRecord>>(var found) -> judge(found);
                        case ReadOutcome.Unanswered<?> _, ReadOutcome.SessionLost<?> _ -> later(this::readCluster);
                        case ReadOutcome.Refused<?>(String message) -> refuse(message);
                    }
                }));
    }

    private void judge(Versioned<ClusterRecord> found) {
        ClusterRecord record = found.record();
        if (record == null) {
            refuse("there is no such cluster; make it with: bin/fulmar cluster init");
        } else if (applicant.clusterId().isPresent()
                && !applicant.clusterId().get().equals(record.clusterId())) {
            refuse("the node's data belong to cluster " + applicant.clusterId().get() + ", and this is cluster "
                    + record.clusterId()
                    + "; give the node its own cluster's name and ZooKeeper, or an empty directory");
        } else {
            cluster = record;
            readOwnRecord();
        }
    }

    private StateKey.Node key() {
        return new StateKey.Node(applicant.node());
    }

    private void readOwnRecord() {
        state.read(
                key(),
                outcome -> home.execute(() -> {
                    switch (outcome) {
                        case ReadOutcome.Found<Versioned<NodeRecord>>(var found) -> countUp(found);
                        case ReadOutcome.Unanswered<?> _, ReadOutcome.SessionLost<?> _ -> later(this::readOwnRecord);
                        case ReadOutcome.Refused<?>(String message) -> refuse(message);
                    }
                }));
    }

    private void countUp(Versioned<NodeRecord> found) {
        NodeRecord before = found.record();
        if (before != null && before.standing() == NodeRecord.Standing.REMOVED) {
            refuse(applicant.node() + " has been removed from the cluster; add the machine under a new number");
            return;
        }
        NodeRecord next = before == null
                ? new NodeRecord(1, NodeRecord.Standing.MEMBER, applicant.address())
                : new NodeRecord(before.incarnation() + 1, before.standing(), applicant.address());
        change(found, next);
    }

    private void change(Versioned<NodeRecord> found, NodeRecord next) {
        state.compareAndSet(
                key(),
                found,
                next,
                outcome -> home.execute(() -> {
                    switch (outcome) {
                        case ChangeOutcome.Applied<?> _ -> {
                            Invariants.check(own == null, "a process gets its incarnation once");
                            own = next;
                            announce();
                        }
                        // If it was this one's own attempt with an unknown outcome, an incarnation is left out, which
                        // harms nobody.
                        case ChangeOutcome.Conflict<Versioned<NodeRecord>>(var current) -> countUp(current);
                        case ChangeOutcome.Unknown<?> _, ChangeOutcome.SessionLost<?> _ ->
                            later(() -> change(found, next));
                        case ChangeOutcome.Refused<?>(String message) -> refuse(message);
                    }
                }));
    }

    private void announce() {
        NodeRecord record = own;
        if (record == null || announcing || ended) {
            return;
        }
        announcing = true;
        state.announce(
                new Presence(applicant.node(), record.incarnation(), applicant.address()),
                outcome -> home.execute(() -> {
                    announcing = false;
                    switch (outcome) {
                        case ChangeOutcome.Applied<?> _ -> {
                            if (!announced && !ended && cluster != null) {
                                announced = true;
                                listener.enrolled(cluster, record.incarnation());
                            }
                        }
                        case ChangeOutcome.Conflict<Presence>(Presence younger) -> superseded(younger.incarnation());
                        case ChangeOutcome.Unknown<?> _, ChangeOutcome.SessionLost<?> _ -> later(this::announce);
                        case ChangeOutcome.Refused<?>(String message) -> refuse(message);
                    }
                }));
    }

    /** The session's state, from the owner's view of the cluster: in a new one the process shows itself again. */
    public void session(SessionState session) {
        if (session == SessionState.CONNECTED && own != null) {
            announce();
        }
    }

    /** The node's own record, from the owner's view of the cluster. */
    public void found(NodeRecord record) {
        NodeRecord mine = own;
        if (mine == null) {
            return;
        }
        if (record.incarnation() > mine.incarnation()) {
            superseded(record.incarnation());
        } else if (record.standing() == NodeRecord.Standing.REMOVED) {
            refuse(applicant.node() + " has been removed from the cluster; add the machine under a new number");
        }
    }

    private void superseded(long younger) {
        refuse("a younger process of " + applicant.node() + ", number " + younger
                + ", has taken this one's place; run one process per node");
    }

    private void refuse(String message) {
        if (!ended) {
            ended = true;
            listener.refused(message);
        }
    }

    private void later(Runnable step) {
        if (!ended) {
            scheduler.schedule(
                    retryNanos,
                    () -> home.execute(() -> {
                        if (!ended) {
                            step.run();
                        }
                    }));
        }
    }
}
