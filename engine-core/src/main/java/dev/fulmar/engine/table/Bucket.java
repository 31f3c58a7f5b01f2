package dev.fulmar.engine.table;

import dev.fulmar.engine.memory.BlockHeap;
import dev.fulmar.engine.memory.OffHeap;
import dev.fulmar.engine.row.RowImage;
import dev.fulmar.engine.row.RowLayout;
import dev.fulmar.engine.row.StoredRow;
import dev.fulmar.engine.undo.UndoLog;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.pmemlog.checkpoint.RowBatch;

/**
 * The rows of one table in one bucket: slots, variable blocks, row numbers. The roots of its indexes are in
 * {@link TableIndex}.
 */
final class Bucket {
    /** Detail of an INSERT record: the slot had been used before. */
    static final int REUSED_SLOT = 1;

    /** Detail of an INSERT record: the row has a number that it had before. */
    static final int GIVEN_NUMBER = 2;

    private RowLayout layout;
    private final BlockHeap heap;
    private final SlotStore slots;
    private int number;
    private DirtyMarks marks;
    private long nextRowNumber = 1;
    private long blockBytes;
    private long rowCount;
    private boolean isUnmarked;

    Bucket(RowLayout layout, BlockHeap heap, int number, DirtyMarks marks) {
        this.layout = layout;
        this.heap = heap;
        this.number = number;
        this.marks = marks;
        slots = new SlotStore(heap, layout.slotBytes(), marks);
    }

    SlotStore slots() {
        return slots;
    }

    long rowCount() {
        return rowCount;
    }

    void countRows(int more) {
        rowCount += more;
        Invariants.check(rowCount >= 0, "a bucket counts out no more rows than it counted in");
    }

    long usedBytes() {
        return slots.usedBytes() + blockBytes;
    }

    /** A new row with the image's values; counted, in no index yet. Fails with MEMORY_LIMIT and leaves nothing then. */
    long create(RowImage image) {
        long row = slots.allocate();
        if (slots.lastWasReused()) {
            beforeChange(row);
        }
        OffHeap.copy(image.address(), row, layout.slotBytes());
        RowLayout.setFlags(row, RowLayout.USED | marks.current());
        OffHeap.putLong(row + RowLayout.COMMIT_TIMESTAMP_OFFSET, 0);
        OffHeap.putLong(row + RowLayout.VERSION_LINK_OFFSET, 0);
        if (layout.hasVariableColumns()) {
            try {
                createBlock(row, image);
            } catch (RuntimeException failure) {
                slots.takeBack(row, slots.lastWasReused());
                throw failure;
            }
        }
        if (layout.hasRowNumber()) {
            OffHeap.putLong(row + layout.rowNumberOffset(), nextRowNumber++);
        }
        rowCount++;
        return row;
    }

    /** Gives the row just created the number that it had before. */
    void setRowNumber(long row, long number) {
        if (layout.hasRowNumber()) {
            long assigned = OffHeap.getLong(row + layout.rowNumberOffset());
            OffHeap.putLong(row + layout.rowNumberOffset(), number);
            nextRowNumber = Math.max(assigned, number + 1);
        }
    }

    /** Number of the next row. */
    long nextRowNumber() {
        return nextRowNumber;
    }

    /** The next row's number is at least this one. */
    void passRowNumbers(long next) {
        nextRowNumber = Math.max(nextRowNumber, next);
    }

    /**
     * To be called before a slot changes: a checkpoint under way may need it as it is, and the next one will need it.
     */
    void beforeChange(long row) {
        int mark = marks.current();
        if ((RowLayout.flags(row) & mark) != mark) {
            marks.firstChange(this, row);
        }
    }

    /** The bucket is one of that table from now on, whose rows lie as these do, and has that number there. */
    void join(RowLayout table, int itsNumber, DirtyMarks itsMarks) {
        Invariants.check(layout.slotBytes() == table.slotBytes(), "rows of a bucket lie as those of its table do");
        layout = table;
        number = itsNumber;
        isUnmarked = false;
        markIn(itsMarks);
    }

    /**
     * Whether the bucket came whole and its rows have no marks of this partition yet. The marks that
     * they have mean nothing, and no checkpoint under way has any of the rows.
     */
    boolean isUnmarked() {
        return isUnmarked;
    }

    void setUnmarked(boolean unmarked) {
        isUnmarked = unmarked;
    }

    /** Number among the partition's buckets. */
    int number() {
        return number;
    }

    RowLayout layout() {
        return layout;
    }

    int tableId() {
        return layout.table().id();
    }

    /** From now on changes are marked there. */
    void markIn(DirtyMarks shared) {
        marks = shared;
        slots.markIn(shared);
    }

    int slotBytes() {
        return layout.slotBytes();
    }

    /** Gives the batch the slot if it has the mark, and removes the mark. */
    boolean saveIfMarked(long slot, long slotNumber, int mark, RowBatch batch) {
        int flags = RowLayout.flags(slot);
        if ((flags & mark) == 0) {
            return false;
        }
        save(slot, slotNumber, batch);
        RowLayout.setFlags(slot, flags & ~mark);
        return true;
    }

    /** Gives the batch the slot as it is. */
    void save(long row, long slotNumber, RowBatch batch) {
        int tableId = layout.table().id();
        if (!RowLayout.isVisible(row)) {
            batch.remove(tableId, number, slotNumber);
            return;
        }
        int bytes = StoredRow.bytes(layout, row);
        int offset = batch.begin(tableId, number, slotNumber, bytes);
        StoredRow.write(layout, row, batch.array(), offset);
        batch.end(bytes);
    }

    /** Puts a row where it was when its image was saved, and returns its address; it is in no index yet. */
    long restore(long slotNumber, byte[] array, int offset, int length) {
        return fill(slots.slotAt(slotNumber), array, offset, length);
    }

    /** Puts a stored row into the slot, which has none, and returns its address; it is in no index yet. */
    long place(long slotNumber, byte[] array, int offset, int length) {
        long row = slots.allocateAt(slotNumber);
        if (slots.lastWasReused()) {
            beforeChange(row);
        }
        fill(row, array, offset, length);
        marks.placed(this, row);
        return row;
    }

    private long fill(long row, byte[] array, int offset, int length) {
        int variable = StoredRow.read(layout, row, array, offset, length);
        if (layout.hasVariableColumns() && variable > 0) {
            long block = allocateBlock(variable);
            OffHeap.copy(array, offset + length - variable, block, variable);
            layout.setBlock(row, block, (int) BlockHeap.usableBytes(variable));
        }
        if (layout.hasRowNumber()) {
            nextRowNumber = Math.max(nextRowNumber, OffHeap.getLong(row + layout.rowNumberOffset()) + 1);
        }
        rowCount++;
        return row;
    }

    private void createBlock(long row, RowImage image) {
        int bytes = image.isPacked() ? image.blockUsed() : layout.variableBytes(image.address());
        if (bytes == 0) {
            layout.setBlock(row, 0, 0);
            layout.placeEmpty(row);
            return;
        }
        long block = allocateBlock(bytes);
        layout.setBlock(row, block, (int) BlockHeap.usableBytes(bytes));
        if (image.isPacked()) {
            OffHeap.copy(layout.block(image.address()), block, bytes);
        } else {
            layout.packVariable(image.address(), row, block);
        }
    }

    /**
     * Undoes {@link #create}; its row must be the youngest.
     *
     * @param detail of the INSERT record. A number that was given may be that of a row which its undo brings back, so
     *     the next row gets a higher one all the same
     */
    void uncreate(long row, int detail) {
        rowCount--;
        if (layout.hasRowNumber() && (detail & GIVEN_NUMBER) == 0) {
            nextRowNumber = OffHeap.getLong(row + layout.rowNumberOffset());
        }
        freeBlockOf(row);
        slots.takeBack(row, (detail & REUSED_SLOT) != 0);
    }

    /** Frees a row for good; it is in no index any more and was taken out of the count when it was deleted. */
    void destroy(long row) {
        if (Invariants.EXPENSIVE) {
            Invariants.check((RowLayout.flags(row) & RowLayout.USED) != 0, "a bucket frees a row's slot once");
        }
        freeBlockOf(row);
        slots.free(row);
    }

    /** Sets columns of fixed width from an image. */
    void setFixed(long row, long image, int[] columns) {
        for (int column : columns) {
            layout.copyCell(column, image, row);
        }
    }

    /** Whether the image's values of the columns fit where the row's lie. */
    boolean fitsInPlace(long row, long image, int[] columns) {
        for (int column : columns) {
            if (!RowLayout.isNull(image, column) && layout.bytesLength(image, column) > layout.room(row, column)) {
                return false;
            }
        }
        return true;
    }

    /** Overwrites columns where they lie; what lay there goes to the undo log, also what only an older version used. */
    void setInPlace(long row, long image, int[] columns, UndoLog undo) {
        int tableId = layout.table().id();
        for (int column : columns) {
            int length = RowLayout.isNull(image, column) ? 0 : layout.bytesLength(image, column);
            long target = layout.bytesAddress(row, column);
            if (length > 0) {
                undo.overwriting(tableId, row, target, length);
                OffHeap.copy(layout.bytesAddress(image, column), target, length);
            }
            layout.setBytes(row, column, layout.bytesOffset(row, column), length);
            layout.copyNull(column, image, row);
        }
    }

    /**
     * Puts the variable columns, the given ones changed, into a new block; the old one stays allocated. Fails with
     * MEMORY_LIMIT.
     */
    void rebuildBlock(long row, long image, UpdateShape shape) {
        int bytes = 0;
        for (int column : layout.variableColumns()) {
            bytes += length(shape.changes(column) ? image : row, column);
        }
        long block = allocateBlock(bytes);
        int offset = 0;
        for (int column : layout.variableColumns()) {
            long source = shape.changes(column) ? image : row;
            int length = length(source, column);
            OffHeap.copy(layout.bytesAddress(source, column), block + offset, length);
            layout.setBytes(row, column, offset, length);
            layout.copyNull(column, source, row);
            offset += length;
        }
        layout.setBlock(row, block, (int) BlockHeap.usableBytes(bytes));
    }

    private int length(long row, int column) {
        return RowLayout.isNull(row, column) ? 0 : layout.bytesLength(row, column);
    }

    /** A block for so many bytes; it has {@link BlockHeap#usableBytes}. */
    private long allocateBlock(int bytes) {
        long block = heap.allocate(bytes);
        blockBytes += BlockHeap.usableBytes(bytes);
        return block;
    }

    /** A new block with what the slot's block holds. */
    long copyBlockOf(long slot) {
        int bytes = layout.blockBytes(slot);
        long block = allocateBlock(bytes);
        OffHeap.copy(layout.block(slot), block, bytes);
        return block;
    }

    /** Frees the block that the row or saved slot names. */
    void freeBlockOf(long row) {
        if (layout.hasVariableColumns() && layout.block(row) != 0) {
            freeBlock(layout.block(row), layout.blockBytes(row));
        }
    }

    void freeBlock(long block, int bytes) {
        heap.free(block, bytes);
        blockBytes -= bytes;
    }

    /** Frees the rows of the last page and the page; returns how many slots it had. */
    int clearLastPage() {
        int page = slots.scannedPages() - 1;
        int count = slots.scannedSlots(page);
        long slot = slots.pageAddress(page);
        for (int i = count; i > 0; i--, slot += layout.slotBytes()) {
            if ((RowLayout.flags(slot) & RowLayout.USED) != 0) {
                freeBlockOf(slot);
            }
        }
        slots.clearLastPage();
        return count;
    }

    /** Frees all rows, whatever indexes say. */
    void clear() {
        for (int page = 0; page < slots.scannedPages(); page++) {
            long slot = slots.pageAddress(page);
            for (int i = slots.scannedSlots(page); i > 0; i--, slot += layout.slotBytes()) {
                if ((RowLayout.flags(slot) & RowLayout.USED) != 0) {
                    freeBlockOf(slot);
                }
            }
        }
        slots.clear();
        rowCount = 0;
    }
}
