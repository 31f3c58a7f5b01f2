package dev.fulmar.engine.partitioning;

import dev.fulmar.foundation.data.PartitioningHash;
import org.jspecify.annotations.Nullable;

/**
 * The map from keys to the buckets of one partition. It follows the bounds of the buckets, which change while no
 * transaction is under way. Keys that do not belong to the partition have some bucket too. For the partition's thread.
 */
public final class BucketMap {
    /** In {@link #only}: there are several. */
    private static final int SEVERAL = -1;

    /** One bucket for everything, for keys that do not name a bucket. Never changed. */
    public static final BucketMap UNDIVIDED = single();

    private RangeMap hashes;
    private @Nullable RangeMap integers;
    private int only;

    BucketMap(RangeMap hashes, @Nullable RangeMap integers) {
        this.hashes = hashes;
        this.integers = integers;
        this.only = only();
    }

    /** One bucket for everything: replicated tables, and partitions that are not divided. */
    public static BucketMap single() {
        return new BucketMap(RangeMap.single(), null);
    }

    /** The bounds of the buckets. */
    public BucketBounds bounds() {
        return new BucketBounds(hashes.toKeyRanges(), integers == null ? KeyRanges.NONE : integers.toKeyRanges());
    }

    /** From now on the buckets have these bounds. */
    public void become(BucketBounds bounds) {
        hashes = bounds.map(KeySpace.HASH);
        integers = bounds.spaceOfIntegers() == KeySpace.HASH ? null : bounds.map(KeySpace.INTEGER);
        only = only();
    }

    private int only() {
        int owner = hashes.onlyOwner();
        return integers == null || integers.onlyOwner() == owner ? owner : SEVERAL;
    }

    /** One more than the highest number of a bucket. */
    public int numberLimit() {
        return Math.max(hashes.ownerCount(), integers == null ? 1 : integers.ownerCount());
    }

    public int bucketOf(long key) {
        if (only != SEVERAL) {
            return only;
        }
        return integers != null ? integers.ownerOf(key) : ofHash(PartitioningHash.ofLong(key));
    }

    public int bucketOf(double key) {
        return only != SEVERAL ? only : ofHash(PartitioningHash.ofDouble(key));
    }

    public int bucketOf(byte[] key, int offset, int length) {
        return only != SEVERAL ? only : ofHash(PartitioningHash.ofBytes(key, offset, length));
    }

    /** Bucket of the key whose bytes lie in native memory. */
    public int bucketOf(long address, int length) {
        return only != SEVERAL ? only : ofHash(PartitioningHash.ofNative(address, length));
    }

    /** Bucket of a UUID or a long decimal. */
    public int bucketOfWide(long high, long low) {
        return only != SEVERAL ? only : ofHash(PartitioningHash.ofWide(high, low));
    }

    private int ofHash(long hash) {
        return hashes.ownerOf(hash ^ PartitionPlan.UNSIGNED_ORDER);
    }
}
