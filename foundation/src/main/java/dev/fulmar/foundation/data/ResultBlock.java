package dev.fulmar.foundation.data;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Reads a result block where it lies; made to be wrapped around one block after another. Wrapping and walking allocate
 * nothing once the arrays inside have grown. The bytes may come from anywhere: a block that lies about a length fails
 * with {@link ErrorCode#CORRUPTION} and reads nothing outside itself. Not thread-safe.
 *
 * <p>A cursor stands on a row or before the first. Cells of the current row are reached directly, also in another row
 * order through {@link #at(int)}. Primitive getters give 0 for null.
 */
public final class ResultBlock {
    private static final byte[] EMPTY = {};

    private byte[] array = EMPTY;
    private int start;
    private int end;
    private int rowCount;
    private int columnCount;
    private int firstRow;
    private int fixedRowBytes;
    private TypeKind[] kinds = new TypeKind[0];
    private byte[] scales = EMPTY;
    private boolean[] wide = new boolean[0];
    private int[] cellOffsets = new int[0];
    private @Nullable List<ResultColumn> columns;

    private int row = -1;
    private int rowOffset;
    private int rowBytes;

    /** Starts of the rows that were found so far, filled by {@link #at(int)} only. */
    private int[] index = new int[0];

    private int indexed;

    /**
     * Reads the block that starts at the offset and lies within the length; the cursor stands before its first row.
     * Returns this.
     */
    public ResultBlock wrap(byte[] source, int offset, int length) {
        if (offset < 0 || length < 0 || length > source.length - offset) {
            throw new IndexOutOfBoundsException(
                    "no " + length + " bytes at " + offset + " in an array of " + source.length);
        }
        rowCount = 0;
        row = -1;
        require(length >= ResultLayout.FIXED_HEADER_BYTES, "it is shorter than its header");
        int totalBytes = LittleEndian.getInt(source, offset);
        int rows = LittleEndian.getInt(source, offset + ResultLayout.ROW_COUNT_OFFSET);
        int count = LittleEndian.getUnsignedShort(source, offset + ResultLayout.COLUMN_COUNT_OFFSET);
        int headerBytes = LittleEndian.getUnsignedShort(source, offset + ResultLayout.HEADER_BYTES_OFFSET);
        require(headerBytes >= ResultLayout.FIXED_HEADER_BYTES && headerBytes <= totalBytes, "its header has no room");
        require(totalBytes <= length, "it is cut off");
        require(count <= ResultLayout.MAX_COLUMNS, "it has too many columns");
        columns = null;
        array = source;
        start = offset;
        end = offset + totalBytes;
        columnCount = count;
        firstRow = offset + headerBytes;
        parseColumns();
        require(rows >= 0 && (long) rows * fixedRowBytes <= end - firstRow, "its rows have no room");
        rowCount = rows;
        indexed = 0;
        beforeFirst();
        return this;
    }

    private void parseColumns() {
        if (kinds.length < columnCount) {
            kinds = new TypeKind[columnCount];
            scales = new byte[columnCount];
            wide = new boolean[columnCount];
            cellOffsets = new int[columnCount];
        }
        int position = start + ResultLayout.FIXED_HEADER_BYTES;
        int cell = ResultLayout.cellsOffset(columnCount);
        for (int i = 0; i < columnCount; i++) {
            require(firstRow - position >= ResultLayout.COLUMN_DESCRIPTOR_BYTES, "a column has no room");
            TypeKind kind = TypeKind.ofNumberOrNull(array[position]);
            if (kind == null) {
                throw corrupt("a column has the unknown type " + array[position]);
            }
            byte scale = array[position + 1];
            int precision = LittleEndian.getInt(array, position + 4);
            require(ColumnType.isPossible(kind, precision, scale), "a column has an impossible type");
            kinds[i] = kind;
            scales[i] = scale;
            wide[i] = ColumnType.storage(kind, precision) == TypeKind.Storage.WIDE;
            cellOffsets[i] = cell;
            cell += ColumnType.cellBytes(kind, precision);
            int nameBytes = LittleEndian.getUnsignedShort(array, position + 8);
            position += ResultLayout.COLUMN_DESCRIPTOR_BYTES;
            require(nameBytes <= firstRow - position, "a column name has no room");
            position += nameBytes;
        }
        require(position == firstRow, "its header has bytes left over");
        fixedRowBytes = cell;
    }

    /**
     * Walks all rows and checks the place of every variable cell; afterwards no getter can find the block corrupt.
     * Returns this.
     */
    public ResultBlock validate() {
        beforeFirst();
        while (next()) {
            for (int column = 0; column < columnCount; column++) {
                if (hasBytes(column)) {
                    bytesLength(column);
                }
            }
        }
        require(rowOffset + rowBytes == end, "it has bytes left over");
        beforeFirst();
        return this;
    }

    public int rowCount() {
        return rowCount;
    }

    public int columnCount() {
        return columnCount;
    }

    /** Bytes from the block's start to its end, where the next block may start. */
    public int totalBytes() {
        return end - start;
    }

    /** The columns, decoded at the first call for a block. */
    public List<ResultColumn> columns() {
        List<ResultColumn> known = columns;
        if (known == null) {
            known = decodeColumns();
            columns = known;
        }
        return known;
    }

    private List<ResultColumn> decodeColumns() {
        List<ResultColumn> decoded = new ArrayList<>(columnCount);
        int position = start + ResultLayout.FIXED_HEADER_BYTES;
        for (int i = 0; i < columnCount; i++) {
            ColumnType type = new ColumnType(kinds[i], LittleEndian.getInt(array, position + 4), scales[i]);
            boolean nullable = (array[position + 2] & ResultLayout.FLAG_NULLABLE) != 0;
            int nameBytes = LittleEndian.getUnsignedShort(array, position + 8);
            position += ResultLayout.COLUMN_DESCRIPTOR_BYTES;
            decoded.add(
                    new ResultColumn(new String(array, position, nameBytes, StandardCharsets.UTF_8), type, nullable));
            position += nameBytes;
        }
        return List.copyOf(decoded);
    }

    /** Type of the column, known without decoding names. */
    public TypeKind kind(int column) {
        checkColumn(column);
        return kinds[column];
    }

    /** Whether cells of the column have 128 bits. */
    boolean isWide(int column) {
        checkColumn(column);
        return wide[column];
    }

    /** Digits after the point of a DECIMAL column, else 0. */
    public int scale(int column) {
        checkColumn(column);
        return scales[column];
    }

    /** Puts the cursor before the first row. */
    public void beforeFirst() {
        row = -1;
        rowOffset = firstRow;
        rowBytes = 0;
    }

    /** Moves to the next row; false at the end, where the cursor then stays on the last row. */
    public boolean next() {
        if (row + 1 >= rowCount) {
            return false;
        }
        moveTo(row + 1, rowOffset + rowBytes);
        return true;
    }

    /** Moves to the row, counted from 0. Returns this. */
    public ResultBlock at(int newRow) {
        if (newRow < 0 || newRow >= rowCount) {
            throw new IndexOutOfBoundsException("row " + newRow + " of " + rowCount);
        }
        if (newRow == row + 1) {
            next();
        } else if (newRow != row) {
            if (newRow >= indexed) {
                extendIndex();
            }
            moveTo(newRow, index[newRow]);
        }
        return this;
    }

    private void extendIndex() {
        if (index.length < rowCount) {
            index = new int[rowCount];
            indexed = 0;
        }
        beforeFirst();
        while (next()) {
            index[row] = rowOffset;
        }
        indexed = rowCount;
    }

    private void moveTo(int newRow, int offset) {
        require(end - offset >= fixedRowBytes, "a row has no room");
        int bytes = LittleEndian.getInt(array, offset);
        require(bytes >= fixedRowBytes && bytes <= end - offset, "a row has an impossible length");
        row = newRow;
        rowOffset = offset;
        rowBytes = bytes;
    }

    /** The current row, counted from 0, or -1 before the first. */
    public int row() {
        return row;
    }

    public boolean isNull(int column) {
        checkCell(column);
        return isNullCell(column);
    }

    /** The cell as it is held, of storage LONG. For DECIMAL the unscaled value, for an ENUM the code of its label. */
    public long getUnscaled(int column) {
        checkCell(column);
        requireKind(
                kinds[column].storage() == TypeKind.Storage.LONG && !wide[column], column, "a number that fits a long");
        return LittleEndian.getLong(array, rowOffset + cellOffsets[column]);
    }

    /**
     * An integer, boolean (0 or 1), date (days), time or timestamp (microseconds), or a DECIMAL without fraction
     * digits.
     */
    public long getLong(int column) {
        long value = getUnscaled(column);
        requireKind(scales[column] == 0 && kinds[column] != TypeKind.ENUM, column, "an integer");
        return value;
    }

    /** Any number, rounded to the nearest double. */
    public double getDouble(int column) {
        checkCell(column);
        TypeKind kind = kinds[column];
        long cell = LittleEndian.getLong(array, rowOffset + cellOffsets[column]);
        if (kind.storage() == TypeKind.Storage.DOUBLE) {
            return Double.longBitsToDouble(cell);
        }
        if (kind == TypeKind.DECIMAL && (wide[column] || scales[column] != 0)) {
            BigDecimal value = decimal(column);
            return value == null ? 0 : value.doubleValue();
        }
        if (kind == TypeKind.NUMERIC) {
            return isNullCell(column) ? 0 : numeric(column).toDouble();
        }
        requireKind(kind.isInteger() || kind == TypeKind.DECIMAL, column, "a number");
        return cell;
    }

    /** A REAL, which its cell holds exactly, or any other number, rounded to the nearest float. */
    public float getFloat(int column) {
        return (float) getDouble(column);
    }

    /** Whether the cell says where bytes lie: an ENUM has those of its label. */
    private boolean hasBytes(int column) {
        return kinds[column].storage() == TypeKind.Storage.BYTES || kinds[column] == TypeKind.ENUM;
    }

    /** Index in the array of the offset of the cell's bytes, which their length follows. */
    private int bytesCell(int column) {
        return rowOffset + cellOffsets[column] + (kinds[column] == TypeKind.ENUM ? Long.BYTES : 0);
    }

    /** The first 64 bits of a cell of storage WIDE. */
    public long getHigh(int column) {
        return wideHalf(column, 0);
    }

    /** The last 64 bits of a cell of storage WIDE. */
    public long getLow(int column) {
        return wideHalf(column, Long.BYTES);
    }

    private long wideHalf(int column, int offset) {
        checkCell(column);
        requireKind(wide[column], column, "a value of 128 bits");
        return LittleEndian.getLong(array, rowOffset + cellOffsets[column] + offset);
    }

    /** Index in {@link #array()} of the first byte of a value of variable length, or of an ENUM's label. */
    public int bytesOffset(int column) {
        bytesLength(column);
        return rowOffset + LittleEndian.getInt(array, bytesCell(column));
    }

    /** Bytes of a value of variable length, or of an ENUM's label. */
    public int bytesLength(int column) {
        checkCell(column);
        requireKind(hasBytes(column), column, "characters or bytes");
        int cell = bytesCell(column);
        int offset = LittleEndian.getInt(array, cell);
        int length = LittleEndian.getInt(array, cell + Integer.BYTES);
        if (offset == 0 && length == 0) {
            return 0;
        }
        require(
                offset >= fixedRowBytes && length >= 0 && offset <= rowBytes && length <= rowBytes - offset,
                "a cell lies outside its row");
        return length;
    }

    /** An exact number, or null. */
    public @Nullable BigDecimal decimal(int column) {
        checkCell(column);
        TypeKind kind = kinds[column];
        requireKind(kind == TypeKind.DECIMAL || kind.isInteger(), column, "an exact number");
        if (isNullCell(column)) {
            return null;
        }
        int position = rowOffset + cellOffsets[column];
        long first = LittleEndian.getLong(array, position);
        return wide[column]
                ? WideDecimal.toBigDecimal(first, LittleEndian.getLong(array, position + Long.BYTES), scales[column])
                : BigDecimal.valueOf(first, scales[column]);
    }

    /** The characters of a CHAR or VARCHAR, the text of any other value, or null. */
    public @Nullable String string(int column) {
        checkCell(column);
        if (isNullCell(column)) {
            return null;
        }
        boolean isText = kinds[column].isText() || kinds[column] == TypeKind.ENUM;
        return isText ? characters(column) : CellValues.text(this, column);
    }

    private String characters(int column) {
        int length = bytesLength(column);
        return new String(array, bytesOffset(column), length, StandardCharsets.UTF_8);
    }

    /** A NUMERIC, which is not null. */
    public Numeric numeric(int column) {
        checkCell(column);
        requireKind(kinds[column] == TypeKind.NUMERIC, column, "a NUMBER");
        int offset = bytesOffset(column);
        return NumericBytes.value(array, offset, offset + bytesLength(column));
    }

    /** The bytes of a VARBINARY, or the UTF-8 of a CHAR or VARCHAR, copied; or null. */
    public byte @Nullable [] bytes(int column) {
        int length = bytesLength(column);
        if (isNullCell(column)) {
            return null;
        }
        int offset = bytesOffset(column);
        return Arrays.copyOfRange(array, offset, offset + length);
    }

    public @Nullable UUID uuid(int column) {
        checkCell(column);
        requireKind(kinds[column] == TypeKind.UUID, column, "a UUID");
        return isNullCell(column) ? null : new UUID(getHigh(column), getLow(column));
    }

    /** The value as the Java type that fits its SQL type best, see {@link CellValues}; or null. */
    public @Nullable Object object(int column) {
        checkCell(column);
        return isNullCell(column) ? null : CellValues.object(this, column);
    }

    /** The array that the block lies in. */
    public byte[] array() {
        return array;
    }

    /** Index in {@link #array()} of the current row. */
    public int rowOffset() {
        checkRow();
        return rowOffset;
    }

    /** Bytes of the current row. */
    public int rowBytes() {
        checkRow();
        return rowBytes;
    }

    int fixedRowBytes() {
        return fixedRowBytes;
    }

    private boolean isNullCell(int column) {
        return (array[rowOffset + Integer.BYTES + (column >> 3)] & (1 << (column & 7))) != 0;
    }

    private void checkCell(int column) {
        checkRow();
        checkColumn(column);
    }

    private void checkRow() {
        if (row < 0) {
            throw new IllegalStateException("the cursor stands before the first row; call next() first");
        }
    }

    private void checkColumn(int column) {
        if (column < 0 || column >= columnCount) {
            throw new IndexOutOfBoundsException("column " + column + " of " + columnCount);
        }
    }

    private void requireKind(boolean condition, int column, String wanted) {
        if (!condition) {
            ResultColumn found = columns().get(column);
            throw new FulmarException(
                    ErrorCode.TYPE_MISMATCH,
                    "column " + found.name() + " is a " + found.type() + ", not " + wanted + "; read it as what it is");
        }
    }

    private static void require(boolean condition, String what) {
        if (!condition) {
            throw corrupt(what);
        }
    }

    private static FulmarException corrupt(String what) {
        return new FulmarException(ErrorCode.CORRUPTION, "a result block cannot be read: " + what);
    }
}
