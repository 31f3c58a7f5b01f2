package dev.fulmar.engine.partitioning;

/**
 * Which bucket of one partition holds a key: buckets are sub-ranges of the partition's keys or of their hashes, numbered in that
 * order. Immutable; made by {@link PartitionPlan#bucketsOf}.
 */
public final class BucketMap {
    /** One bucket for everything: replicated tables, and partitions that are not divided. */
    public static BucketMap single() {
        throw new UnsupportedOperationException();
    }

    public int bucketCount() {
        throw new UnsupportedOperationException();
    }

    public int bucketOf(long key) {
        throw new UnsupportedOperationException();
    }

    public int bucketOf(byte[] key, int offset, int length) {
        throw new UnsupportedOperationException();
    }

    /** Bucket of the key whose bytes lie in native memory. */
    public int bucketOf(long address, int length) {
        throw new UnsupportedOperationException();
    }

    /** Bucket of a UUID or a long decimal. */
    public int bucketOfWide(long high, long low) {
        throw new UnsupportedOperationException();
    }
}
