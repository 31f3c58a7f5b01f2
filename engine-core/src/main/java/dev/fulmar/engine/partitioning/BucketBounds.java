package dev.fulmar.engine.partitioning;

import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The bounds of a partition's buckets, which are stored with their rows. A bucket keeps its number and its bounds for
 * as long as it is in the partition, whatever plans come. Positions that the partition does not own belong to some
 * bucket too. Immutable.
 *
 * @param hashes the ranges of hashes, each of a bucket, as in {@link PartitionPlan#hashes()}
 * @param integers the ranges of integers; none where integers are hashed too
 */
public record BucketBounds(KeyRanges hashes, KeyRanges integers) {
    /** Buckets that a partition may have. */
    public static final int MOST_BUCKETS = 4_096;

    private static final int VERSION = 1;

    /**
     * @throws FulmarException {@link ErrorCode#INVALID_CONFIGURATION} for ranges that do not rise from the least long
     *     on, and for numbers that no bucket can have
     */
    public BucketBounds {
        RangeMap.of(hashes, MOST_BUCKETS);
        if (!integers.starts().isEmpty()) {
            RangeMap.of(integers, MOST_BUCKETS);
        }
    }

    /** The space in which the bounds have integers, dates, times and short decimals. */
    public KeySpace spaceOfIntegers() {
        return integers.starts().isEmpty() ? KeySpace.HASH : KeySpace.INTEGER;
    }

    /** The buckets' numbers. */
    public SortedSet<Integer> buckets() {
        SortedSet<Integer> all = new TreeSet<>(hashes.owners());
        all.addAll(integers.owners());
        return all;
    }

    /** Whether each bucket of the others has ranges in every space in which it has some there. */
    public boolean hasAllOf(BucketBounds others) {
        return hashes.owners().containsAll(others.hashes.owners())
                && integers.owners().containsAll(others.integers.owners());
    }

    /** The ranges of positions that the bucket has. */
    public List<KeyRange> rangesOf(int bucket) {
        List<KeyRange> ranges = new ArrayList<>(map(KeySpace.HASH).rangesOf(bucket, KeySpace.HASH));
        if (spaceOfIntegers() == KeySpace.INTEGER) {
            ranges.addAll(map(KeySpace.INTEGER).rangesOf(bucket, KeySpace.INTEGER));
        }
        return List.copyOf(ranges);
    }

    /** Shows what each bucket has of the ranges, in their order. */
    public void visit(List<KeyRange> within, RangeVisitor visitor) {
        RangeMap ofHashes = map(KeySpace.HASH);
        RangeMap ofIntegers = spaceOfIntegers() == KeySpace.HASH ? ofHashes : map(KeySpace.INTEGER);
        within.forEach(range -> (range.space() == KeySpace.HASH ? ofHashes : ofIntegers).visit(range, visitor));
    }

    /** The same, but the positions from first to last belong to the bucket. */
    public BucketBounds assign(KeySpace space, long first, long last, int bucket) {
        return with(space, map(space).assign(first, last, bucket));
    }

    /** The same, but all positions of the ranges belong to the bucket. */
    public BucketBounds assign(List<KeyRange> ranges, int bucket) {
        BucketBounds assigned = this;
        for (KeySpace space : KeySpace.values()) {
            List<KeyRange> some = KeyRange.in(space, ranges);
            assigned = some.isEmpty()
                    ? assigned
                    : assigned.with(space, assigned.map(space).assign(some, bucket));
        }
        return assigned;
    }

    /** The same, but what the bucket has from the position on belongs to the other. */
    public BucketBounds cut(KeySpace space, int bucket, long position, int other) {
        return with(space, map(space).cut(bucket, position, other));
    }

    /** The same without the bucket, which must not be the last one. */
    public BucketBounds without(int bucket) {
        SortedSet<Integer> rest = buckets();
        rest.remove(bucket);
        Invariants.check(!rest.isEmpty(), "a partition has at least one bucket");
        KeyRanges left = map(KeySpace.HASH).without(bucket, rest.first()).toKeyRanges();
        return new BucketBounds(
                left,
                spaceOfIntegers() == KeySpace.HASH
                        ? KeyRanges.NONE
                        : map(KeySpace.INTEGER).without(bucket, rest.first()).toKeyRanges());
    }

    private BucketBounds with(KeySpace space, RangeMap changed) {
        return space == KeySpace.HASH
                ? new BucketBounds(changed.toKeyRanges(), integers)
                : new BucketBounds(hashes, changed.toKeyRanges());
    }

    RangeMap map(KeySpace space) {
        return RangeMap.of(space == KeySpace.HASH ? hashes : integers, MOST_BUCKETS);
    }

    /** Stored form: its version (8 bits), the ranges of hashes, and those of integers. */
    public byte[] toBytes() {
        byte[] bytes = new byte[1 + KeyRangesFormat.bytesOf(hashes) + KeyRangesFormat.bytesOf(integers)];
        bytes[0] = VERSION;
        KeyRangesFormat.write(integers, bytes, KeyRangesFormat.write(hashes, bytes, 1));
        return bytes;
    }

    /**
     * The bounds in stored form.
     *
     * @throws FulmarException {@link ErrorCode#VERSION_MISMATCH} for a form of a later version of Fulmar, and
     *     {@link ErrorCode#CORRUPTION} for bytes that are no bounds
     */
    public static BucketBounds of(byte[] bytes) {
        if (bytes.length == 0) {
            throw damaged(bytes.length);
        }
        if (bytes[0] != VERSION) {
            throw new FulmarException(
                    ErrorCode.VERSION_MISMATCH,
                    "the bounds of buckets have form " + bytes[0] + ", but this version of Fulmar reads form " + VERSION
                            + " only; start the version that wrote it");
        }
        KeyRanges hashes = KeyRangesFormat.read(bytes, 1);
        int second = 1 + KeyRangesFormat.bytesOf(hashes);
        KeyRanges integers = KeyRangesFormat.read(bytes, second);
        if (second + KeyRangesFormat.bytesOf(integers) != bytes.length) {
            throw damaged(bytes.length);
        }
        try {
            return new BucketBounds(hashes, integers);
        } catch (FulmarException noBounds) {
            throw damaged(bytes.length);
        }
    }

    private static FulmarException damaged(int length) {
        return new FulmarException(
                ErrorCode.CORRUPTION,
                "bounds of buckets of " + length + " bytes cannot be read; restore the data from a copy or a backup");
    }
}
