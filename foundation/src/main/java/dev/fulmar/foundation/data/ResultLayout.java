package dev.fulmar.foundation.data;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The parts of a result block that depend on its columns only, computed once per statement. Immutable. */
public final class ResultLayout {
    /**
     * Version of the block format. The protocol version of a connection stands for it, so a block does not repeat it.
     */
    public static final int FORMAT_VERSION = 1;

    /** Most columns a result can have. */
    public static final int MAX_COLUMNS = 4096;

    /** Position of {@code rowCount} in a block, which starts with {@code totalBytes}. */
    static final int ROW_COUNT_OFFSET = 4;

    static final int COLUMN_COUNT_OFFSET = 8;
    static final int HEADER_BYTES_OFFSET = 10;
    static final int FIXED_HEADER_BYTES = 12;
    static final int COLUMN_DESCRIPTOR_BYTES = 10;
    static final int FLAG_NULLABLE = 1;
    static final int MAX_UNSIGNED_SHORT = 0xffff;

    private final List<ResultColumn> columns;
    private final byte[] header;
    private final int[] cellOffsets;
    private final int fixedRowBytes;
    private final @Nullable Enumeration @Nullable [] enumerations;

    public ResultLayout(List<ResultColumn> columns) {
        this.columns = List.copyOf(columns);
        if (this.columns.size() > MAX_COLUMNS) {
            throw new FulmarException(
                    ErrorCode.RESULT_TOO_LARGE,
                    "a result of " + this.columns.size() + " columns exceeds the limit of " + MAX_COLUMNS
                            + "; select fewer columns");
        }
        this.cellOffsets = new int[this.columns.size()];
        int offset = cellsOffset(this.columns.size());
        for (int i = 0; i < cellOffsets.length; i++) {
            cellOffsets[i] = offset;
            offset += this.columns.get(i).type().cellBytes();
        }
        this.fixedRowBytes = offset;
        this.enumerations = enumerations(this.columns);
        this.header = encodeHeader(this.columns);
    }

    private static @Nullable Enumeration @Nullable [] enumerations(List<ResultColumn> columns) {
        if (columns.stream().noneMatch(column -> column.type().kind() == TypeKind.ENUM)) {
            return null;
        }
        @Nullable Enumeration[] enumerations = new Enumeration[columns.size()];
        for (int i = 0; i < enumerations.length; i++) {
            enumerations[i] = columns.get(i).type().enumeration();
        }
        return enumerations;
    }

    boolean hasEnumerations() {
        return enumerations != null;
    }

    /** The labels of the column, or null if it is no ENUM. */
    @Nullable Enumeration enumeration(int column) {
        return enumerations == null ? null : enumerations[column];
    }

    /** Start of the first cell within a row: after the row's length and its null bitmap. */
    static int cellsOffset(int columnCount) {
        return Integer.BYTES + (columnCount + 7) / 8;
    }

    private static byte[] encodeHeader(List<ResultColumn> columns) {
        byte[][] names = new byte[columns.size()][];
        int length = FIXED_HEADER_BYTES;
        for (int i = 0; i < names.length; i++) {
            names[i] = columns.get(i).name().getBytes(StandardCharsets.UTF_8);
            length += COLUMN_DESCRIPTOR_BYTES + names[i].length;
        }
        if (length > MAX_UNSIGNED_SHORT) {
            throw new FulmarException(
                    ErrorCode.RESULT_TOO_LARGE,
                    "the column names of a result need " + length + " bytes, more than the limit of "
                            + MAX_UNSIGNED_SHORT + "; select fewer columns or give them shorter names");
        }
        byte[] header = new byte[length];
        LittleEndian.putInt(header, 0, length);
        LittleEndian.putShort(header, COLUMN_COUNT_OFFSET, names.length);
        LittleEndian.putShort(header, HEADER_BYTES_OFFSET, length);
        int position = FIXED_HEADER_BYTES;
        for (int i = 0; i < names.length; i++) {
            ResultColumn column = columns.get(i);
            header[position] = (byte) column.type().kind().number();
            header[position + 1] = (byte) column.type().scale();
            header[position + 2] = (byte) (column.nullable() ? FLAG_NULLABLE : 0);
            LittleEndian.putInt(header, position + 4, column.type().precision());
            LittleEndian.putShort(header, position + 8, names[i].length);
            position += COLUMN_DESCRIPTOR_BYTES;
            System.arraycopy(names[i], 0, header, position, names[i].length);
            position += names[i].length;
        }
        return header;
    }

    public List<ResultColumn> columns() {
        return columns;
    }

    public int columnCount() {
        return cellOffsets.length;
    }

    /** Bytes before the first row. */
    public int headerBytes() {
        return header.length;
    }

    /** Bytes of a row without its variable part. */
    public int fixedRowBytes() {
        return fixedRowBytes;
    }

    int cellOffset(int column) {
        return cellOffsets[column];
    }

    /** Writes the header of a block without rows. */
    void copyHeader(byte[] target, int offset) {
        System.arraycopy(header, 0, target, offset, header.length);
    }

    /** Two layouts are equal if their blocks start with the same bytes. */
    @Override
    public boolean equals(Object other) {
        return other instanceof ResultLayout that && Arrays.equals(header, that.header);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(header);
    }

    @Override
    public String toString() {
        return "ResultLayout" + columns;
    }
}
