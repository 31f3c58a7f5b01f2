package dev.fulmar.simulator.cluster;

import dev.fulmar.coordinator.durability.replica.PartitionReplica;
import dev.fulmar.coordinator.membership.PartitionRecord;
import dev.fulmar.coordinator.routing.Program;
import dev.fulmar.coordinator.transaction.PartitionRuntime;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.partitioning.KeyRange;
import dev.fulmar.engine.partitioning.PartitionPlan;
import dev.fulmar.engine.table.BucketExtraction;
import dev.fulmar.engine.table.BucketStaging;
import dev.fulmar.engine.table.RowOwner;
import dev.fulmar.foundation.check.Probes;
import dev.fulmar.foundation.id.PartitionId;
import dev.fulmar.foundation.simulated.SimulatedProcess;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Watches that a hand-off loses nothing. The staged rows are those that the source has of the keys, by their number and
 * a digest, and the destination knows the requests that the source has known when it looked at them for the last time.
 * Both are noted while the source is locked, and judged once the plan counts.
 */
final class HandOffWatch {
    /** Probe: rows and outcomes of a hand-off were compared. */
    static final String COMPARED = "HAND_OFF_COMPARED";

    private final SimulatedCluster cluster;
    private final Probes probes;
    private final Map<Long, Noted> noted = new TreeMap<>();

    /** By partition. */
    private final Map<Integer, OutcomeLooks> looks = new TreeMap<>();

    /**
     * All that rows depend on: whose they are, by which plan, and the last event in which its process may have changed
     * them.
     */
    private record RowsBasis(Object owner, Program program, SimulatedProcess process, long events) {
        RowsBasis(Object owner, Program program, SimulatedProcess process) {
            this(owner, program, process, process.executedEvents());
        }
    }

    HandOffWatch(SimulatedCluster cluster, Probes probes) {
        this.cluster = cluster;
        this.probes = probes;
    }

    /** A move under way, as it was at the last event. */
    private static final class Noted {
        private final int from;
        private final int to;
        private final List<KeyRange> ranges;

        /** By which the keys are at the source. */
        private Program before;

        /** Of the source and the destination while the source is locked; null if it is not. */
        private @Nullable MovedRows left;

        private @Nullable MovedRows staged;
        private @Nullable RowsBasis leftBasis;
        private @Nullable RowsBasis stagedBasis;
        private List<HeldOutcomes.Request> unknown = List.of();
        private final IdentityHashMap<HeldOutcomes.OfClient, HeldOutcomes.OfClient> covered = new IdentityHashMap<>();

        private long historyChanges = -1;
        private long notedCommits = -1;
        private @Nullable HeldOutcomes held;

        /** Outcomes before the source looked at them for the last time. */
        private @Nullable HeldOutcomes due;

        Noted(int from, int to, Program before, List<KeyRange> ranges) {
            this.from = from;
            this.to = to;
            this.ranges = ranges;
            this.before = before;
        }
    }

    /**
     * Looks after an event.
     *
     * @param programs of primaries that serve, by their partitions; null elsewhere
     * @param locked whether such a primary is locked
     */
    void look(@Nullable Program[] programs, boolean[] locked) {
        noted.values().removeIf(move -> isOver(move, programs[move.from]));
        for (int to = 0; to < programs.length; to++) {
            PartitionReplica destination = programs[to] == null ? null : primary(to);
            if (destination != null && destination.runtime().storage().moves().isUnderWay()) {
                for (BucketStaging staging :
                        destination.runtime().storage().moves().stagings()) {
                    look(staging, to, destination.runtime(), programs, locked);
                }
            }
        }
    }

    private @Nullable PartitionReplica primary(int partition) {
        var record = cluster.record(partition);
        SimulatedNode node =
                record == null ? null : cluster.node(record.primary().node());
        return node == null ? null : node.database().copies().of(new PartitionId(partition));
    }

    private void look(
            BucketStaging staging, int to, PartitionRuntime there, @Nullable Program[] programs, boolean[] locked) {
        for (int from = 0; from < programs.length; from++) {
            Program program = programs[from];
            PartitionReplica source = program == null ? null : primary(from);
            BucketExtraction extraction =
                    source == null ? null : source.runtime().storage().moves().extraction(staging.move());
            if (program != null && source != null && extraction != null) {
                Program known = programs[to];
                boolean isSame = known != null
                        && known.catalog().version() == program.catalog().version(); // or tables may differ
                note(staging, to, there, from, source.runtime(), extraction, program, locked[from] && isSame);
            }
        }
    }

    private void note(
            BucketStaging staging,
            int to,
            PartitionRuntime there,
            int from,
            PartitionRuntime here,
            BucketExtraction extraction,
            Program program,
            boolean isLocked) {
        Noted move = noted.get(staging.move());
        if (move == null) {
            noted.values().removeIf(other -> other.from == from); // it was undone
            List<KeyRange> ranges = KeyRange.common(
                    program.plan().rangesOf(from), here.storage().bucketBounds().rangesOf(extraction.bucket()));
            move = new Noted(from, to, program, ranges);
            noted.put(staging.move(), move);
        }
        noteOutcomes(move, here, extraction);
        HeldOutcomes due = move.due;
        if (isLocked) {
            noteRows(move, staging, here, program);
        } else {
            move.left = null;
            move.staged = null;
        }
        move.unknown = isLocked && due != null ? due.unknownTo(outcomes(to, there), move.covered) : List.of();
    }

    private void noteRows(Noted move, BucketStaging staging, PartitionRuntime here, Program program) {
        RowsBasis ofLeft = new RowsBasis(here, program, processOf(move.from));
        if (move.left == null || !ofLeft.equals(move.leftBasis)) {
            move.left = rowsOf(move, here, program);
            move.leftBasis = ofLeft;
        }
        RowsBasis ofStaged = new RowsBasis(staging, program, processOf(move.to));
        if (move.staged == null || !ofStaged.equals(move.stagedBasis)) {
            move.staged = rowsOf(staging, program);
            move.stagedBasis = ofStaged;
        }
    }

    /** Of the partition's primary, which serves. */
    private SimulatedProcess processOf(int partition) {
        PartitionRecord record = Objects.requireNonNull(cluster.record(partition));
        return cluster.node(record.primary().node()).process();
    }

    private void noteOutcomes(Noted move, PartitionRuntime here, BucketExtraction extraction) {
        if (extraction.notedCommits() != move.notedCommits) {
            move.notedCommits = extraction.notedCommits();
            move.due = move.held; // what came in this event may have come behind the look
        }
        if (here.historyChanges() != move.historyChanges) {
            move.historyChanges = here.historyChanges();
            move.held = outcomes(move.from, here);
        }
    }

    private HeldOutcomes outcomes(int partition, PartitionRuntime runtime) {
        OutcomeLooks same = looks.get(partition);
        if (same == null || !same.areOf(runtime)) {
            same = new OutcomeLooks(runtime);
            looks.put(partition, same);
        }
        return same.look();
    }

    /** Rows at the source that belong to the destination by the plan to come. */
    private static MovedRows rowsOf(Noted move, PartitionRuntime here, Program program) {
        PartitionPlan plan = program.plan();
        for (KeyRange range : move.ranges) {
            plan = plan.with(range, move.to);
        }
        PartitionPlan after = plan;
        MovedRows rows = MovedRows.NONE;
        for (Table table : program.catalog().tables().values()) {
            if (isDealt(table) && here.storage().hasTable(table.id())) {
                RowOwner owner =
                        new RowOwner(table, here.storage().table(table.id()).layout());
                LongPredicate leaves = row -> owner.partitionOf(row, after) == move.to;
                rows = rows.and(table, here.storage().table(table.id()), leaves);
            }
        }
        return rows;
    }

    private static MovedRows rowsOf(BucketStaging staging, Program program) {
        MovedRows rows = MovedRows.NONE;
        for (Table table : program.catalog().tables().values()) {
            if (isDealt(table)) {
                rows = rows.and(table, staging.bucket().table(table.id()), row -> true);
            }
        }
        return rows;
    }

    private static boolean isDealt(Table table) {
        return !table.isReplicated() && table.partitioningColumn().isPresent();
    }

    private static boolean has(PartitionPlan plan, int partition, List<KeyRange> ranges) {
        return new HashSet<>(KeyRange.common(ranges, plan.rangesOf(partition))).equals(new HashSet<>(ranges));
    }

    /** Judges a move whose hand-off counts at its source; returns whether it is over. */
    private boolean isOver(Noted move, @Nullable Program now) {
        if (now == null || now.plan() == move.before.plan()) {
            return false;
        }
        if (has(now.plan(), move.from, move.ranges)) {
            move.before = now; // another bucket was handed over
            return false;
        }
        if (move.left != null && has(now.plan(), move.to, move.ranges)) {
            probes.reached(COMPARED);
            if (!Objects.equals(move.left, move.staged)) {
                cluster.violation("a hand-off of " + move.ranges + " from partition " + move.from + " to " + move.to
                        + " counts by version " + now.catalog().version() + " with " + move.staged
                        + ", but the source had "
                        + move.left + "\n" + cluster.describe());
            }
            if (!move.unknown.isEmpty()) {
                cluster.violation("a hand-off of " + move.ranges + " from partition " + move.from + " to " + move.to
                        + " counts by version " + now.catalog().version()
                        + ", but the destination has not heard of " + move.unknown + "\n" + cluster.describe());
            }
        }
        return true;
    }
}
