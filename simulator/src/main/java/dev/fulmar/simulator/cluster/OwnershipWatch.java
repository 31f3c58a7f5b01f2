package dev.fulmar.simulator.cluster;

import dev.fulmar.coordinator.durability.replica.PartitionReplica;
import dev.fulmar.coordinator.membership.PartitionRecord;
import dev.fulmar.coordinator.routing.Program;
import dev.fulmar.engine.partitioning.KeyRange;
import dev.fulmar.engine.partitioning.PlanTarget;
import dev.fulmar.foundation.check.Probes;
import dev.fulmar.foundation.id.PartitionId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Watches invariants of plans, after each event. No two primaries serve the same key: between the commits of a hand-off
 * at two partitions, the one with the plan of before is locked. No plan changes while no reconfiguration runs.
 */
final class OwnershipWatch {
    private static final String TWO_PLANS = "TWO_PLANS";

    private final SimulatedCluster cluster;
    private final Probes probes;
    private final int partitions;
    private final @Nullable Program[] programs;
    private final boolean[] locked;
    private final CopyOwnership copies;
    private final HandOffWatch handOffs;
    private boolean isOver;

    OwnershipWatch(SimulatedCluster cluster, Probes probes) {
        this.cluster = cluster;
        this.probes = probes;
        partitions = cluster.scenario().partitions();
        programs = new Program[partitions];
        locked = new boolean[partitions];
        copies = new CopyOwnership(cluster, probes);
        handOffs = new HandOffWatch(cluster, probes);
    }

    /** Begins to watch. */
    void begin() {
        cluster.world().afterEach(this::look);
    }

    private void look() {
        if (isOver) {
            return;
        }
        copies.look();
        boolean differ = false;
        Program any = null;
        for (int partition = 0; partition < partitions; partition++) {
            Program program = served(partition);
            checkSuccessor(partition, programs[partition], program);
            programs[partition] = program;
            differ |= program != null && any != null && program.plan() != any.plan();
            any = program == null ? any : program;
        }
        if (differ) {
            compareAll();
        }
        handOffs.look(programs, locked);
    }

    /** No hand-off counts while the reconfiguration is paused, or after its cancel. */
    private void checkSuccessor(int partition, @Nullable Program before, @Nullable Program after) {
        if (before == null
                || after == null
                || after.catalog().version() != before.catalog().version() + 1) {
            return;
        }
        PlanTarget target = before.catalog().target();
        if (target != null && target.state() != PlanTarget.State.RUNNING && before.plan() != after.plan()) {
            isOver = true;
            cluster.violation("partition " + partition + " got another plan with version "
                    + after.catalog().version() + " though the reconfiguration was " + target.state());
        }
    }

    /** The program of the partition's primary of the newest term; null if that does not serve. */
    private @Nullable Program served(int partition) {
        PartitionRecord record = cluster.record(partition);
        SimulatedNode node =
                record == null ? null : cluster.node(record.primary().node());
        if (record == null || node == null || !node.hasBegun()) {
            return null;
        }
        PartitionReplica replica = node.database().copies().of(new PartitionId(partition));
        boolean isPrimary = record.primary().equals(replica.copy())
                && replica.serves()
                && replica.leads()
                && replica.status().epoch() == record.epoch();
        locked[partition] = isPrimary && replica.runtime().partition().isLocked();
        return isPrimary ? replica.runtime().program() : null;
    }

    private void compareAll() {
        for (int one = 0; one < partitions; one++) {
            for (int other = 0; other < partitions; other++) {
                Program before = programs[one];
                Program after = programs[other];
                if (before != null
                        && after != null
                        && before.catalog().version() < after.catalog().version()
                        && before.plan() != after.plan()) {
                    compare(one, before, other, after);
                }
            }
        }
    }

    private void compare(int one, Program before, int other, Program after) {
        probes.reached(TWO_PLANS);
        if (locked[one]) {
            return;
        }
        List<KeyRange> both =
                KeyRange.common(before.plan().rangesOf(one), after.plan().rangesOf(other));
        if (one != other && !both.isEmpty()) {
            isOver = true;
            cluster.violation("partition " + one + " serves " + both + " by version "
                    + before.catalog().version() + ", and partition " + other + " by version "
                    + after.catalog().version() + "\n" + cluster.describe());
        }
    }
}
