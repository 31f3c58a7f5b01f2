package dev.fulmar.engine.table;

import dev.fulmar.engine.memory.OffHeap;
import dev.fulmar.engine.partitioning.BucketBounds;
import dev.fulmar.engine.partitioning.BucketMap;
import dev.fulmar.engine.partitioning.KeyRange;
import dev.fulmar.engine.partitioning.KeySpace;
import dev.fulmar.engine.row.RowImage;
import dev.fulmar.engine.row.RowLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Cuts a bucket in two while transactions use it: copies of its rows fill two new buckets piece by piece, which take its
 * place at once. Invariant, between two pieces: no copy differs from its row, for copies of rows that change go at
 * once. Rows keep numbers and commit timestamps. For the partition's thread.
 */
public final class BucketCut {
    /** Rows of each table whose positions tell where a bucket has its middle. */
    private static final int MOST_SAMPLES = 1_024;

    private final PartitionStorage storage;
    private final BucketTransfer transfer;
    private final int number;
    private final int newNumber;
    private final BucketBounds bounds;
    private final DetachedBucket lower;
    private final DetachedBucket upper;
    private final List<Part> parts = new ArrayList<>();
    private final long shape;

    private BucketCut(PartitionStorage storage, int number, KeySpace space, long position) {
        this.storage = storage;
        this.number = number;
        transfer = new BucketTransfer(storage);
        newNumber = storage.bucketBounds().freeNumber();
        bounds = storage.bucketBounds().cut(space, number, position, newNumber);
        lower = transfer.empty();
        upper = transfer.empty();
        shape = storage.shapeChanges();
        BucketMap sides = BucketMap.single();
        sides.become(bounds);
        for (TableStore store : storage.partitioned()) {
            parts.add(new Part(store, sides));
        }
    }

    /** Begins to cut the bucket at the position, which is the first of the new bucket. */
    public static BucketCut begin(PartitionStorage storage, int number, KeySpace space, long position) {
        return new BucketCut(storage, number, space, position);
    }

    /**
     * What to cut off so that about as many of the bucket's rows lie below as in it; empty if all rows have one key. It
     * comes from a sample of the rows.
     */
    public static Optional<KeyRange> upperHalf(PartitionStorage storage, int number) {
        KeySpace spaceOfIntegers = storage.bucketBounds().spaceOfIntegers();
        List<long[]> hashed = new ArrayList<>();
        List<long[]> integers = new ArrayList<>();
        for (TableStore store : storage.partitioned()) {
            RowOwner owner = new RowOwner(store.definition(), store.layout());
            long[] sample = sample(store, number, owner, spaceOfIntegers);
            (owner.spaceOf(spaceOfIntegers) == KeySpace.HASH ? hashed : integers).add(sample);
        }
        long[] ofHashes = sorted(hashed);
        long[] ofIntegers = sorted(integers);
        KeySpace space = ofIntegers.length >= ofHashes.length ? KeySpace.INTEGER : KeySpace.HASH;
        long[] positions = space == KeySpace.INTEGER ? ofIntegers : ofHashes;
        int middle = positions.length / 2;
        while (middle < positions.length && positions[middle] == positions[0]) {
            middle++;
        }
        return middle >= positions.length ? Optional.empty() : Optional.of(KeyRange.from(space, positions[middle]));
    }

    private static long[] sample(TableStore store, int number, RowOwner owner, KeySpace spaceOfIntegers) {
        Bucket bucket = store.bucket(number);
        SlotStore slots = bucket.slots();
        long step = Math.max(1, bucket.rowCount() / MOST_SAMPLES);
        long[] positions = new long[2 * MOST_SAMPLES];
        int count = 0;
        long seen = 0;
        for (int page = 0; page < slots.scannedPages() && count < positions.length; page++) {
            long slot = slots.pageAddress(page);
            for (int i = slots.scannedSlots(page); i > 0 && count < positions.length; i--, slot += bucket.slotBytes()) {
                if (RowLayout.isVisible(slot) && seen++ % step == 0) {
                    positions[count++] = owner.positionOf(slot, spaceOfIntegers);
                }
            }
        }
        return Arrays.copyOf(positions, count);
    }

    private static long[] sorted(List<long[]> samples) {
        return samples.stream().flatMapToLong(Arrays::stream).sorted().toArray();
    }

    /**
     * Copies about so many rows, while no transaction is under way; returns whether so few are left that
     * {@link #finish} can copy them while everything waits. Fails with MEMORY_LIMIT; {@link #discard} follows then.
     */
    public boolean next(int mostRows) {
        boolean few = true;
        for (Part part : parts) {
            few &= part.survey.next(mostRows);
        }
        return few;
    }

    /** Whether {@link #finish} may come now: nothing uses the bucket, and tables are what they were. */
    public boolean mayFinish() {
        return transfer.mayDetach() && shape == storage.shapeChanges();
    }

    /** Whether tables or indexes have changed since the beginning, so that nothing comes of it. */
    public boolean isOutdated() {
        return shape != storage.shapeChanges();
    }

    /**
     * Puts the two buckets in the place of the one, and returns the number of the new one. Memory of the one goes by
     * {@link PartitionStorage#freeSome}.
     */
    public int finish() {
        for (Part part : parts) {
            part.survey.finish();
            part.end();
        }
        BucketBounds before = storage.bucketBounds();
        DetachedBucket whole = transfer.take(number);
        transfer.attach(lower, number, before);
        transfer.attach(upper, newNumber, bounds);
        storage.freeLater(whole::closeSome);
        return newNumber;
    }

    /** Gives it up. */
    public void discard() {
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
