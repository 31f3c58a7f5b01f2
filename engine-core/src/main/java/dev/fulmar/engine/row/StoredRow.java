package dev.fulmar.engine.row;

import dev.fulmar.engine.memory.OffHeap;
import dev.fulmar.foundation.data.LittleEndian;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;

/**
 * A row as a checkpoint keeps it: commit timestamp, the slot from its state on, and the bytes of the variable columns
 * in column order. What only means something in memory is zero. It can be read by a layout of the same columns only.
 * The place of the flags tells the row's form; rows of {@link EarlierStoredRow form 1} are read too.
 */
public final class StoredRow {
    static final int TIMESTAMP_BYTES = Long.BYTES;

    /** The stored flags of form 2, of 16 bits. */
    static final int FORM_2 = 8 | RowLayout.USED;

    private StoredRow() {}

    /** Bytes of the row when it is stored. */
    public static int bytes(RowLayout layout, long row) {
        return fixedBytes(layout) + (layout.hasVariableColumns() ? layout.variableBytes(row) : 0);
    }

    static int fixedBytes(RowLayout layout) {
        return TIMESTAMP_BYTES + layout.slotBytes() - RowLayout.STATE_OFFSET;
    }

    /** Stores the row at the offset. */
    public static void write(RowLayout layout, long row, byte[] array, int offset) {
        int slot = offset + TIMESTAMP_BYTES;
        LittleEndian.putLong(array, offset, RowLayout.commitTimestamp(row));
        OffHeap.copy(row + RowLayout.STATE_OFFSET, array, slot, layout.slotBytes() - RowLayout.STATE_OFFSET);
        LittleEndian.putShort(array, slot, FORM_2);
        if (!layout.hasVariableColumns()) {
            return;
        }
        int next = 0;
        int variable = offset + fixedBytes(layout);
        for (int column : layout.variableColumns()) {
            int length = RowLayout.isNull(row, column) ? 0 : layout.bytesLength(row, column);
            if (length > 0) {
                OffHeap.copy(layout.bytesAddress(row, column), array, variable + next, length);
            }
            int cell = slot + layout.offset(column) - RowLayout.STATE_OFFSET;
            LittleEndian.putInt(array, cell, next);
            LittleEndian.putInt(array, cell + Integer.BYTES, length);
            next += length;
        }
        layout.clearStoredBlock(array, slot - RowLayout.STATE_OFFSET);
    }

    /**
     * Whether the bytes have the form of a stored row, so that {@link #read} puts nothing where it does not belong. For
     * bytes that did not come from this node's own files.
     */
    public static boolean isWhole(RowLayout layout, byte[] array, int offset, int length) {
        if (EarlierStoredRow.isOne(array, offset, length)) {
            byte[] row = EarlierStoredRow.converted(layout, array, offset, length);
            return row.length > 0 && isWhole(layout, row, 0, row.length);
        }
        int fixed = fixedBytes(layout);
        int slot = offset + TIMESTAMP_BYTES;
        if (length < fixed || LittleEndian.getUnsignedShort(array, slot) != FORM_2) {
            return false;
        }
        long next = 0;
        for (int column : layout.variableColumns()) {
            int cell = slot + layout.offset(column) - RowLayout.STATE_OFFSET;
            int word = slot + RowLayout.nullWordOffset(column) - RowLayout.STATE_OFFSET;
            boolean isNull = (LittleEndian.getLong(array, word) & RowLayout.nullBit(column)) != 0;
            int bytes = LittleEndian.getInt(array, cell + Integer.BYTES);
            if (LittleEndian.getInt(array, cell) != next || bytes < 0 || (isNull && bytes > 0)) {
                return false;
            }
            next += bytes;
            if (next > length - fixed) {
                return false;
            }
        }
        return length == fixed + next && layout.isStoredWithoutBlock(array, slot - RowLayout.STATE_OFFSET);
    }

    /** Gives a stored row of a table without primary key another number. */
    public static void renumber(RowLayout layout, byte[] array, int offset, long number) {
        int slot = offset + TIMESTAMP_BYTES - RowLayout.STATE_OFFSET;
        LittleEndian.putLong(array, slot + layout.rowNumberOffset(), number);
    }

    /** Fills a slot from a stored row, all but the block; returns how many bytes at its end belong there. */
    public static int read(RowLayout layout, long row, byte[] array, int offset, int length) {
        if (EarlierStoredRow.isOne(array, offset, length)) {
            byte[] converted = EarlierStoredRow.converted(layout, array, offset, length);
            return read(layout, row, converted, 0, converted.length);
        }
        int fixed = fixedBytes(layout);
        if (length < fixed || LittleEndian.getUnsignedShort(array, offset + TIMESTAMP_BYTES) != FORM_2) {
            throw mismatch(layout, length);
        }
        OffHeap.putLong(row + RowLayout.COMMIT_TIMESTAMP_OFFSET, LittleEndian.getLong(array, offset));
        OffHeap.putLong(row + RowLayout.VERSION_LINK_OFFSET, 0);
        OffHeap.copy(
                array,
                offset + TIMESTAMP_BYTES,
                row + RowLayout.STATE_OFFSET,
                layout.slotBytes() - RowLayout.STATE_OFFSET);
        RowLayout.setFlags(row, RowLayout.USED);
        int variable = layout.hasVariableColumns() ? layout.variableBytes(row) : 0;
        if (length != fixed + variable) {
            throw mismatch(layout, length);
        }
        return variable;
    }

    private static FulmarException mismatch(RowLayout layout, int length) {
        return new FulmarException(
                ErrorCode.CORRUPTION,
                "a checkpoint has a row of " + length + " bytes of table "
                        + layout.table().name()
                        + ", which cannot be one of its present columns; restore the data directory from a copy");
    }
}
