package dev.fulmar.engine.row;

import dev.fulmar.engine.memory.OffHeap;
import dev.fulmar.foundation.data.ArrayBytes;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;

/**
 * A row being put together: all columns for an insert, the changed ones for an update. Reusable, one thread. It lies in
 * native memory in the form of a slot, so the accessors of {@link RowLayout} read it at {@link #address()}. Values are
 * checked against type and length here.
 */
public final class RowImage {
    /** Characters of a document. */
    private static final int MOST_OF_DOCUMENT = 1 << 20;

    private static final int INITIAL_BLOCK_BYTES = 256;

    private final RowLayout layout;
    private final MemorySegment slot;
    private final long address;
    private MemorySegment block;
    private int blockUsed;
    /** Variable columns set so far, each in its turn; -1 once one was out of turn. */
    private int inTurn;

    public RowImage(RowLayout layout) {
        this.layout = layout;
        slot = Arena.ofAuto().allocate(layout.slotBytes(), Long.BYTES);
        address = slot.address();
        block = Arena.ofAuto().allocate(INITIAL_BLOCK_BYTES, Long.BYTES);
        clear();
    }

    public RowLayout layout() {
        return layout;
    }

    /** Address of the image; good as long as this object is in use. */
    public long address() {
        return address;
    }

    /** Bytes of the variable columns that were set, one after another in the order of setting. */
    public int blockUsed() {
        return blockUsed;
    }

    /**
     * Whether all variable columns were set once, in column order, so that their bytes can be taken over as they lie.
     */
    public boolean isPacked() {
        return inTurn == layout.variableColumns().length;
    }

    /** Makes every column null. */
    public void clear() {
        for (int word = 0; word < layout.stateWords(); word++) {
            OffHeap.putLong(address + RowLayout.STATE_OFFSET + (long) word * Long.BYTES, ~0L);
        }
        RowLayout.setFlags(address, RowLayout.USED);
        blockUsed = 0;
        inTurn = 0;
        if (layout.hasVariableColumns()) {
            layout.setBlock(address, block.address(), (int) block.byteSize());
        }
    }

    public void setNull(int column) {
        long word = address + RowLayout.nullWordOffset(column);
        OffHeap.putLong(word, OffHeap.getLong(word) | RowLayout.nullBit(column));
        if (layout.kind(column) == CellKind.BYTES) {
            layout.setBytes(address, column, 0, 0);
            inTurn = -1;
        }
    }

    /** Sets an integer, boolean, date, time, timestamp or decimal of up to 18 digits (unscaled). */
    public void setLong(int column, long value) {
        long cell = address + layout.offset(column);
        switch (layout.kind(column)) {
            case INT -> {
                checkRange(column, value, (int) value);
                OffHeap.putInt(cell, (int) value);
            }
            case LONG -> OffHeap.putLong(cell, value);
            case SHORT -> {
                checkRange(column, value, (short) value);
                OffHeap.putShort(cell, (short) value);
            }
            case BYTE -> {
                checkRange(column, value, (byte) value);
                OffHeap.putByte(cell, (byte) value);
            }
            case FLOAT, DOUBLE, WIDE, BYTES -> throw wrongType(column, "integer");
        }
        markNotNull(column);
    }

    public void setDouble(int column, double value) {
        long cell = address + layout.offset(column);
        switch (layout.kind(column)) {
            case DOUBLE -> OffHeap.putDouble(cell, value);
            case FLOAT -> OffHeap.putFloat(cell, (float) value);
            case INT, LONG, SHORT, BYTE, WIDE, BYTES -> throw wrongType(column, "floating-point number");
        }
        markNotNull(column);
    }

    public void setWide(int column, long high, long low) {
        if (layout.kind(column) != CellKind.WIDE) {
            throw wrongType(column, "128-bit value");
        }
        OffHeap.putLong(address + layout.offset(column), high);
        OffHeap.putLong(address + layout.offset(column) + Long.BYTES, low);
        markNotNull(column);
    }

    public void setBytes(int column, byte[] source, int offset, int length) {
        long target = room(column, length);
        OffHeap.copy(source, offset, target, length);
        finishBytes(column, target, length);
    }

    /** Copies the bytes at once; they may belong to a row, or to this image. */
    public void setBytes(int column, long source, int length) {
        MemorySegment former = block;
        long target = room(column, length);
        OffHeap.copy(source, target, length);
        Reference.reachabilityFence(former);
        finishBytes(column, target, length);
    }

    /** Takes over one column of a row of the same table. */
    public void copyColumn(int column, long row) {
        if (RowLayout.isNull(row, column)) {
            setNull(column);
            return;
        }
        switch (layout.kind(column)) {
            case BYTE, SHORT, INT, LONG -> setLong(column, layout.getLong(row, column));
            case FLOAT, DOUBLE -> setDouble(column, layout.getDouble(row, column));
            case WIDE -> setWide(column, layout.wideHigh(row, column), layout.wideLow(row, column));
            case BYTES -> setBytes(column, layout.bytesAddress(row, column), layout.bytesLength(row, column));
        }
    }

    private long room(int column, int length) {
        if (layout.kind(column) != CellKind.BYTES) {
            throw wrongType(column, "text or bytes");
        }
        if (length > block.byteSize() - blockUsed) {
            MemorySegment larger =
                    Arena.ofAuto().allocate(Math.max(2 * block.byteSize(), blockUsed + (long) length), Long.BYTES);
            MemorySegment.copy(block, 0, larger, 0, blockUsed);
            block = larger;
            layout.setBlock(address, block.address(), (int) block.byteSize());
        }
        return block.address() + blockUsed;
    }

    private void finishBytes(int column, long target, int length) {
        ColumnType type = layout.type(column);
        boolean mayBeTooLong = length > type.precision() || type.isArray();
        int kept = mayBeTooLong ? keptLength(column, type, target, length) : length;
        layout.setBytes(address, column, blockUsed, kept);
        blockUsed += kept;
        boolean turn =
                inTurn >= 0 && inTurn < layout.variableColumns().length && layout.variableColumns()[inTurn] == column;
        inTurn = turn ? inTurn + 1 : -1;
        markNotNull(column);
    }

    /** Blanks that are too many at the end of a VARCHAR are cut (ISO 9075-2, 9.2); all else that is too long fails. */
    private int keptLength(int column, ColumnType type, long bytes, int length) {
        int limit = limit(type);
        if (length <= limit) {
            return length;
        }
        boolean isBinary = type.kind() == TypeKind.VARBINARY || type.kind() == TypeKind.NUMERIC || type.isArray();
        int units = isBinary ? length : characters(bytes, length);
        int kept = length;
        while (type.kind() == TypeKind.VARCHAR
                && length - kept < units - limit
                && OffHeap.getByte(bytes + kept - 1) == ' ') {
            kept--;
        }
        if (units - (length - kept) > limit) {
            throw new FulmarException(
                    ErrorCode.STRING_TOO_LONG,
                    layout.table().columnText(column) + ": a value of " + units
                            + (isBinary ? " bytes" : " characters") + " does not fit in "
                            + type + "; shorten it");
        }
        return kept;
    }

    private static int limit(ColumnType type) {
        if (type.isArray() || type.kind() == TypeKind.NUMERIC) {
            return ArrayBytes.MOST_BYTES;
        }
        return type.kind().isJson() ? MOST_OF_DOCUMENT : type.precision();
    }

    /** Counts the bytes that begin a character in UTF-8. */
    private static int characters(long bytes, int length) {
        int characters = 0;
        for (int i = 0; i < length; i++) {
            if ((OffHeap.getByte(bytes + i) & 0xC0) != 0x80) {
                characters++;
            }
        }
        return characters;
    }

    private void markNotNull(int column) {
        long word = address + RowLayout.nullWordOffset(column);
        OffHeap.putLong(word, OffHeap.getLong(word) & ~RowLayout.nullBit(column));
    }

    private void checkRange(int column, long value, long narrowed) {
        if (value != narrowed) {
            throw new FulmarException(
                    ErrorCode.VALUE_OUT_OF_RANGE,
                    layout.table().columnText(column) + ": " + value + " does not fit in " + layout.type(column)
                            + "; use a wider type or another value");
        }
    }

    private FulmarException wrongType(int column, String what) {
        return new FulmarException(
                ErrorCode.TYPE_MISMATCH,
                layout.table().columnText(column) + " is " + layout.type(column) + " and takes no " + what);
    }
}
