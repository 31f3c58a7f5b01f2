package dev.fulmar.reconfig.move;

import dev.fulmar.coordinator.reconfiguration.PartitionData;
import dev.fulmar.engine.partitioning.BucketBounds;
import dev.fulmar.engine.partitioning.KeyRange;
import dev.fulmar.engine.partitioning.PartitionPlan;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Buckets of a partition at a moment. Immutable.
 *
 * @param owned the keys of the partition
 * @param rows of each bucket
 */
record BucketCounts(BucketBounds bounds, List<KeyRange> owned, Map<Integer, Long> rows) {
    BucketCounts {
        owned = List.copyOf(owned);
        rows = Map.copyOf(rows);
    }

    /** On the partition's thread. */
    static BucketCounts of(PartitionData data, int partition) {
        BucketBounds bounds = data.buckets().bounds();
        Map<Integer, Long> rows = new TreeMap<>();
        for (int bucket : bounds.buckets()) {
            rows.put(bucket, data.buckets().rowCount(bucket));
        }
        return new BucketCounts(bounds, data.plan().rangesOf(partition), rows);
    }

    /** Rows of the bucket. */
    long rowsOf(int bucket) {
        return rows.getOrDefault(bucket, 0L);
    }

    /** Rows of all buckets with keys that belong to another partition by the target. */
    long leaving(PartitionPlan target, int partition) {
        return BucketChoice.leaving(bounds, owned, target, partition).stream()
                .mapToLong(this::rowsOf)
                .sum();
    }
}
