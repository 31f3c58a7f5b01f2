package dev.fulmar.engine.partitioning;

/**
 * Which partition a partitioning key belongs to. Immutable and versioned. A hash plan cuts the unsigned 64-bit space of
 * {@code PartitioningHash} into ranges; a range plan cuts the integers themselves into ranges and keeps hashing other keys.
 */
public final class PartitionPlan {
    /** Equal ranges of the hash space. */
    public static PartitionPlan hash(int partitions) {
        throw new UnsupportedOperationException();
    }

    /**
     * Integer keys by range: partition {@code i} has the keys from {@code firstKeys[i]} up to the next one; keys below the first
     * belong to partition 0. Keys of other types are hashed over the same partitions.
     */
    public static PartitionPlan ranges(long... firstKeys) {
        throw new UnsupportedOperationException();
    }

    public long version() {
        throw new UnsupportedOperationException();
    }

    public int partitionCount() {
        throw new UnsupportedOperationException();
    }

    public int partitionOf(long key) {
        throw new UnsupportedOperationException();
    }

    public int partitionOf(byte[] key, int offset, int length) {
        throw new UnsupportedOperationException();
    }

    /** Partition of the key whose bytes lie in native memory. */
    public int partitionOf(long address, int length) {
        throw new UnsupportedOperationException();
    }

    /** Partition of a UUID or a long decimal. */
    public int partitionOfWide(long high, long low) {
        throw new UnsupportedOperationException();
    }

    /** The partition's ranges cut into the given number of buckets. */
    public BucketMap bucketsOf(int partition, int bucketCount) {
        throw new UnsupportedOperationException();
    }
}
