package dev.fulmar.engine.table;

import dev.fulmar.engine.catalog.Index;
import dev.fulmar.engine.catalog.IndexColumn;
import dev.fulmar.engine.catalog.IndexKind;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.index.KeyFormat;
import dev.fulmar.engine.index.KeyRouting;
import dev.fulmar.engine.index.KeyValue;
import dev.fulmar.engine.index.RowFilter;
import dev.fulmar.engine.index.RowIndex;
import dev.fulmar.engine.index.SearchKey;
import dev.fulmar.engine.memory.OffHeap;
import dev.fulmar.engine.row.RowImage;
import dev.fulmar.engine.row.RowLayout;
import dev.fulmar.engine.undo.UndoLog;
import dev.fulmar.engine.undo.UndoTarget;
import dev.fulmar.engine.version.Horizon;
import dev.fulmar.engine.version.Snapshot;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Rows and indexes of one table on one partition. One thread. A failed operation leaves no trace. */
public final class TableStore {
    /** Detail of an UPDATE record: the row got a new block. */
    static final int REBUILT = 1;

    /** Detail of a KEY_CHANGE record: the entry under the new key did not exist before. */
    static final int NEW_ENTRY = 1;

    static final int KEY_INDEX = 0;
    /** 0 if there was no entry before. */
    static final int KEY_BITS = 4;

    static final int KEY_BUCKET = 8;
    static final int KEY_HEADER_BYTES = 16;

    private final int tableId;
    private final RowLayout layout;
    private final BucketSet set;
    private final TableBuckets buckets;
    private final DirtyMarks marks;
    private final Horizon horizon;
    private final int partitioningColumn;
    private final UndoTarget undoTarget;
    private final IndexExpressions expressions;
    private Table table;
    private TableIndex[] indexes = {};
    private long indexVersion;
    private @Nullable RowImage moveImage;
    private @Nullable RowObserver observer;

    TableStore(Table table, BucketSet set, DirtyMarks marks, Horizon horizon, IndexExpressions expressions) {
        this.expressions = expressions;
        this.table = table;
        this.set = set;
        tableId = table.id();
        layout = new RowLayout(table);
        undoTarget = new TableUndo(this, set.history());
        partitioningColumn = table.partitioningColumn().orElse(-1);
        this.marks = marks;
        this.horizon = horizon;
        buckets = new TableBuckets(layout, set, marks);
        for (Index index : table.indexes()) {
            addIndex(table, index);
        }
    }

    public RowLayout layout() {
        return layout;
    }

    /** The index with the catalog id. */
    public TableIndex index(int indexId) {
        for (TableIndex index : indexes) {
            if (index.definition().id() == indexId) {
                return index;
            }
        }
        throw new FulmarException(
                ErrorCode.UNKNOWN_OBJECT, "table " + table.name() + " has no index with id " + indexId);
    }

    /** The index that enforces the primary key (hash if there is one, else ordered). Fails for a table without. */
    public TableIndex primaryIndex() {
        TableIndex found = null;
        for (TableIndex index : indexes) {
            boolean hash = index.definition().kind() == IndexKind.HASH;
            if (index.definition().primary() && (found == null || hash)) {
                found = index;
            }
        }
        if (found == null) {
            throw new FulmarException(ErrorCode.UNKNOWN_OBJECT, "table " + table.name() + " has no primary key");
        }
        return found;
    }

    /** The definition of the table as it is now. */
    Table definition() {
        return table;
    }

    public List<TableIndex> indexes() {
        return List.of(indexes);
    }

    /** Not to be changed. */
    TableIndex[] indexArray() {
        return indexes;
    }

    /** Counts the changes of the set of indexes. */
    long indexVersion() {
        return indexVersion;
    }

    int bucketCount() {
        return buckets.count();
    }

    Bucket bucket(int number) {
        return buckets.get(number);
    }

    UndoTarget undoTarget() {
        return undoTarget;
    }

    public long rowCount() {
        return buckets.rowCount();
    }

    /** The table's rows by buckets. */
    TableBuckets buckets() {
        return buckets;
    }

    /** Number of the bucket that the row is in. */
    public int bucketOf(long row) {
        return buckets.numberOf(row);
    }

    /** Inserts the image's row and returns its address. Fails with NOT_NULL_VIOLATION or UNIQUE_VIOLATION. */
    public long insert(RowImage image, UndoLog undo) {
        return insert(image, 0, undo);
    }

    /**
     * As the other, for a row that had a number before; the next new row gets a higher one.
     *
     * @param rowNumber the number; 0 for a new one
     */
    public long insert(RowImage image, long rowNumber, UndoLog undo) {
        layout.checkNotNull(image.address());
        int number = bucketOf(image.address());
        Bucket bucket = buckets.get(number);
        long mark = undo.mark();
        long row = bucket.create(image);
        if (rowNumber != 0) {
            bucket.setRowNumber(row, rowNumber);
        }
        observed(row);
        int detail =
                (bucket.slots().lastWasReused() ? Bucket.REUSED_SLOT : 0) | (rowNumber == 0 ? 0 : Bucket.GIVEN_NUMBER);
        try {
            undo.inserted(tableId, row, detail);
        } catch (RuntimeException failure) {
            bucket.uncreate(row, detail);
            throw failure;
        }
        try {
            for (TableIndex index : indexes) {
                index.insert(number, row);
            }
        } catch (RuntimeException failure) {
            undo.rollbackTo(mark);
            throw failure;
        }
        return row;
    }

    /** Describes an update of the columns. */
    public UpdateShape updateShape(int... columns) {
        return new UpdateShape(layout, table.partitioningColumn(), columns);
    }

    /**
     * Gives the shape's columns the image's values and returns the row's address, which differs only if the
     * partitioning key moved to another bucket. Fails with NOT_NULL_VIOLATION or UNIQUE_VIOLATION.
     */
    public long update(long row, RowImage image, UpdateShape shape, UndoLog undo) {
        layout.checkNotNull(image.address(), shape.columns());
        int number = bucketOf(row);
        if (shape.mayMove() && buckets.count() > 1 && bucketOf(image.address()) != number) {
            return move(row, image, shape, undo);
        }
        buckets.get(number).beforeChange(row);
        RowObserver known = observer;
        if (known != null && known.isConcernedBy(shape)) {
            known.changing(row, image.address(), shape);
        }
        long mark = undo.mark();
        TableIndex[] affected = shape.indexes(this);
        try {
            if (affected.length == 0) {
                change(buckets.get(number), row, image, shape, undo);
            } else {
                for (TableIndex index : affected) {
                    index.rememberKey(row);
                }
                change(buckets.get(number), row, image, shape, undo);
                for (TableIndex index : affected) {
                    if (index.keyChanged(row)) {
                        changeKey(index, number, row, undo);
                    }
                }
            }
        } catch (RuntimeException failure) {
            undo.rollbackTo(mark);
            throw failure;
        }
        return row;
    }

    private void change(Bucket bucket, long row, RowImage image, UpdateShape shape, UndoLog undo) {
        long payload = undo.updating(tableId, row, layout.slotBytes());
        bucket.setFixed(row, image.address(), shape.fixedColumns());
        int[] variable = shape.variableColumns();
        if (variable.length == 0) {
            return;
        }
        if (!undo.isRetaining() && bucket.fitsInPlace(row, image.address(), variable)) {
            bucket.setInPlace(row, image.address(), variable, undo);
        } else {
            bucket.rebuildBlock(row, image.address(), shape);
            undo.setDetail(payload, REBUILT);
        }
    }

    private void changeKey(TableIndex index, int bucket, long row, UndoLog undo) {
        int bits = index.hadEntry() ? index.rememberedKey().storedBits() : 0;
        long payload = undo.changingKey(tableId, row, KEY_HEADER_BYTES + SearchKey.storedBytes(bits));
        OffHeap.putInt(payload + KEY_INDEX, index.definition().id());
        OffHeap.putInt(payload + KEY_BITS, bits);
        OffHeap.putInt(payload + KEY_BUCKET, bucket);
        if (index.hadEntry()) {
            index.rememberedKey().writeTo(payload + KEY_HEADER_BYTES);
        }
        if (index.insertChanged(bucket, row)) {
            undo.setDetail(payload, NEW_ENTRY);
        }
        RowLayout.setFlags(row, RowLayout.flags(row) | RowLayout.STALE_ENTRIES);
    }

    /** The row leaves its bucket: it is deleted there and inserted in the other. */
    private long move(long row, RowImage image, UpdateShape shape, UndoLog undo) {
        RowImage whole = moveImage == null ? new RowImage(layout) : moveImage;
        moveImage = whole;
        whole.clear();
        for (int column = 0; column < layout.columnCount(); column++) {
            whole.copyColumn(column, shape.changes(column) ? image.address() : row);
        }
        long mark = undo.mark();
        try {
            delete(row, undo);
            return insert(whole, undo);
        } catch (RuntimeException failure) {
            undo.rollbackTo(mark);
            throw failure;
        }
    }

    public void delete(long row, UndoLog undo) {
        Bucket bucket = buckets.of(row);
        bucket.beforeChange(row);
        observed(row);
        undo.deleted(tableId, row);
        RowLayout.setFlags(row, RowLayout.flags(row) | RowLayout.DELETED);
        bucket.countRows(-1);
    }

    /** A scan of the newest versions. */
    public ScanCursor newScan() {
        return newScan(null);
    }

    /** A scan of what the snapshot shows; null for the newest versions. */
    public ScanCursor newScan(@Nullable Snapshot snapshot) {
        return new ScanCursor(this, snapshot);
    }

    public void open(ScanCursor cursor) {
        cursor.open();
    }

    /** Bytes of native memory of slots and blocks, without indexes. */
    public long usedBytes() {
        return buckets.usedBytes();
    }

    /** Bytes of native memory of slots, blocks and indexes. */
    public long usedBytesWithIndexes() {
        long bytes = usedBytes();
        for (TableIndex index : indexes) {
            bytes += index.usedBytes();
        }
        return bytes;
    }

    /** Builds an index over the rows that exist. On failure nothing is left of it. */
    void addIndex(Table changed, Index index) {
        TableIndex built = newIndex(changed, index);
        try {
            ScanCursor cursor = newScan();
            open(cursor);
            for (long row = cursor.next(); row != 0; row = cursor.next()) {
                built.insert(bucketOf(row), row);
            }
        } catch (RuntimeException failure) {
            built.clear();
            throw failure;
        }
        addBuilt(changed, built);
    }

    /** An empty index, which is not one of the table's yet. */
    TableIndex newIndex(Table changed, Index index) {
        RowFilter filter = index.condition()
                .map(condition -> expressions.condition(changed, layout, condition))
                .orElse(null);
        List<KeyValue> computed = index.columns().stream()
                .filter(IndexColumn::isComputed)
                .map(key -> expressions.value(changed, layout, key))
                .toList();
        KeyRouting routing = null;
        for (int i = 0; i < index.columns().size() && !table.isReplicated(); i++) {
            if (index.columns().get(i).column() == partitioningColumn) {
                routing = new KeyRouting(i, set.map());
            }
        }
        return new TableIndex(
                new KeyFormat(layout, index, filter, computed), routing, set, TableIndex.enforces(changed, index));
    }

    /** Takes on an index that has all rows. */
    void addBuilt(Table changed, TableIndex built) {
        List<TableIndex> all = new ArrayList<>(indexes());
        all.add(built);
        indexes = all.toArray(TableIndex[]::new);
        table = changed;
        indexVersion++;
    }

    /** Takes over the table's new definition: names of columns and indexes, defaults, and whether nulls are allowed. */
    void redefine(Table changed) {
        layout.redefine(changed);
        table = changed;
        for (Index index : changed.indexes()) {
            index(index.id()).redefine(index);
        }
    }

    /**
     * Takes over a row that was committed in another table. Nothing undoes it: after a failure the whole table must go.
     *
     * @param rowNumber of the row there, 0 if it has none
     */
    public long adopt(RowImage image, long rowNumber, long commitTimestamp) {
        layout.checkNotNull(image.address());
        int number = bucketOf(image.address());
        long row = buckets.get(number).create(image);
        OffHeap.putLong(row + RowLayout.COMMIT_TIMESTAMP_OFFSET, commitTimestamp);
        if (rowNumber != 0) {
            buckets.get(number).setRowNumber(row, rowNumber);
        }
        for (TableIndex index : indexes) {
            index.insert(number, row);
        }
        return row;
    }

    /**
     * Takes over a row that was committed in another table, as {@link dev.fulmar.engine.row.StoredRow} has it. Nothing
     * undoes it: after a failure the whole table must go.
     *
     * @param slot its place, which has no row, in the only bucket
     */
    void place(long slot, byte[] array, int offset, int length) {
        Invariants.check(buckets.count() == 1, "a stored row without a bucket comes into a table of one");
        long row = buckets.get(0).place(slot, array, offset, length);
        layout.checkNotNull(row);
        for (TableIndex index : indexes) {
            index.insert(0, row);
        }
    }

    /** The row at the place in the only bucket; 0 if there is none. */
    long rowAt(long slot) {
        long row = buckets.get(0).slots().usedSlot(slot);
        return row == 0 || !RowLayout.isVisible(row) ? 0 : row;
    }

    /** Removes a row that was adopted, for good. */
    void discard(long row) {
        int number = bucketOf(row);
        for (TableIndex index : indexes) {
            index.remove(number, row);
        }
        buckets.get(number).beforeChange(row);
        buckets.get(number).countRows(-1);
        buckets.get(number).destroy(row);
    }

    /** From now on the observer sees changes of rows, beside others. */
    void observe(RowObserver more) {
        observer = RowObservers.with(observer, more);
    }

    /** From now on the observer sees no changes of rows. */
    void unobserve(RowObserver one) {
        observer = RowObservers.without(observer, one);
    }

    private void observed(long row) {
        RowObserver known = observer;
        if (known != null) {
            known.changing(row);
        }
    }

    /** From now on changes are marked there. */
    void markIn(DirtyMarks shared) {
        buckets.markIn(shared);
    }

    /** Rows that come without a number get none that the other table has given. */
    public void continueRowNumbers(TableStore other) {
        buckets.continueRowNumbers(other.buckets);
    }

    /** The index, which has its memory yet, is none of the table's any more. */
    TableIndex removeIndex(Table changed, int indexId) {
        TableIndex removed = index(indexId);
        List<TableIndex> rest = new ArrayList<>(indexes());
        rest.remove(removed);
        indexes = rest.toArray(TableIndex[]::new);
        table = changed;
        indexVersion++;
        return removed;
    }

    /**
     * Moves at most so many rows from the end into free slots and frees empty pages; returns how many it moved. Only
     * between transactions, and not during checkpoints, which name rows by slots, or while readers are registered. Rows
     * get new addresses, in an order that follows from the one before; a row with an earlier version stays.
     */
    public int compact(int mostRows) {
        int moved = 0;
        boolean allowed = marks.current() == 0 && !horizon.hasReaders() && observer == null;
        for (int number = 0; number < buckets.count() && allowed; number++) {
            SlotStore slots = buckets.get(number).slots();
            while (moved < mostRows && slots.hasFree()) {
                long last = slots.lastSlot();
                if ((RowLayout.flags(last) & RowLayout.USED) == 0) {
                    slots.dropLast(true);
                    continue;
                }
                if (RowLayout.versionLink(last) != 0) {
                    break;
                }
                moveToFreeSlot(number, last);
                moved++;
            }
        }
        return moved;
    }

    private void moveToFreeSlot(int number, long row) {
        SlotStore slots = buckets.get(number).slots();
        long target = slots.allocate();
        OffHeap.copy(row, target, layout.slotBytes());
        try {
            for (TableIndex index : indexes) {
                index.addCopy(number, target);
            }
        } catch (RuntimeException failure) {
            for (TableIndex index : indexes) {
                index.remove(number, target);
            }
            slots.takeBack(target, true);
            throw failure;
        }
        for (TableIndex index : indexes) {
            index.remove(number, row);
        }
        slots.dropLast(false);
    }

    /** Puts a row of an image into a slot of the bucket, and returns its address; it is in no index yet. */
    long restore(int bucket, long slotNumber, byte[] array, int offset, int length) {
        return buckets.get(bucket).restore(slotNumber, array, offset, length);
    }

    /** Rows of the bucket that come without a number get at least this one. */
    public void passRowNumbers(int bucket, long next) {
        if (bucket >= 0 && bucket < buckets.count()) {
            buckets.get(bucket).passRowNumbers(next);
        }
    }

    /** Takes the bucket with its rows out of the table. */
    DetachedRows detach(int number) {
        List<RowIndex> roots =
                Arrays.stream(indexes).map(index -> index.take(number)).toList();
        return new DetachedRows(buckets.take(number), roots);
    }

    /** Makes a bucket of a table that is defined the same one of this table. */
    void attach(int number, DetachedRows rows) {
        buckets.put(number, rows.rows());
        for (int i = 0; i < indexes.length; i++) {
            indexes[i].put(number, rows.roots().get(i));
        }
    }

    /** The bucket of that number has memory of its own from now on. */
    void renewBucket(int number) {
        buckets.renew(number);
        for (TableIndex index : indexes) {
            index.renew(number);
        }
    }

    /** Rows were restored: slots without one are free. */
    void freeUnused() {
        buckets.all().forEach(bucket -> bucket.slots().freeUnused());
    }

    /** Builds the indexes over the rows that were restored. */
    public void finishRestore() {
        freeUnused();
        ScanCursor cursor = newScan();
        open(cursor);
        for (long row = cursor.next(); row != 0; row = cursor.next()) {
            index(cursor.bucket(), row);
        }
    }

    /** Puts a row that was restored into the indexes; fails if its key does not belong into the bucket. */
    void index(int bucket, long row) {
        if (bucketOf(row) != bucket) {
            throw new FulmarException(
                    ErrorCode.INVALID_CONFIGURATION,
                    "a checkpoint has a row of table " + table.name() + " in bucket " + bucket
                            + ", but its key does not belong there; start with as many partitions and buckets as the"
                            + " database had");
        }
        for (TableIndex index : indexes) {
            index.insert(bucket, row);
        }
    }

    /** Frees some of the memory, of a table that is no longer used; returns whether that was the last. */
    boolean clearSome(int mostSlots) {
        int left = mostSlots;
        while (indexes.length > 0) {
            left = indexes[indexes.length - 1].clearSome(left);
            if (left <= 0) {
                return false;
            }
            indexes = Arrays.copyOf(indexes, indexes.length - 1);
        }
        if (!buckets.clearSome(left)) {
            return false;
        }
        clear();
        return true;
    }

    /** Removes all rows and indexes and frees their memory. */
    void clear() {
        for (TableIndex index : indexes) {
            index.clear();
        }
        buckets.clear();
    }
}
