package dev.fulmar.simulator.cluster;

import dev.fulmar.coordinator.durability.replica.PartitionReplica;
import dev.fulmar.coordinator.membership.CopyId;
import dev.fulmar.coordinator.membership.PartitionRecord;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.id.PartitionId;
import org.jspecify.annotations.Nullable;

/**
 * Watches an invariant inside the nodes: every copy in sync has all that the primary has acknowledged, as durable as
 * the database asks. A breach stays unnoticed until the right machines end at the right moment.
 */
final class CopiesWatch {
    private static final long LOOK_NANOS = 5_000_000;

    private final SimulatedCluster cluster;

    /** Records acknowledged of each partition, in any term. */
    private final long[] acknowledged;

    private final @Nullable PartitionRecord[] seen;
    private boolean isOver;

    CopiesWatch(SimulatedCluster cluster) {
        this.cluster = cluster;
        acknowledged = new long[cluster.streams()];
        seen = new PartitionRecord[cluster.streams()];
        cluster.onRecord(this::look);
    }

    /** Begins to watch. */
    void begin() {
        lookAtAll();
        if (!isOver) {
            cluster.world().schedule(LOOK_NANOS, "somebody looks at the copies", this::begin);
        }
    }

    private void lookAtAll() {
        for (int partition = 0; partition < cluster.streams(); partition++) {
            look(partition);
        }
    }

    private void look(int partition) {
        PartitionRecord record = cluster.record(partition);
        if (record == null || isOver) {
            return;
        }
        PartitionRecord before = seen[partition];
        seen[partition] = record;
        if (before != null && isAnotherLog(before, record)) {
            acknowledged[partition] = 0;
        } else if (before != null && before.epoch() < record.epoch()) {
            noteAcknowledged(partition, before);
        }
        noteAcknowledged(partition, record);
        for (CopyId copy : record.inSync()) {
            PartitionReplica.Holding held = holding(partition, copy);
            String wrong = held == null ? null : wrong(held, acknowledged[partition], cluster.keepsWhatItConfirms());
            if (wrong != null) {
                isOver = true;
                cluster.violation("copy " + copy + " of partition " + partition + " is in sync, but " + wrong + ": "
                        + record + "\n" + cluster.describe());
                return;
            }
        }
    }

    private void noteAcknowledged(int partition, PartitionRecord term) {
        PartitionReplica.Holding primary = holding(partition, term.primary());
        if (primary != null && primary.leads() && primary.state().epoch() == term.epoch()) {
            acknowledged[partition] =
                    Math.max(acknowledged[partition], primary.state().releasedEnd());
        }
    }

    /**
     * Whether the later term was begun by a copy that was not in sync: all that were had ended without keeping what
     * they confirmed.
     */
    static boolean isAnotherLog(PartitionRecord before, PartitionRecord record) {
        return record.epoch() > before.epoch() && !before.inSync().contains(record.primary());
    }

    /** @param isKept whether copies confirm only what is durable */
    static @Nullable String wrong(PartitionReplica.Holding held, long acknowledged, boolean isKept) {
        if (held.isGivenUp()) {
            return "its rows are given up";
        }
        if (held.state().end() < acknowledged) {
            return "it misses records up to " + acknowledged + " that are acknowledged";
        }
        return isKept && held.state().durableEnd() < acknowledged
                ? "its records up to " + acknowledged + ", which are acknowledged, are not durable"
                : null;
    }

    /**
     * Records that the copy holds; null if its process does not run, or does not take part yet, or has another copy.
     */
    private PartitionReplica.@Nullable Holding holding(int partition, CopyId copy) {
        NodeId id = copy.node();
        SimulatedNode node = cluster.node(id);
        if (!node.hasBegun()) {
            return null;
        }
        PartitionReplica hosted = node.database().copies().of(new PartitionId(partition));
        return copy.equals(hosted.copy()) ? hosted.holding() : null;
    }
}
