package dev.fulmar.engine.table;

import dev.fulmar.engine.partitioning.BucketMap;
import dev.fulmar.engine.row.RowLayout;
import dev.fulmar.engine.version.Snapshot;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;

/**
 * The rows of one table on one partition, by buckets. A bucket's number stays while it is in the partition; where none
 * is, an empty one stands in. One thread.
 */
final class TableBuckets {
    private final RowLayout layout;
    private final int partitioningColumn;
    private final BucketSet set;
    private final BucketMap map;
    private DirtyMarks marks;
    private Bucket[] buckets = {};

    TableBuckets(RowLayout layout, BucketSet set, DirtyMarks marks) {
        this.layout = layout;
        this.partitioningColumn = layout.table().partitioningColumn().orElse(-1);
        this.set = set;
        this.map = set.map();
        this.marks = marks;
        grow();
    }

    /** There are as many as the partition has. */
    void grow() {
        int before = buckets.length;
        buckets = Arrays.copyOf(buckets, Math.max(before, set.limit()));
        for (int number = before; number < buckets.length; number++) {
            buckets[number] = empty(number);
        }
    }

    private Bucket empty(int number) {
        return new Bucket(layout, set.heap(number), number, marks);
    }

    /** One more than the highest number. */
    int count() {
        return buckets.length;
    }

    /** All of them. */
    List<Bucket> all() {
        return List.of(buckets);
    }

    /** Shows the buckets that the snapshot sees. */
    void visitAt(Snapshot snapshot, Consumer<Bucket> visitor) {
        BucketHistory history = set.history();
        if (!history.concerns(snapshot)) {
            for (Bucket bucket : buckets) {
                visitor.accept(bucket);
            }
            return;
        }
        for (int number = 0; number < buckets.length; number++) {
            if (history.isVisible(number, snapshot)) {
                visitor.accept(buckets[number]);
            }
        }
        int table = layout.table().id();
        history.visitFormer(
                snapshot, former -> visitor.accept(former.table(table).bucket(0)));
    }

    Bucket get(int number) {
        return buckets[number];
    }

    /** The bucket that the row is in. */
    Bucket of(long row) {
        return buckets[numberOf(row)];
    }

    /** Number of the bucket that the row is in. */
    int numberOf(long row) {
        if (buckets.length == 1) {
            return 0;
        }
        return switch (layout.kind(partitioningColumn)) {
            case BYTE, SHORT, INT, LONG -> map.bucketOf(layout.getLong(row, partitioningColumn));
            case FLOAT, DOUBLE -> map.bucketOf(layout.getDouble(row, partitioningColumn));
            case WIDE ->
                map.bucketOfWide(layout.wideHigh(row, partitioningColumn), layout.wideLow(row, partitioningColumn));
            case BYTES ->
                map.bucketOf(
                        layout.bytesAddress(row, partitioningColumn), layout.keyBytesLength(row, partitioningColumn));
        };
    }

    /** The bucket goes, with its rows. */
    Bucket take(int number) {
        Bucket taken = buckets[number];
        renew(number);
        return taken;
    }

    /** A bucket comes, with its rows. */
    void put(int number, Bucket bucket) {
        grow();
        bucket.join(layout, number, marks);
        buckets[number] = bucket;
    }

    /** The bucket of that number has memory of its own from now on; it has no rows yet. */
    void renew(int number) {
        grow();
        buckets[number] = empty(number);
    }

    long rowCount() {
        long rows = 0;
        for (Bucket bucket : buckets) {
            rows += bucket.rowCount();
        }
        return rows;
    }

    /** Bytes of native memory of slots and blocks. */
    long usedBytes() {
        long bytes = 0;
        for (Bucket bucket : buckets) {
            bytes += bucket.usedBytes();
        }
        return bytes;
    }

    /** From now on changes are marked there. */
    void markIn(DirtyMarks shared) {
        marks = shared;
        for (Bucket bucket : buckets) {
            bucket.markIn(shared);
        }
    }

    /** Rows that come without a number get none that the other table has given. */
    void continueRowNumbers(TableBuckets other) {
        boolean isAlike = buckets.length == other.buckets.length;
        long most = 0;
        for (Bucket bucket : other.buckets) {
            most = Math.max(most, bucket.nextRowNumber());
        }
        for (int number = 0; number < buckets.length; number++) {
            buckets[number].passRowNumbers(isAlike ? other.buckets[number].nextRowNumber() : most);
        }
    }

    /** Shows the numbers of the next rows, where rows are numbered. */
    void visitRowNumbers(RowNumberVisitor visitor) {
        for (int number = 0; layout.hasRowNumber() && number < buckets.length; number++) {
            if (buckets[number].nextRowNumber() > 1) {
                visitor.next(layout.table().id(), buckets[number].number(), buckets[number].nextRowNumber());
            }
        }
    }

    /** Frees some of the memory, of a table that is no longer used; returns whether that was the last. */
    boolean clearSome(int mostSlots) {
        int left = mostSlots;
        for (Bucket bucket : buckets) {
            while (bucket.slots().scannedPages() > 0) {
                if (left <= 0) {
                    return false;
                }
                left -= bucket.clearLastPage();
            }
        }
        return true;
    }

    /** Removes all rows and frees their memory. */
    void clear() {
        for (Bucket bucket : buckets) {
            bucket.clear();
        }
        set.trim();
    }
}
