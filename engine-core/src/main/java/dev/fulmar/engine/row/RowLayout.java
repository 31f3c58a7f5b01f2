package dev.fulmar.engine.row;

import dev.fulmar.engine.catalog.Column;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.memory.OffHeap;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.LittleEndian;
import dev.fulmar.foundation.data.NumericBytes;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The layout of a table's row in memory, which never changes. Names of columns, and which of them may be null, may
 * change. A row is named by the address of its slot; {@link RowImage}s have the same form, so every accessor works on
 * them too. The value of a null column is unspecified: ask {@link #isNull} first.
 */
public final class RowLayout {
    /** Commit timestamp of the transaction that wrote the row last; 0 before its commit. */
    public static final int COMMIT_TIMESTAMP_OFFSET = 0;

    /**
     * Address of the record of the change that made the row what it is, which leads to the version before; 0 if none is
     * kept.
     */
    public static final int VERSION_LINK_OFFSET = 8;

    /** First word of flags and null bits. */
    public static final int STATE_OFFSET = 16;

    /** The slot holds a row, perhaps a deleted one. A free slot has none of {@link #NATURE}. */
    public static final int USED = 1;

    /** The row was deleted and waits for the horizon; readers of the newest version do not see it. */
    public static final int DELETED = 2;

    /** An index holds an entry of the row under a key that is no longer the row's. */
    public static final int STALE_ENTRIES = 4;

    /**
     * The slot changed since the last checkpoint, or since the one before it: checkpoints use the two marks in turn. A
     * free slot may have them.
     */
    public static final int CHANGED = 64;

    /** The mark beside {@link #CHANGED}. */
    public static final int CHANGED_TOO = 128;

    /**
     * The flags that say what a slot is. The others (8, 16 and 32 while a log record is made) only say what is to be
     * done with it. From 256 on they are free.
     */
    public static final int NATURE = USED | DELETED | STALE_ENTRIES;

    static final int FLAG_BITS = 16;
    private static final int FLAG_MASK = (1 << FLAG_BITS) - 1;

    private Table table;
    private final CellKind[] kinds;
    private final int[] offsets;
    private final int[] variableColumns;
    /** Per column, its place among the variable ones. */
    private final int[] variablePlaces;

    private final long[] notNullMasks;
    private final int blockOffset;
    private final int blockBytesOffset;
    private final int rowNumberOffset;
    private final int slotBytes;

    public RowLayout(Table table) {
        this.table = table;
        List<Column> columns = table.columns();
        int count = columns.size();
        kinds = columns.stream().map(column -> CellKind.of(column.type())).toArray(CellKind[]::new);
        offsets = new int[count];
        variableColumns = IntStream.range(0, count)
                .filter(column -> kinds[column] == CellKind.BYTES)
                .toArray();
        variablePlaces = new int[count];
        for (int place = 0; place < variableColumns.length; place++) {
            variablePlaces[variableColumns[place]] = place;
        }
        notNullMasks = new long[stateWords(FLAG_BITS, count)];
        forbidNulls();
        boolean variable = variableColumns.length > 0;
        int next = STATE_OFFSET + notNullMasks.length * Long.BYTES;
        blockOffset = variable ? next : -1;
        next += variable ? Long.BYTES : 0;
        rowNumberOffset = table.primaryKey().isEmpty() ? next : -1;
        next += table.primaryKey().isEmpty() ? Long.BYTES : 0;
        int blockBytesPlace = -1;
        for (int width = CellKind.WIDEST; width >= 1; width >>= 1) {
            if (variable && width == Integer.BYTES) {
                blockBytesPlace = next;
                next += width;
            }
            for (int column = 0; column < count; column++) {
                if (kinds[column].bytes() == width) {
                    offsets[column] = next;
                    next += width;
                }
            }
        }
        blockBytesOffset = blockBytesPlace;
        slotBytes = (next + Long.BYTES - 1) & -Long.BYTES;
    }

    /** Words that hold so many flags and a null bit for each column. */
    static int stateWords(int flagBits, int columns) {
        return (flagBits + columns + Long.SIZE - 1) / Long.SIZE;
    }

    private void forbidNulls() {
        Arrays.fill(notNullMasks, 0);
        for (int column = 0; column < table.columns().size(); column++) {
            if (!table.columns().get(column).nullable()) {
                notNullMasks[(FLAG_BITS + column) / Long.SIZE] |= nullBit(column);
            }
        }
    }

    public Table table() {
        return table;
    }

    /** Whether rows of the other definition lie as these do. */
    public static boolean isSame(Table one, Table other) {
        boolean same = one.columns().size() == other.columns().size()
                && one.primaryKey().equals(other.primaryKey());
        for (int column = 0; same && column < one.columns().size(); column++) {
            ColumnType from = one.columns().get(column).type();
            ColumnType to = other.columns().get(column).type();
            same = from.kind() == to.kind() && CellKind.of(from) == CellKind.of(to) && from.scale() == to.scale();
        }
        return same;
    }

    /** From now on the table is defined so; its rows must lie the {@link #isSame same}. */
    public void redefine(Table changed) {
        Invariants.check(isSame(table, changed), "rows stay as they lie when a table is redefined");
        table = changed;
        forbidNulls();
    }

    public int columnCount() {
        return kinds.length;
    }

    public ColumnType type(int column) {
        return table.columns().get(column).type();
    }

    /** Form of the column's cell; with {@link #offset} enough to read it without asking again. */
    public CellKind kind(int column) {
        return kinds[column];
    }

    /** Offset of the column's cell from the row's address. */
    public int offset(int column) {
        return offsets[column];
    }

    /** Bytes of a slot, a multiple of 8. */
    public int slotBytes() {
        return slotBytes;
    }

    /** Offset of the word with the column's null bit; the bit is {@link #nullBit}. */
    public static int nullWordOffset(int column) {
        return STATE_OFFSET + (FLAG_BITS + column) / Long.SIZE * Long.BYTES;
    }

    public static long nullBit(int column) {
        return 1L << (FLAG_BITS + column);
    }

    public static boolean isNull(long row, int column) {
        return (OffHeap.getLong(row + nullWordOffset(column)) & nullBit(column)) != 0;
    }

    /** Value of a column whose kind {@link CellKind#isLong}. */
    public long getLong(long row, int column) {
        long cell = row + offsets[column];
        return switch (kinds[column]) {
            case INT -> OffHeap.getInt(cell);
            case LONG -> OffHeap.getLong(cell);
            case SHORT -> OffHeap.getShort(cell);
            case BYTE -> OffHeap.getByte(cell);
            case FLOAT, DOUBLE, WIDE, BYTES -> throw wrongKind(column);
        };
    }

    /** Value of a REAL or DOUBLE column. */
    public double getDouble(long row, int column) {
        long cell = row + offsets[column];
        return kinds[column] == CellKind.FLOAT ? OffHeap.getFloat(cell) : OffHeap.getDouble(cell);
    }

    public long wideHigh(long row, int column) {
        return OffHeap.getLong(row + offsets[column]);
    }

    public long wideLow(long row, int column) {
        return OffHeap.getLong(row + offsets[column] + Long.BYTES);
    }

    /** Address of the bytes of a {@link CellKind#BYTES} column; good until the row is changed. */
    public long bytesAddress(long row, int column) {
        return OffHeap.getLong(row + blockOffset) + OffHeap.getInt(row + offsets[column]);
    }

    /** Those of them that say where the row belongs: the digits behind the point of a NUMERIC do not. */
    public int keyBytesLength(long row, int column) {
        int beside = type(column).kind() == TypeKind.NUMERIC ? NumericBytes.SCALE_BYTES : 0;
        return bytesLength(row, column) - beside;
    }

    public int bytesLength(long row, int column) {
        return OffHeap.getInt(row + offsets[column] + Integer.BYTES);
    }

    public static long commitTimestamp(long row) {
        return OffHeap.getLong(row + COMMIT_TIMESTAMP_OFFSET);
    }

    /** The newest record of the row's earlier versions, 0 if none is kept. */
    public static long versionLink(long row) {
        return OffHeap.getLong(row + VERSION_LINK_OFFSET);
    }

    public static void setVersionLink(long row, long record) {
        OffHeap.putLong(row + VERSION_LINK_OFFSET, record);
    }

    public static int flags(long row) {
        return OffHeap.getShort(row + STATE_OFFSET) & FLAG_MASK;
    }

    /** Whether the newest version of the row exists. */
    public static boolean isVisible(long row) {
        return (OffHeap.getByte(row + STATE_OFFSET) & (USED | DELETED)) == USED;
    }

    public static void setFlags(long row, int flags) {
        OffHeap.putShort(row + STATE_OFFSET, (short) flags);
    }

    public boolean hasVariableColumns() {
        return blockOffset >= 0;
    }

    /** Positions of the columns of texts, bytes and documents, in order. Not to be changed. */
    public int[] variableColumns() {
        return variableColumns;
    }

    /** Address of the row's block, 0 if it has none. Only for layouts with variable columns. */
    public long block(long row) {
        return OffHeap.getLong(row + blockOffset);
    }

    /** Bytes of the row's block. */
    public int blockBytes(long row) {
        return OffHeap.getInt(row + blockBytesOffset);
    }

    public void setBlock(long row, long block, int bytes) {
        OffHeap.putLong(row + blockOffset, block);
        OffHeap.putInt(row + blockBytesOffset, bytes);
    }

    /** Makes the row in the array, which begins there, one without a block. */
    void clearStoredBlock(byte[] array, int slot) {
        LittleEndian.putLong(array, slot + blockOffset, 0);
        LittleEndian.putInt(array, slot + blockBytesOffset, 0);
    }

    /** Whether a stored row names no block, as is right. */
    boolean isStoredWithoutBlock(byte[] array, int slot) {
        return blockOffset < 0
                || (LittleEndian.getLong(array, slot + blockOffset) == 0
                        && LittleEndian.getInt(array, slot + blockBytesOffset) == 0);
    }

    /** Offset of a variable column's bytes in the block. */
    public int bytesOffset(long row, int column) {
        return OffHeap.getInt(row + offsets[column]);
    }

    public void setBytes(long row, int column, int offset, int length) {
        OffHeap.putInt(row + offsets[column], offset);
        OffHeap.putInt(row + offsets[column] + Integer.BYTES, length);
    }

    /** Bytes that a value of the column may have without moving others: up to where the next one's begin. */
    public int room(long row, int column) {
        int next = variablePlaces[column] + 1;
        int end = next < variableColumns.length ? bytesOffset(row, variableColumns[next]) : blockBytes(row);
        return end - bytesOffset(row, column);
    }

    /** Bytes that the variable columns take together; null ones take none. */
    public int variableBytes(long row) {
        int bytes = 0;
        for (int column : variableColumns) {
            bytes += isNull(row, column) ? 0 : bytesLength(row, column);
        }
        return bytes;
    }

    /** Copies the variable columns one after another in column order, and sets the target's cells. */
    public void packVariable(long source, long target, long block) {
        int offset = 0;
        for (int column : variableColumns) {
            int length = isNull(source, column) ? 0 : bytesLength(source, column);
            if (length > 0) {
                OffHeap.copy(bytesAddress(source, column), block + offset, length);
            }
            setBytes(target, column, offset, length);
            offset += length;
        }
    }

    /** Sets the cells of a row all of whose variable columns are empty or null. */
    public void placeEmpty(long row) {
        for (int column : variableColumns) {
            setBytes(row, column, 0, 0);
        }
    }

    /** Copies the cell of a column of fixed width, and whether it is null. */
    public void copyCell(int column, long source, long target) {
        copyNull(column, source, target);
        int offset = offsets[column];
        switch (kinds[column]) {
            case INT, FLOAT -> OffHeap.putInt(target + offset, OffHeap.getInt(source + offset));
            case LONG, DOUBLE -> OffHeap.putLong(target + offset, OffHeap.getLong(source + offset));
            case SHORT -> OffHeap.putShort(target + offset, OffHeap.getShort(source + offset));
            case BYTE -> OffHeap.putByte(target + offset, OffHeap.getByte(source + offset));
            case WIDE -> {
                OffHeap.putLong(target + offset, OffHeap.getLong(source + offset));
                OffHeap.putLong(target + offset + Long.BYTES, OffHeap.getLong(source + offset + Long.BYTES));
            }
            case BYTES -> throw wrongKind(column);
        }
    }

    /** Copies whether the column is null. */
    public void copyNull(int column, long source, long target) {
        int word = nullWordOffset(column);
        long bit = nullBit(column);
        OffHeap.putLong(
                target + word, (OffHeap.getLong(target + word) & ~bit) | (OffHeap.getLong(source + word) & bit));
    }

    /** Whether rows carry a number of their own, which tells rows without a primary key apart in index order. */
    public boolean hasRowNumber() {
        return rowNumberOffset >= 0;
    }

    /** Offset of the row number's cell. */
    public int rowNumberOffset() {
        return rowNumberOffset;
    }

    /** Fails with {@link ErrorCode#NOT_NULL_VIOLATION} if a NOT NULL column of the row or image is null. */
    public void checkNotNull(long row) {
        for (int word = 0; word < notNullMasks.length; word++) {
            long breaches = OffHeap.getLong(row + STATE_OFFSET + (long) word * Long.BYTES) & notNullMasks[word];
            if (breaches != 0) {
                throw notNullViolation(word * Long.SIZE + Long.numberOfTrailingZeros(breaches) - FLAG_BITS);
            }
        }
    }

    /** The same for some columns of an image. */
    public void checkNotNull(long row, int[] columns) {
        for (int column : columns) {
            if (isNull(row, column) && !table.columns().get(column).nullable()) {
                throw notNullViolation(column);
            }
        }
    }

    private FulmarException notNullViolation(int column) {
        return new FulmarException(
                ErrorCode.NOT_NULL_VIOLATION,
                table.columnText(column) + " is NOT NULL and takes no NULL; give it a value");
    }

    /** Words of flags and null bits. */
    int stateWords() {
        return notNullMasks.length;
    }

    private FulmarException wrongKind(int column) {
        return Invariants.breach("column " + column + " of " + table.name() + " is read as what it is");
    }
}
