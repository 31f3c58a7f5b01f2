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
import java.util.List;
import java.util.Optional;

/**
 * Cuts a bucket in two while transactions use it. Copies of its rows fill two new buckets piece by piece, and these
 * replace it at once. Invariant, between two pieces: no copy differs from its row, for copies of rows that change go at
 * once. Rows keep numbers and commit timestamps. For the partition's thread.
 */
public final class BucketCut {
    private final PartitionStorage storage;
    private final BucketTransfer transfer;
    private final int number;
    private final int newNumber;
    private final BucketBounds bounds;
    private final DetachedBucket lower;
    private final DetachedBucket upper;
    private final List<Part> parts = new ArrayList<>();
    private final long shape;
    private boolean isDiscarded;

    private BucketCut(PartitionStorage storage, int number, KeySpace space, long position, int newNumber) {
        this.storage = storage;
        this.number = number;
        transfer = new BucketTransfer(storage);
        this.newNumber = newNumber;
        bounds = storage.bucketBounds().cut(space, number, position, newNumber);
        if (!bounds.buckets().contains(number) || !bounds.buckets().contains(newNumber)) {
            throw new FulmarException(
                    ErrorCode.INVALID_CONFIGURATION,
                    "position " + position + " does not cut bucket " + number
                            + " in two; choose one within its bounds");
        }
        lower = transfer.empty();
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
        return new BucketCut(storage, number, space, position, newNumber);
    }

    /**
     * The upper half of the bucket: about as many of its rows lie below as in it. Empty if all rows have one key. It
     * comes from a sample of the rows, so its time is bounded.
     */
    public static Optional<KeyRange> upperHalf(PartitionStorage storage, int number) {
        BucketSample sample = new BucketSample(storage.bucketBounds().spaceOfIntegers());
        storage.partitioned().forEach(store -> sample.add(store, number));
        return sample.upperHalf();
    }

    /**
     * Copies about so many rows, while no transaction is under way; returns whether so few are left that
     * {@link #finish} can copy them while everything waits. Fails with MEMORY_LIMIT, or with TRANSACTION_RESTART if
     * tables have changed meanwhile; {@link #discard} follows then.
     */
    public boolean next(int mostRows) {
        checkShape();
        boolean few = true;
        int share = Math.max(1, mostRows / Math.max(1, parts.size()));
        for (Part part : parts) {
            few &= part.survey.next(share);
        }
        return few;
    }

    /** Whether {@link #finish} may come now: nothing reads the bucket, and tables are what they were. */
    public boolean mayFinish() {
        return transfer.mayAttach() && !isOutdated();
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

    /**
     * Puts the two buckets in the place of the one, and returns the number of the new one. Memory of the one goes by
     * {@link PartitionStorage#freeSome}, or with the checkpoint that has its rows.
     */
    public int finish() {
        checkShape();
        transfer.check(lower);
        Invariants.check(mayFinish(), "a bucket is cut while nothing reads it");
        for (Part part : parts) {
            part.survey.finish();
            part.end();
        }
        BucketBounds before = storage.bucketBounds();
        storage.buckets().release(newNumber);
        storage.moves().cutEnds(this);
        DetachedBucket whole = transfer.take(number);
        transfer.attach(lower, number, before);
        transfer.attach(upper, newNumber, bounds);
        storage.moves().free(whole);
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
        lower.close();
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
            if (lowerCopies.contains(row) || upperCopies.contains(row)) {
                return;
            }
            image.clear();
            for (int column = 0; column < source.layout().columnCount(); column++) {
                image.copyColumn(column, row);
            }
            long rowNumber = source.layout().hasRowNumber()
                    ? OffHeap.getLong(row + source.layout().rowNumberOffset())
                    : 0;
            boolean isUpper = owner.bucketOf(row, sides) == newNumber;
            long copy = table(isUpper ? upper : lower).adopt(image, rowNumber, RowLayout.commitTimestamp(row));
            (isUpper ? upperCopies : lowerCopies).put(row, copy);
        }

        @Override
        public void takeBack(long row) {
            discard(lower, lowerCopies.remove(row));
            discard(upper, upperCopies.remove(row));
        }

        private void discard(DetachedBucket side, long copy) {
            if (copy != 0) {
                table(side).discard(copy);
            }
        }

        /** All rows are copied. */
        void end() {
            unobserve();
            long next = source.bucket(number).nextRowNumber();
            table(lower).passRowNumbers(0, next);
            table(upper).passRowNumbers(0, next);
        }

        void unobserve() {
            source.unobserve(this);
        }
    }
}
