package dev.fulmar.engine.partitioning;

import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.data.PartitioningHash;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The map from partitioning keys to partitions. Immutable and versioned. A hash plan, the default, cuts the unsigned
 * 64-bit space of {@link PartitioningHash} into ranges. It evens out many keys, but a few dozen small integers (the
 * warehouses of TPC-C) fall unevenly: for those a range plan cuts the integers themselves and keeps hashing keys of
 * other types.
 */
public final class PartitionPlan {
    /** Turns unsigned into signed order. */
    public static final long UNSIGNED_ORDER = Long.MIN_VALUE;

    /** Of a plan that the nodes are configured with. */
    public static final long CONFIGURED = 0;

    private final long version;
    private final int partitionCount;
    private final RangeMap hashes;
    private final @Nullable RangeMap integers;

    private PartitionPlan(long version, int partitionCount, RangeMap hashes, @Nullable RangeMap integers) {
        this.version = version;
        this.partitionCount = partitionCount;
        this.hashes = hashes;
        this.integers = integers;
    }

    /** Equal ranges of the hash space. */
    public static PartitionPlan hash(int partitions) {
        return new PartitionPlan(CONFIGURED, checked(partitions), RangeMap.equal(partitions), null);
    }

    /**
     * Divides integer keys by range: partition {@code i} has the keys from {@code firstKeys[i]} up to the next one,
     * partition 0 also those below. Dates, times and decimals are divided too, as the longs that they are. Other keys
     * are hashed over the same partitions.
     *
     * @param firstKeys rising, one per partition
     */
    public static PartitionPlan ranges(long... firstKeys) {
        int partitions = checked(firstKeys.length);
        long[] starts = firstKeys.clone();
        int[] owners = new int[partitions];
        starts[0] = Long.MIN_VALUE;
        for (int i = 1; i < partitions; i++) {
            if (starts[i] <= firstKeys[i - 1]) {
                throw new FulmarException(
                        ErrorCode.INVALID_CONFIGURATION,
                        "the partitions' first keys must rise but " + firstKeys[i] + " follows " + firstKeys[i - 1]);
            }
            owners[i] = i;
        }
        return new PartitionPlan(CONFIGURED, partitions, RangeMap.equal(partitions), new RangeMap(starts, owners));
    }

    /**
     * A plan with any owner for each range. A partition may own nothing.
     *
     * @param hashes with {@link #UNSIGNED_ORDER}
     * @param integers without ranges where integers are hashed too
     * @throws FulmarException {@link ErrorCode#INVALID_CONFIGURATION} for ranges that do not rise from the least long
     *     on, or that have an owner which is no partition
     */
    public static PartitionPlan of(int partitions, KeyRanges hashes, KeyRanges integers) {
        checked(partitions);
        return new PartitionPlan(
                CONFIGURED,
                partitions,
                RangeMap.of(hashes, partitions),
                integers.starts().isEmpty() ? null : RangeMap.of(integers, partitions));
    }

    /**
     * Equal ranges of the hash space for the partitions, and none for the spare ones, which have the highest numbers. A
     * spare partition takes keys once a later plan gives it some.
     */
    public static PartitionPlan hash(int partitions, int spares) {
        return new PartitionPlan(CONFIGURED, checked(partitions) + spares, RangeMap.equal(partitions), null);
    }

    /** The same plan, but for one position of hashes, which the partition gets. */
    public PartitionPlan withHash(long position, int partition) {
        return new PartitionPlan(version, partitionCount, hashes.assign(position, position, partition), integers);
    }

    /** The same plan, but the partition has all positions of the range. */
    public PartitionPlan with(KeyRange range, int partition) {
        return with(List.of(range), partition);
    }

    /** The same plan, but the partition has all positions of the ranges. */
    public PartitionPlan with(List<KeyRange> ranges, int partition) {
        RangeMap known = integers;
        List<KeyRange> ofIntegers = KeyRange.in(KeySpace.INTEGER, ranges);
        Invariants.check(known != null || ofIntegers.isEmpty(), "a plan that hashes integers has no ranges of them");
        return new PartitionPlan(
                version,
                partitionCount,
                hashes.assign(KeyRange.in(KeySpace.HASH, ranges), partition),
                known == null ? null : known.assign(ofIntegers, partition));
    }

    /** The same plan as a later version of the catalog has it. */
    public PartitionPlan countingFrom(long catalogVersion) {
        return new PartitionPlan(catalogVersion, partitionCount, hashes, integers);
    }

    /** Whether each key has the same partition by both plans, whatever their versions are. */
    public boolean hasSameOwners(PartitionPlan other) {
        return partitionCount == other.partitionCount
                && hashes.hasSameOwners(other.hashes)
                && haveSameOwners(integers, other.integers);
    }

    /**
     * A number that plans with the same owners share, whatever their versions are; two others share one by a chance of
     * 2^-64. It is in logs.
     */
    public long fingerprint() {
        PartitionPlan merged = new PartitionPlan(
                CONFIGURED, partitionCount, hashes.merged(), integers == null ? null : integers.merged());
        byte[] stored = PartitionPlanFormat.write(merged);
        return PartitioningHash.ofBytes(stored, 0, stored.length);
    }

    private static boolean haveSameOwners(@Nullable RangeMap one, @Nullable RangeMap other) {
        if (one == null || other == null) {
            return one == null && other == null;
        }
        return one.hasSameOwners(other);
    }

    private static int checked(int partitions) {
        if (partitions < 1) {
            throw new FulmarException(ErrorCode.INVALID_CONFIGURATION, "a database has at least one partition");
        }
        return partitions;
    }

    /**
     * The version of the catalog since which the plan counts, or {@link #CONFIGURED}. A later plan has a higher
     * version.
     */
    public long version() {
        return version;
    }

    public int partitionCount() {
        return partitionCount;
    }

    /**
     * Partitions that have keys. A single position is none: a spare partition has one at which it draws numbers of
     * sequences.
     */
    public int partitionsWithKeys() {
        return (int) rangesByPartition().stream()
                .filter(ranges -> ranges.size() > 1
                        || (ranges.size() == 1
                                && ranges.getFirst().first() < ranges.getFirst().last()))
                .count();
    }

    /** The space in which the plan has integers, dates, times and short decimals. */
    public KeySpace spaceOfIntegers() {
        return integers == null ? KeySpace.HASH : KeySpace.INTEGER;
    }

    /** Position of an integer in {@link #spaceOfIntegers()}. */
    public long positionOf(long key) {
        return integers == null ? position(PartitioningHash.ofLong(key)) : key;
    }

    /** Position of the key in the space of hashes. */
    public long positionOf(double key) {
        return position(PartitioningHash.ofDouble(key));
    }

    /** Position, in the space of hashes, of the key with the bytes. */
    public long positionOf(byte[] key, int offset, int length) {
        return position(PartitioningHash.ofBytes(key, offset, length));
    }

    /** Position, in the space of hashes, of the key whose bytes lie in native memory. */
    public long positionOf(long address, int length) {
        return position(PartitioningHash.ofNative(address, length));
    }

    /** Position, in the space of hashes, of a UUID or a long decimal. */
    public long positionOfWide(long high, long low) {
        return position(PartitioningHash.ofWide(high, low));
    }

    private static long position(long hash) {
        return hash ^ UNSIGNED_ORDER;
    }

    public int partitionOf(long key) {
        return (integers == null ? hashes : integers).ownerOf(positionOf(key));
    }

    public int partitionOf(double key) {
        return hashes.ownerOf(positionOf(key));
    }

    public int partitionOf(byte[] key, int offset, int length) {
        return hashes.ownerOf(positionOf(key, offset, length));
    }

    /** Partition of the key whose bytes lie in native memory. */
    public int partitionOf(long address, int length) {
        return hashes.ownerOf(positionOf(address, length));
    }

    /** Partition of a UUID or a long decimal. */
    public int partitionOfWide(long high, long low) {
        return hashes.ownerOf(positionOfWide(high, low));
    }

    /** The partition's ranges of hashes, and of integers if those are not hashed. */
    public List<KeyRange> rangesOf(int partition) {
        List<KeyRange> ranges = new ArrayList<>(hashes.rangesOf(partition, KeySpace.HASH));
        if (integers != null) {
            ranges.addAll(integers.rangesOf(partition, KeySpace.INTEGER));
        }
        return List.copyOf(ranges);
    }

    /** The same of all partitions, by their numbers. */
    public List<List<KeyRange>> rangesByPartition() {
        List<List<KeyRange>> ranges = new ArrayList<>();
        for (int partition = 0; partition < partitionCount; partition++) {
            ranges.add(new ArrayList<>());
        }
        hashes.visit(KeySpace.HASH, (partition, range) -> ranges.get(partition).add(range));
        if (integers != null) {
            integers.visit(
                    KeySpace.INTEGER,
                    (partition, range) -> ranges.get(partition).add(range));
        }
        return ranges.stream().map(List::copyOf).toList();
    }

    /** Shows what each partition has of the range, in the order of positions. */
    public void visit(KeyRange within, RangeVisitor visitor) {
        RangeMap known = within.space() == KeySpace.HASH ? hashes : integers;
        if (known == null) {
            throw Invariants.breach("a plan that hashes integers has no ranges of them");
        }
        known.visit(within, visitor);
    }

    /** The ranges of hashes with their partitions; the hashes are with {@link #UNSIGNED_ORDER}. */
    public KeyRanges hashes() {
        return hashes.toKeyRanges();
    }

    /** The ranges of integers with their partitions; no ranges where integers are hashed too. */
    public KeyRanges integers() {
        return integers == null ? KeyRanges.NONE : integers.toKeyRanges();
    }

    /** The partition's ranges cut into the given number of buckets, or fewer where a range has fewer keys. */
    public BucketMap bucketsOf(int partition, int bucketCount) {
        RangeMap ofHashes = bucketCount == 1 ? RangeMap.single() : hashes.divide(partition, bucketCount);
        RangeMap ofIntegers = integers;
        if (ofIntegers != null) {
            ofIntegers = bucketCount == 1 ? RangeMap.single() : ofIntegers.divide(partition, bucketCount);
        }
        return new BucketMap(ofHashes, ofIntegers);
    }

    @Override
    public String toString() {
        String hashed = hashes.describe("hashes");
        return "version " + version + ": "
                + (integers == null ? hashed : integers.describe("integers") + "; " + hashed);
    }
}
