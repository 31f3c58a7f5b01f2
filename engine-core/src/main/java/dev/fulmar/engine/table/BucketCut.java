package dev.fulmar.engine.table;

import dev.fulmar.engine.memory.AddressTable;
import dev.fulmar.engine.memory.OffHeap;
import dev.fulmar.engine.partitioning.BucketBounds;
import dev.fulmar.engine.partitioning.BucketMap;
import dev.fulmar.engine.partitioning.KeyRange;
import dev.fulmar.engine.partitioning.KeySpace;
import dev.fulmar.engine.row.RowImage;
import dev.fulmar.engine.row.RowLayout;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Cuts a bucket in two while transactions use it. Copies of its rows fill two new buckets piece by piece, and these
 * replace it at once. Where few rows go to the new bucket, only these are copied, and leave the bucket at the end.
 * Invariant, between two pieces: no copy differs from its row, for copies of rows that change go at once. Rows keep
 * numbers and commit timestamps. For the partition's thread.
 */
public final class BucketCut {
    /** The rows of the new bucket are few if they are at most so many, and at most this share of the bucket's. */
    private static final long MOST_REMOVED_ROWS = 2_000;

    private static final int LEAST_SHARE_KEPT = 8;

    /** Ranges that leave a bucket at once: the log names those of the new one. */
    public static final int MOST_RANGES = 1_000;

    private final PartitionStorage storage;
    private final BucketTransfer transfer;
    private final int number;
    private final int newNumber;
    private final BucketBounds bounds;
    private final List<KeyRange> ranges;
    private final boolean isInPlace;

    /** Rows that stay; null if they stay where they are. */
    private final @Nullable DetachedBucket lower;

    private final DetachedBucket upper;
    private final List<Part> parts = new ArrayList<>();
    private final long shape;
    private boolean isDiscarded;

    private BucketCut(PartitionStorage storage, int number, BucketBounds bounds, int newNumber, boolean isInPlace) {
        this.storage = storage;
        this.number = number;
        this.bounds = bounds;
        ranges = bounds.rangesOf(newNumber);
        this.isInPlace = isInPlace;
        transfer = new BucketTransfer(storage);
        this.newNumber = newNumber;
        lower = isInPlace ? null : transfer.empty();
        upper = transfer.empty();
        storage.buckets().reserve(newNumber);
        storage.moves().cutBegins(this);
        shape = storage.shapeChanges();
        BucketMap sides = BucketMap.single();
        sides.become(bounds);
        for (TableStore store : storage.partitioned()) {
            parts.add(new Part(store, sides));
        }
    }

    /** Begins to cut the bucket at the position, which is the first of the new bucket. */
    public static BucketCut begin(PartitionStorage storage, int number, KeySpace space, long position) {
        return begin(storage, number, space, position, storage.buckets().freeNumber(storage.bucketBounds()));
    }

    /** As the other, where the new bucket gets the number, which no bucket has. */
    static BucketCut begin(PartitionStorage storage, int number, KeySpace space, long position, int newNumber) {
        BucketBounds bounds = storage.bucketBounds().cut(space, number, position, newNumber);
        if (!bounds.buckets().contains(number) || !bounds.buckets().contains(newNumber)) {
            throw new FulmarException(
                    ErrorCode.INVALID_CONFIGURATION,
                    "position " + position + " does not cut bucket " + number
                            + " in two; choose one within its bounds");
        }
        return new BucketCut(storage, number, bounds, newNumber, false);
    }

    /**
     * Begins to part the ranges from the others of the bucket. These or the others get into a new bucket, whichever has
     * few rows; the ranges if both have many.
     */
    static BucketCut separate(PartitionStorage storage, int number, List<KeyRange> ranges) {
        BucketSample sample = sample(storage, number);
        int newNumber = storage.buckets().freeNumber(storage.bucketBounds());
        if (isFew(sample.rowsIn(ranges), sample)) {
            return separate(storage, number, ranges, newNumber, true);
        }
        List<KeyRange> others = storage.bucketBounds().assign(ranges, newNumber).rangesOf(number);
        return others.size() <= MOST_RANGES && isFew(sample.rowsIn(others), sample)
                ? separate(storage, number, others, newNumber, true)
                : separate(storage, number, ranges, newNumber, false);
    }

    private static boolean isFew(long rows, BucketSample sample) {
        return rows <= MOST_REMOVED_ROWS && rows * LEAST_SHARE_KEPT <= sample.rows();
    }

    /**
     * As the other, where the new bucket gets the number, which no bucket has.
     *
     * @param isInPlace whether rows that stay are not copied
     */
    static BucketCut separate(
            PartitionStorage storage, int number, List<KeyRange> ranges, int newNumber, boolean isInPlace) {
        BucketBounds before = storage.bucketBounds();
        BucketBounds bounds = before.assign(ranges, newNumber);
        boolean hasAll = !ranges.isEmpty()
                && new HashSet<>(KeyRange.common(ranges, before.rangesOf(number))).equals(new HashSet<>(ranges));
        if (!hasAll || !bounds.buckets().containsAll(before.buckets())) {
            throw new FulmarException(
                    ErrorCode.INVALID_CONFIGURATION,
                    "bucket " + number + " does not have the keys of all " + ranges.size() + " ranges beside others");
        }
        return new BucketCut(storage, number, bounds, newNumber, isInPlace);
    }

    private static BucketSample sample(PartitionStorage storage, int number) {
        BucketSample sample = new BucketSample(storage.bucketBounds().spaceOfIntegers());
        storage.partitioned().forEach(store -> sample.add(store, number));
        return sample;
    }

    /**
     * The upper half of the bucket: about as many of its rows lie below as in it. Empty if all rows have one key. It
     * comes from a sample of the rows, so its time is bounded.
     */
    public static Optional<KeyRange> upperHalf(PartitionStorage storage, int number) {
        return sample(storage, number).upperHalf();
    }

    /**
     * Keys of the ranges that few rows of the bucket have, about: so few that they leave it by themselves. Empty if all
     * keys have many rows. It comes from a sample of the rows, so its time is bounded.
     */
    static Optional<KeyRange> few(PartitionStorage storage, int number, List<KeyRange> ranges) {
        BucketSample sample = sample(storage, number);
        return sample.few(Math.min(MOST_REMOVED_ROWS, sample.rows() / LEAST_SHARE_KEPT), ranges);
    }

    /**
     * Copies about so many rows, while no transaction is under way; returns whether so few are left that
     * {@link #finish} can copy them while everything waits. Fails with MEMORY_LIMIT, or with TRANSACTION_RESTART if
     * tables have changed meanwhile; {@link #discard} follows then.
     */
    public boolean next(int mostRows) {
        checkShape();
        boolean few = true;
        int left = mostRows;
        List<Part> byNeed = new ArrayList<>(parts);
        byNeed.sort(Comparator.comparingInt(part -> part.survey.needed()));
        // A busy table gets what others do not need: it may change faster than an equal share can follow.
        for (int i = 0; i < byNeed.size(); i++) {
            RowSurvey survey = byNeed.get(i).survey;
            int share = Math.max(1, left / (byNeed.size() - i));
            left -= Math.min(share, survey.needed());
            few &= survey.next(share);
        }
        return few;
    }

    /** Whether rows change faster than they are copied, at the pace so far. */
    public boolean isBehind() {
        return parts.stream().anyMatch(part -> part.survey.isBehind());
    }

    /**
     * Whether {@link #finish} may come now: no transaction is under way, and tables are what they were. Rows leave a
     * bucket in place only while no reader may come for them.
     */
    public boolean mayFinish() {
        return (isInPlace ? transfer.mayAttach() : transfer.isIdle()) && !isOutdated();
    }

    private void checkShape() {
        if (isOutdated()) {
            throw new FulmarException(
                    ErrorCode.TRANSACTION_RESTART,
                    "tables or indexes have changed since the bucket's cut began; try again");
        }
    }

    /** Whether it was given up, or tables or indexes have changed since the beginning, so that nothing comes of it. */
    public boolean isOutdated() {
        return isDiscarded || shape != storage.shapeChanges();
    }

    /** Number of the new bucket. */
    public int newNumber() {
        return newNumber;
    }

    /** All keys of the new bucket. */
    public List<KeyRange> ranges() {
        return ranges;
    }

    /** Whether more rows leave in place than a partition can wait for; a cut that copies all takes its place. */
    public boolean hasTooMany() {
        return isInPlace && upper.rowCount() > 2 * MOST_REMOVED_ROWS;
    }

    /** Whether rows that stay are not copied. */
    public boolean isInPlace() {
        return isInPlace;
    }

    /**
     * Puts the two buckets in the place of the one, and returns the number of the new one. Readers of earlier snapshots
     * go on with the one. Its memory goes by {@link PartitionStorage#freeSome}, or with the checkpoint that has its
     * rows.
     *
     * @param timestamp above those of all commits so far
     */
    public int finish(long timestamp) {
        checkShape();
        transfer.check(upper);
        Invariants.check(mayFinish(), "a bucket is cut between two transactions");
        for (Part part : parts) {
            part.survey.finish();
            part.end();
        }
        BucketBounds before = storage.bucketBounds();
        storage.buckets().release(newNumber);
        storage.moves().cutEnds(this);
        DetachedBucket rest = lower;
        if (rest == null) {
            parts.forEach(Part::removeCopied);
            transfer.attach(upper, newNumber, bounds);
        } else {
            DetachedBucket whole = transfer.take(number);
            transfer.attach(rest, number, before);
            transfer.attach(upper, newNumber, bounds);
            storage.moves().replaced(number, whole, newNumber, timestamp);
        }
        return newNumber;
    }

    /** Gives it up. */
    public void discard() {
        if (isDiscarded) {
            return;
        }
        isDiscarded = true;
        storage.buckets().release(newNumber);
        storage.moves().cutEnds(this);
        parts.forEach(Part::unobserve);
        if (lower != null) {
            lower.close();
        }
        upper.close();
    }

    /** The rows of one table. */
    private final class Part implements RowSurvey.Work, RowObserver {
        private final TableStore source;
        private final RowOwner owner;
        private final BucketMap sides;
        private final RowImage image;
        private final AddressTable lowerCopies = new AddressTable();
        private final AddressTable upperCopies = new AddressTable();
        private final RowSurvey survey;

        Part(TableStore source, BucketMap sides) {
            this.source = source;
            this.sides = sides;
            owner = new RowOwner(source.definition(), source.layout());
            image = new RowImage(source.layout());
            survey = RowSurvey.ofBucket(source, this, number);
            source.observe(this);
        }

        private TableStore table(DetachedBucket side) {
            return side.table(source.definition().id());
        }

        @Override
        public void changing(long row) {
            if (source.bucketOf(row) == number) {
                survey.changing(row);
            }
        }

        @Override
        public void take(long row) {
            boolean isUpper = owner.bucketOf(row, sides) == newNumber;
            DetachedBucket side = isUpper ? upper : lower;
            if (side == null || lowerCopies.contains(row) || upperCopies.contains(row)) {
                return;
            }
            image.clear();
            for (int column = 0; column < source.layout().columnCount(); column++) {
                image.copyColumn(column, row);
            }
            long rowNumber = source.layout().hasRowNumber()
                    ? OffHeap.getLong(row + source.layout().rowNumberOffset())
                    : 0;
            long copy = table(side).adopt(image, rowNumber, RowLayout.commitTimestamp(row));
            (isUpper ? upperCopies : lowerCopies).put(row, copy);
        }

        @Override
        public void takeBack(long row) {
            discard(lower, lowerCopies.remove(row));
            discard(upper, upperCopies.remove(row));
        }

        private void discard(@Nullable DetachedBucket side, long copy) {
            if (copy != 0 && side != null) {
                table(side).discard(copy);
            }
        }

        /** The rows of which the new bucket has copies leave the bucket, in the order of their slots. */
        void removeCopied() {
            SlotStore slots = source.bucket(number).slots();
            SortedMap<Long, Long> rows = new TreeMap<>();
            while (upperCopies.size() > 0) {
                long row = upperCopies.takeAny();
                rows.put(slots.numberOf(row), row);
            }
            rows.values().forEach(source::discard);
        }

        /** All rows are copied. */
        void end() {
            unobserve();
            long next = source.bucket(number).nextRowNumber();
            if (lower != null) {
                table(lower).passRowNumbers(0, next);
            }
            table(upper).passRowNumbers(0, next);
        }

        void unobserve() {
            source.unobserve(this);
        }
    }
}
