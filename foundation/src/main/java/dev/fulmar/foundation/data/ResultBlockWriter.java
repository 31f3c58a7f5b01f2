package dev.fulmar.foundation.data;

import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.memory.ByteBudget;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes result blocks one after another into one array that grows and is used again. Allocates nothing per row and,
 * once the array has grown, nothing at all. Not thread-safe.
 *
 * <p>Every column of a started row must be set exactly once, in any order.
 */
public final class ResultBlockWriter {
    private static final int NONE = -1;

    /** Arrays of more bytes than this are refused by some virtual machines. */
    private static final int MAX_ARRAY_BYTES = Integer.MAX_VALUE - 16;

    /** Length up to which an array need not be accounted. */
    public static final int FREE_BYTES = 64 << 10;

    private final int maxBytes;
    private final @Nullable ByteBudget budget;
    private boolean overflowed;
    private byte[] array;
    private int size;
    private int blockStart = NONE;
    private int rowStart = NONE;
    private int rowCount;
    private ResultLayout layout = new ResultLayout(List.of());

    /**
     * @param initialBytes first size of the array
     * @param maxBytes limit of all blocks together until {@link #clear()}
     */
    public ResultBlockWriter(int initialBytes, int maxBytes) {
        this(initialBytes, maxBytes, null);
    }

    /**
     * A writer whose array is taken from a budget while it is longer than {@link #FREE_BYTES}: until {@link #shrink},
     * which its owner owes.
     *
     * @param initialBytes first size of the array, at most {@link #FREE_BYTES} with a budget
     */
    public ResultBlockWriter(int initialBytes, int maxBytes, @Nullable ByteBudget budget) {
        Invariants.check(budget == null || initialBytes <= FREE_BYTES, "a writer begins with what is free");
        this.budget = budget;
        if (initialBytes < 0 || maxBytes < 0) {
            throw new IllegalArgumentException("sizes are negative: " + initialBytes + ", " + maxBytes);
        }
        this.maxBytes = Math.min(maxBytes, MAX_ARRAY_BYTES);
        this.array = new byte[Math.min(initialBytes, this.maxBytes)];
    }

    /** Forgets all blocks and keeps the array. */
    public void clear() {
        size = 0;
        blockStart = NONE;
        rowStart = NONE;
        overflowed = false;
    }

    /** Forgets all blocks, and the array too if it is larger than that. */
    public void shrink(int mostBytes) {
        clear();
        if (array.length > mostBytes) {
            if (budget != null) {
                budget.giveBack(budgeted(array.length));
            }
            array = new byte[0];
        }
    }

    private static int budgeted(int length) {
        return length > FREE_BYTES ? length : 0;
    }

    /** Whether something did not fit since {@link #clear()}. */
    public boolean hasOverflowed() {
        return overflowed;
    }

    /** Starts a block after the last one; returns where it starts. */
    public int begin(ResultLayout newLayout) {
        Invariants.check(blockStart == NONE, "a result block ends before the next begins");
        reserve(newLayout.headerBytes());
        newLayout.copyHeader(array, size);
        layout = newLayout;
        blockStart = size;
        rowCount = 0;
        size += newLayout.headerBytes();
        return blockStart;
    }

    /** Ends the block; returns its length in bytes. */
    public int end() {
        Invariants.check(blockStart != NONE && rowStart == NONE, "a result block ends after its last row");
        int blockBytes = size - blockStart;
        LittleEndian.putInt(array, blockStart, blockBytes);
        LittleEndian.putInt(array, blockStart + ResultLayout.ROW_COUNT_OFFSET, rowCount);
        blockStart = NONE;
        return blockBytes;
    }

    /** Drops everything from the position on, for example the block of a statement that failed half-way. */
    public void truncate(int newSize) {
        Invariants.check(newSize >= 0 && newSize <= size, "a writer is cut within what was written");
        size = newSize;
        blockStart = NONE;
        rowStart = NONE;
    }

    /** Appends a block that is already encoded; returns where it starts. */
    public int appendBlock(byte[] source, int offset, int length) {
        Invariants.check(blockStart == NONE, "a result block ends before the next begins");
        reserve(length);
        System.arraycopy(source, offset, array, size, length);
        int start = size;
        size += length;
        return start;
    }

    public void startRow() {
        Invariants.check(
                blockStart != NONE && rowStart == NONE, "a row starts within a block and after the last row's end");
        int bytes = layout.fixedRowBytes();
        reserve(bytes);
        Arrays.fill(array, size, size + bytes, (byte) 0);
        rowStart = size;
        size += bytes;
    }

    public void endRow() {
        LittleEndian.putInt(array, rowStart, size - rowStart);
        rowStart = NONE;
        rowCount++;
    }

    /** Drops the row that was started. */
    public void abandonRow() {
        size = rowStart;
        rowStart = NONE;
    }

    /** Appends the current row of a block with the same columns, without looking into it. */
    public void appendRow(ResultBlock source) {
        Invariants.check(
                blockStart != NONE && rowStart == NONE && source.fixedRowBytes() == layout.fixedRowBytes(),
                "a copied row comes from a block of the same columns");
        int bytes = source.rowBytes();
        reserve(bytes);
        System.arraycopy(source.array(), source.rowOffset(), array, size, bytes);
        size += bytes;
        rowCount++;
    }

    /** Appends the columns of a block's current row from the given one on, which are those of the layout. */
    public void appendRow(ResultBlock source, int firstColumn) {
        startRow();
        for (int column = 0; column < layout.columnCount(); column++) {
            int from = firstColumn + column;
            if (source.isNull(from)) {
                setNull(column);
                continue;
            }
            switch (source.kind(from).storage()) {
                case BYTES -> setBytes(column, source.array(), source.bytesOffset(from), source.bytesLength(from));
                case DOUBLE -> setDouble(column, source.getDouble(from));
                case LONG, WIDE -> {
                    if (source.kind(from) == TypeKind.ENUM) {
                        setEnumerated(column, source, from);
                    } else if (source.isWide(from)) {
                        setWide(column, source.getHigh(from), source.getLow(from));
                    } else {
                        setLong(column, source.getUnscaled(from));
                    }
                }
            }
        }
        endRow();
    }

    public void setNull(int column) {
        array[rowStart + Integer.BYTES + (column >> 3)] |= (byte) (1 << (column & 7));
    }

    /** A cell of storage LONG. With the code of an ENUM's label comes the label. */
    public void setLong(int column, long value) {
        LittleEndian.putLong(array, rowStart + layout.cellOffset(column), value);
        if (layout.hasEnumerations()) {
            addLabel(column, value);
        }
    }

    private void addLabel(int column, long code) {
        Enumeration enumeration = layout.enumeration(column);
        if (enumeration != null) {
            byte[] label = enumeration.label(code);
            reserve(label.length);
            System.arraycopy(label, 0, array, size, label.length);
            endLabel(column, label.length);
        }
    }

    private void setEnumerated(int column, ResultBlock source, int from) {
        LittleEndian.putLong(array, rowStart + layout.cellOffset(column), source.getUnscaled(from));
        int length = source.bytesLength(from);
        reserve(length);
        System.arraycopy(source.array(), source.bytesOffset(from), array, size, length);
        endLabel(column, length);
    }

    private void endLabel(int column, int length) {
        endBytes(rowStart + layout.cellOffset(column) + Long.BYTES, length);
    }

    /** A cell of storage DOUBLE. */
    public void setDouble(int column, double value) {
        LittleEndian.putLong(array, rowStart + layout.cellOffset(column), Double.doubleToRawLongBits(value));
    }

    /** A cell of storage WIDE. */
    public void setWide(int column, long high, long low) {
        int position = rowStart + layout.cellOffset(column);
        LittleEndian.putLong(array, position, high);
        LittleEndian.putLong(array, position + Long.BYTES, low);
    }

    /** A cell of storage BYTES. */
    public void setBytes(int column, byte[] source, int offset, int length) {
        reserve(length);
        System.arraycopy(source, offset, array, size, length);
        endBytes(rowStart + layout.cellOffset(column), length);
    }

    /** A cell of storage BYTES from native memory, which must be readable. */
    public void setBytes(int column, long address, int length) {
        reserve(length);
        LittleEndian.copyNative(address, array, size, length);
        endBytes(rowStart + layout.cellOffset(column), length);
    }

    /**
     * Copies native memory, which must be readable, behind the row's cells; returns where it lies in the row. Cells of
     * storage BYTES are then placed in it by {@link #setBytesAt}, so that neighbours are copied at once.
     */
    public int appendBytes(long address, int length) {
        reserve(length);
        LittleEndian.copyNative(address, array, size, length);
        int offset = size - rowStart;
        size += length;
        return offset;
    }

    /** A cell of storage BYTES that lies where {@link #appendBytes} put it. */
    public void setBytesAt(int column, int offset, int length) {
        int position = rowStart + layout.cellOffset(column);
        LittleEndian.putInt(array, position, offset);
        LittleEndian.putInt(array, position + Integer.BYTES, length);
    }

    private void endBytes(int position, int length) {
        LittleEndian.putInt(array, position, size - rowStart);
        LittleEndian.putInt(array, position + Integer.BYTES, length);
        size += length;
    }

    /** The array that holds the blocks; replaced when it grows. */
    public byte[] array() {
        return array;
    }

    /** Bytes written so far. */
    public int size() {
        return size;
    }

    /** Rows of the current or last block. */
    public int rowCount() {
        return rowCount;
    }

    /** A copy of the bytes of all blocks. */
    public byte[] toByteArray() {
        return Arrays.copyOf(array, size);
    }

    private void reserve(int bytes) {
        if (bytes > array.length - size) {
            grow(bytes);
        }
    }

    private void grow(int bytes) {
        if (bytes > maxBytes - size) {
            overflowed = true;
            throw new FulmarException(
                    ErrorCode.RESULT_TOO_LARGE,
                    "the result needs more than the limit of " + maxBytes
                            + " bytes; select fewer rows or columns, fetch in parts, or raise the limit of result bytes");
        }
        long doubled = Math.max(64, 2L * array.length);
        int length = (int) Math.min(maxBytes, Math.max(doubled, (long) size + bytes));
        if (budget != null) {
            int more = budgeted(length) - budgeted(array.length);
            if (more > 0 && !budget.take(more)) {
                overflowed = true; // of this node at this time: another run may go another way
                throw budget.refuse();
            }
        }
        array = Arrays.copyOf(array, length);
    }
}
