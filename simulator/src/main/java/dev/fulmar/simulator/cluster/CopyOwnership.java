package dev.fulmar.simulator.cluster;

import dev.fulmar.coordinator.durability.replica.PartitionReplica;
import dev.fulmar.coordinator.durability.replica.ReplicaState;
import dev.fulmar.coordinator.membership.CopyId;
import dev.fulmar.coordinator.routing.Program;
import dev.fulmar.coordinator.transaction.PartitionRuntime;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.partitioning.PartitionPlan;
import dev.fulmar.engine.table.RowOwner;
import dev.fulmar.engine.table.ScanCursor;
import dev.fulmar.engine.table.TableStore;
import dev.fulmar.foundation.check.Probes;
import dev.fulmar.foundation.id.PartitionId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Watches that each copy, also of a backup, has rows of its partition's keys only. It looks whenever a copy takes
 * another plan, which is the position of a hand-off in its log.
 */
final class CopyOwnership {
    private static final String BACKUP_TAKES_PLAN = "BACKUP_TAKES_PLAN";

    private final SimulatedCluster cluster;
    private final Probes probes;
    private final int partitions;

    /** By node and partition; null where there was no copy at the event before. */
    private final List<@Nullable Seen> seen = new ArrayList<>();

    /** By the version of the catalog, as primaries had them. */
    private final Map<Long, Program> programs = new TreeMap<>();

    /** A copy whose tables stand at the version of the catalog. */
    private record Seen(PartitionRuntime runtime, CopyId copy, long version) {}

    CopyOwnership(SimulatedCluster cluster, Probes probes) {
        this.cluster = cluster;
        this.probes = probes;
        this.partitions = cluster.scenario().partitions();
    }

    /** Looks at all copies. */
    void look() {
        int place = 0;
        for (SimulatedNode node : cluster.nodes()) {
            for (int partition = 0; partition < partitions; partition++, place++) {
                if (place == seen.size()) {
                    seen.add(null);
                }
                if (node.hasBegun()) {
                    look(place, node.database().copies().of(new PartitionId(partition)));
                } else {
                    seen.set(place, null);
                }
            }
        }
    }

    private void look(int place, PartitionReplica replica) {
        Seen before = seen.get(place);
        CopyId copy = replica.copy();
        long version = replica.runtime().storageVersion();
        ReplicaState state = replica.status().state();
        if (state == ReplicaState.PROMOTED || state == ReplicaState.RESOLVING) {
            return; // it takes up what was in doubt when its term began, a hand-off perhaps
        }
        if (copy == null || (before != null && before.version == version && before.copy.equals(copy))) {
            return;
        }
        if (replica.leads()) {
            programs.put(version, replica.runtime().program());
        }
        Seen after = new Seen(replica.runtime(), copy, version);
        seen.set(place, after);
        Program earlier = before == null ? null : programs.get(before.version);
        Program later = programs.get(version);
        if (before != null
                && before.runtime == after.runtime
                && before.copy.equals(copy)
                && earlier != null
                && later != null
                && earlier.plan() != later.plan()
                && isWhole(replica)) {
            judge(replica, after, later);
        }
    }

    /** Whether the copy is neither damaged nor being built. */
    private static boolean isWhole(PartitionReplica replica) {
        PartitionReplica.Holding holding = replica.holding();
        return holding != null && !holding.isGivenUp() && replica.status().state() != ReplicaState.BROKEN;
    }

    private void judge(PartitionReplica replica, Seen copy, Program program) {
        int partition = replica.partition().number();
        if (!replica.leads()) {
            probes.reached(BACKUP_TAKES_PLAN);
        }
        for (Table table : program.catalog().tables().values()) {
            boolean isDealt =
                    !table.isReplicated() && table.partitioningColumn().isPresent();
            int strangers = isDealt && copy.runtime.storage().hasTable(table.id())
                    ? strangers(copy.runtime.storage().table(table.id()), table, program.plan(), partition)
                    : 0;
            if (strangers > 0) {
                cluster.violation("copy " + copy.copy + " of partition " + partition + " has " + strangers + " rows of "
                        + table.name() + " that belong elsewhere by the plan of version "
                        + program.catalog().version() + "\n" + cluster.describe());
                return;
            }
        }
    }

    private static int strangers(TableStore store, Table table, PartitionPlan plan, int partition) {
        RowOwner owner = new RowOwner(table, store.layout());
        ScanCursor cursor = store.newScan();
        store.open(cursor);
        int strangers = 0;
        for (long row = cursor.next(); row != 0; row = cursor.next()) {
            strangers += owner.partitionOf(row, plan) == partition ? 0 : 1;
        }
        return strangers;
    }
}
