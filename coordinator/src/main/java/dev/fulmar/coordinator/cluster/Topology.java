package dev.fulmar.coordinator.cluster;

import dev.fulmar.coordinator.membership.PartitionRecord;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.id.PartitionId;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The partitions' records as this process last read them: names each primary's node, for forwarding requests and
 * messages. A record may be old, and a request that follows it may find no primary. Thread-safe.
 */
public final class Topology {
    private final AtomicReferenceArray<@Nullable PartitionRecord> records;
    private final AtomicReferenceArray<@Nullable Set<NodeId>> planned;
    private final AtomicLong version = new AtomicLong(1);

    public Topology(int partitions) {
        records = new AtomicReferenceArray<>(partitions + 1);
        planned = new AtomicReferenceArray<>(partitions + 1);
    }

    /** Number of partitions. The catalog, which is behind the last one, does not count. */
    public int partitions() {
        return records.length() - 1;
    }

    /** The catalog's place. */
    public PartitionId catalog() {
        return new PartitionId(partitions());
    }

    /** The partition's record; null if it is not known. */
    public @Nullable PartitionRecord recordOf(PartitionId partition) {
        return records.get(partition.number());
    }

    /** The node that serves the partition; null if none is known. */
    public @Nullable NodeId primaryOf(PartitionId partition) {
        PartitionRecord record = recordOf(partition);
        return record == null ? null : record.primary().node();
    }

    /** The node that serves each partition, by the partition's number; -1 where none is known. */
    public List<Integer> primaries() {
        List<Integer> nodes = new ArrayList<>(partitions());
        for (int i = 0; i < partitions(); i++) {
            PartitionRecord record = records.get(i);
            nodes.add(record == null ? -1 : record.primary().node().number());
        }
        return nodes;
    }

    /** Grows with every change of a primary. */
    public long version() {
        return version.get();
    }

    /** The plan was read: the nodes that are to have copies of a partition that has one here. */
    public void planned(PartitionId partition, Set<NodeId> nodes) {
        planned.set(partition.number(), Set.copyOf(nodes));
    }

    /** Whether the plan wants a copy of the partition on the node, which has one. */
    public boolean isPlannedOn(PartitionId partition, NodeId node) {
        Set<NodeId> nodes = planned.get(partition.number());
        return nodes != null && nodes.contains(node);
    }

    /** The partition's record was read. */
    public void found(PartitionId partition, PartitionRecord record) {
        PartitionRecord before = records.getAndSet(partition.number(), record);
        if (before == null || before.epoch() != record.epoch()) {
            version.incrementAndGet();
        }
    }
}
