package dev.fulmar.engine.partitioning;

import dev.fulmar.foundation.data.PartitioningHash;
import org.jspecify.annotations.Nullable;

/**
 * The map from keys to the buckets of one partition. Buckets are sub-ranges of the partition's keys or of their hashes,
 * numbered in that order. Immutable; made by {@link PartitionPlan#bucketsOf}. Keys that do not belong to the partition
 * have an unspecified bucket.
 */
public final class BucketMap {
    private static final BucketMap SINGLE = new BucketMap(RangeMap.single(), null);

    private final RangeMap hashes;
    private final @Nullable RangeMap integers;
    private final int bucketCount;
    private final boolean single;

    BucketMap(RangeMap hashes, @Nullable RangeMap integers) {
        this.hashes = hashes;
        this.integers = integers;
        bucketCount = Math.max(hashes.ownerCount(), integers == null ? 1 : integers.ownerCount());
        single = bucketCount == 1;
    }

    /** One bucket for everything: replicated tables, and partitions that are not divided. */
    public static BucketMap single() {
        return SINGLE;
    }

    public int bucketCount() {
        return bucketCount;
    }

    public int bucketOf(long key) {
        if (single) {
            return 0;
        }
        return integers != null ? integers.ownerOf(key) : ofHash(PartitioningHash.ofLong(key));
    }

    public int bucketOf(double key) {
        return single ? 0 : ofHash(PartitioningHash.ofDouble(key));
    }

    public int bucketOf(byte[] key, int offset, int length) {
        return single ? 0 : ofHash(PartitioningHash.ofBytes(key, offset, length));
    }

    /** Bucket of the key whose bytes lie in native memory. */
    public int bucketOf(long address, int length) {
        return single ? 0 : ofHash(PartitioningHash.ofNative(address, length));
    }

    /** Bucket of a UUID or a long decimal. */
    public int bucketOfWide(long high, long low) {
        return single ? 0 : ofHash(PartitioningHash.ofWide(high, low));
    }

    private int ofHash(long hash) {
        return hashes.ownerOf(hash ^ PartitionPlan.UNSIGNED_ORDER);
    }
}
