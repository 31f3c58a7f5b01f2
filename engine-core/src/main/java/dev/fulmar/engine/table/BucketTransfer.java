package dev.fulmar.engine.table;

import dev.fulmar.engine.memory.BlockHeap;
import dev.fulmar.engine.partitioning.BucketBounds;
import dev.fulmar.engine.partitioning.KeyRange;
import dev.fulmar.engine.partitioning.KeySpace;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.List;
import java.util.Optional;

/**
 * Takes whole buckets out of a partition, and into it. A move touches no row of the bucket and nothing of the others:
 * its cost is that of the number of tables and indexes. A bucket carries its rows' numbers and commit timestamps along.
 * Its number is the partition's own, and gets another one elsewhere. For the partition's thread, between two
 * transactions.
 */
public final class BucketTransfer {
    /** Buckets beside which none is halved: numbers must be left for those that come. */
    private static final int MOST_HALVED = BucketBounds.MOST_BUCKETS / 2;

    private final PartitionStorage storage;

    /** @param storage of the partition */
    public BucketTransfer(PartitionStorage storage) {
        this.storage = storage;
    }

    /** The bounds of the partition's buckets. */
    public BucketBounds bounds() {
        return storage.bucketBounds();
    }

    /** Rows of the bucket in all tables. */
    public long rowCount(int number) {
        return storage.partitioned().stream()
                .mapToLong(store -> store.bucket(number).rowCount())
                .sum();
    }

    /** Bytes of the bucket's rows and indexes in memory; 0 if it is not there. */
    public long usedBytes(int number) {
        return storage.buckets().has(number) ? storage.buckets().heap(number).usedBytes() : 0;
    }

    /** Bytes of memory that the node has for all of its partitions. */
    public long memoryBytes() {
        return storage.budget().limitBytes();
    }

    /** Bytes that writes may still take on the node. */
    public long freeBytes() {
        return storage.budget().markBytes() - storage.budget().usedBytes();
    }

    /** An empty bucket of today's tables, for rows that are collected before they come. */
    public DetachedBucket empty() {
        BlockHeap heap = new BlockHeap(storage.memory());
        return detached(heap);
    }

    /** A bucket of today's tables, without rows, in that memory. */
    DetachedBucket detached(BlockHeap heap) {
        return new DetachedBucket(
                heap,
                storage.partitioned().stream()
                        .map(store -> storage.newDetached(store.definition(), heap))
                        .toList());
    }

    /**
     * Ends the readers of earlier versions, for the reason, and the preparation of a catalog change, so that a bucket
     * can come or be cut. No transaction is under way.
     */
    public void clearWay(String reason) {
        storage.discardPreparation();
        storage.giveUpVersions(reason);
    }

    /** The buckets that leave row by row, or come so. */
    public BucketMoves moves() {
        return storage.moves();
    }

    /** Begins to cut a bucket; see {@link BucketCut}. */
    public BucketCut cut(int number, KeySpace space, long position) {
        return BucketCut.begin(storage, number, space, position);
    }

    /** As the other, where the new bucket gets the number, which no bucket has. */
    public BucketCut cut(int number, KeySpace space, long position, int newNumber) {
        return BucketCut.begin(storage, number, space, position, newNumber);
    }

    /** Begins to take the ranges out of a bucket, which has them beside others, into a new one. */
    public BucketCut separate(int number, List<KeyRange> ranges) {
        return BucketCut.separate(storage, number, ranges);
    }

    /** As the other, where the new bucket gets the number, which no bucket has, and rows are copied in the same way. */
    public BucketCut separate(int number, List<KeyRange> ranges, int newNumber, boolean isInPlace) {
        return BucketCut.separate(storage, number, ranges, newNumber, isInPlace);
    }

    /** As {@link BucketCut#next}, with memory up to the budget's mark only. */
    public boolean nextToMark(BucketCut cut, int mostRows) {
        storage.holdToMark(true);
        try {
            return cut.next(mostRows);
        } finally {
            storage.holdToMark(false);
        }
    }

    /** The upper half of a bucket by its rows; see {@link BucketCut#upperHalf}. */
    public Optional<KeyRange> upperHalf(int number) {
        return BucketCut.upperHalf(storage, number);
    }

    /**
     * Those of the ranges, which have all keys of a bucket, that are in the upper half of its rows. No more than one
     * cut takes. Empty if it cannot be halved: all of its rows have one key, or no more bucket may come beside so many.
     */
    public List<KeyRange> upperHalf(int number, List<KeyRange> ranges) {
        if (storage.bucketBounds().buckets().size() >= MOST_HALVED) {
            return List.of();
        }
        List<KeyRange> upper = upperHalf(number)
                .map(half -> KeyRange.common(ranges, List.of(half)))
                .orElse(List.of());
        return upper.equals(ranges) ? List.of() : upper.subList(0, Math.min(upper.size(), BucketCut.MOST_RANGES));
    }

    /** Keys of the ranges that few rows of the bucket have; see {@link BucketCut#few}. */
    public Optional<KeyRange> few(int number, List<KeyRange> ranges) {
        return BucketCut.few(storage, number, ranges);
    }

    /**
     * Whether a bucket can leave now. No transaction, checkpoint, preparation of a catalog change or reader of earlier
     * versions may be under way, and no dropped table may have memory in it. A caller whose bucket cannot leave asks
     * again later.
     */
    public boolean mayDetach() {
        return storage.undoLog().isEmpty()
                && !storage.undoLog().isRetaining()
                && !storage.marks().isCollecting()
                && storage.preparation() == null
                && !storage.hasGone();
    }

    /**
     * Takes the bucket out, with all its rows. Keys within its bounds belong to a neighbour from now on, which has no
     * rows of them. The next checkpoint does not have its rows any more.
     */
    public DetachedBucket detach(int number) {
        Invariants.check(mayDetach(), "a bucket leaves its partition while nothing uses it");
        BucketBounds rest = storage.bucketBounds().without(number);
        DetachedBucket leaving = take(number);
        storage.buckets().map().become(rest);
        return leaving;
    }

    /**
     * Takes the bucket out, whose keys belong to its number as before. A checkpoint may be under way, and readers of
     * earlier versions where {@link BucketHistory} has the bucket from now on.
     */
    DetachedBucket take(int number) {
        Invariants.check(isIdle(), "a bucket leaves its partition between two transactions");
        Invariants.check(storage.buckets().has(number), "a bucket leaves the partition that it is in");
        storage.shapeChanged();
        DetachedBucket leaving = detached(storage.buckets().heap(number));
        for (TableStore store : storage.partitioned()) {
            storage.marks().left(store.bucket(number));
        }
        storage.buckets().take(number);
        for (TableStore store : storage.partitioned()) {
            leaving.table(store.definition().id()).attach(0, store.detach(number));
        }
        leaving.join(number, storage.marks()); // as a checkpoint under way knows it
        return leaving;
    }

    /**
     * Whether a bucket can come now: no transaction, preparation of a catalog change or reader of earlier versions is
     * under way. Checkpoints may be; none has any of its rows before the next.
     */
    public boolean mayAttach() {
        return isIdle() && !storage.undoLog().isRetaining();
    }

    boolean isIdle() {
        return storage.undoLog().isEmpty() && storage.preparation() == null;
    }

    /**
     * Makes the bucket one of the partition, which has all keys of the ranges from now on, and returns its number
     * there.
     *
     * @param ranges that the partition gets by its plan; other buckets must have no rows of them
     * @throws FulmarException {@link ErrorCode#TRANSACTION_RESTART} if tables have changed since the bucket was made,
     *     and {@link ErrorCode#INVALID_CONFIGURATION} for no ranges or all ranges of another bucket. The bucket stays
     *     as it was then
     */
    public int attach(DetachedBucket coming, List<KeyRange> ranges) {
        int number = storage.buckets().freeNumber(storage.bucketBounds());
        BucketBounds bounds = storage.bucketBounds().assign(ranges, number);
        Invariants.check(mayAttach(), "a bucket comes while nothing reads its partition's tables");
        checkAssigned(storage.bucketBounds(), bounds, ranges);
        attach(coming, number, bounds);
        return number;
    }

    /** Fails unless a bucket got some ranges, and no other one lost all of its own. */
    static void checkAssigned(BucketBounds before, BucketBounds after, List<KeyRange> ranges) {
        if (ranges.isEmpty() || !after.hasAllOf(before)) {
            throw new FulmarException(
                    ErrorCode.INVALID_CONFIGURATION,
                    "a bucket with " + ranges.size() + " ranges has no keys, or all keys of another");
        }
    }

    /** As the other, where the bounds name the bucket's number, which is free. */
    void attach(DetachedBucket coming, int number, BucketBounds bounds) {
        attachMarked(coming, number, bounds);
        for (TableStore store : storage.partitioned()) {
            storage.marks().came(store.bucket(number));
        }
    }

    /**
     * As the other, where rows of the bucket have marks of this partition already. Readers of earlier versions may be
     * there if {@link BucketHistory} hides the bucket from them.
     */
    void attachMarked(DetachedBucket coming, int number, BucketBounds bounds) {
        check(coming);
        Invariants.check(isIdle(), "a bucket comes between two transactions");
        Invariants.check(!storage.buckets().has(number), "a bucket gets a number that is free");
        storage.shapeChanged();
        BlockHeap heap = coming.take();
        heap.moveTo(storage.memory());
        storage.buckets().put(number, heap);
        storage.buckets().map().become(bounds);
        for (TableStore store : storage.partitioned()) {
            store.attach(number, coming.table(store.definition().id()).detach(0));
        }
        storage.checkTables();
    }

    /** Fails if the bucket has rows of other tables than there are now. */
    void check(DetachedBucket coming) {
        if (!coming.isOf(storage.partitioned())) {
            throw new FulmarException(
                    ErrorCode.TRANSACTION_RESTART,
                    "tables or indexes have changed since the bucket was made; collect its rows anew");
        }
    }
}
