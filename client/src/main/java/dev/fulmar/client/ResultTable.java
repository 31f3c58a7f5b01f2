package dev.fulmar.client;

import dev.fulmar.foundation.data.ResultBlock;
import dev.fulmar.foundation.data.ResultColumn;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.math.BigDecimal;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A result table with a cursor, which stands before the first row at first. Columns count from 0. Cells are decoded
 * when they are asked for. The primitive getters give 0 for null, so ask {@link #isNull(int)} where it matters. Not
 * thread-safe.
 */
public final class ResultTable {
    private final ResultBlock block;

    ResultTable(byte[] bytes, int offset, int length) {
        block = new ResultBlock().wrap(bytes, offset, length);
    }

    public int rowCount() {
        return block.rowCount();
    }

    int bytes() {
        return block.totalBytes();
    }

    public int columnCount() {
        return block.columnCount();
    }

    public List<ResultColumn> columns() {
        return block.columns();
    }

    /** Position of the column with the name, whatever its case. */
    public int column(String name) {
        List<ResultColumn> columns = block.columns();
        for (int i = 0; i < columns.size(); i++) {
            if (columns.get(i).name().equalsIgnoreCase(name)) {
                return i;
            }
        }
        throw new FulmarException(
                ErrorCode.UNKNOWN_OBJECT,
                "the result has no column " + name + "; it has "
                        + columns.stream().map(ResultColumn::name).toList());
    }

    /** Moves to the next row; false at the end. */
    public boolean next() {
        return block.next();
    }

    /** Moves to the row, counted from 0. Returns this. */
    public ResultTable at(int row) {
        block.at(row);
        return this;
    }

    /** Moves to the first row, which must exist. Returns this. */
    public ResultTable first() {
        return at(0);
    }

    /** Moves before the first row. */
    public void beforeFirst() {
        block.beforeFirst();
    }

    public boolean isNull(int column) {
        return block.isNull(column);
    }

    /** An integer, boolean (0 or 1), date (days), time or timestamp (microseconds). */
    public long getLong(int column) {
        return block.getLong(column);
    }

    public int getInt(int column) {
        return Math.toIntExact(block.getLong(column));
    }

    public boolean getBoolean(int column) {
        return block.getLong(column) != 0;
    }

    /** The unscaled value of a DECIMAL of up to 18 digits; no object is made. */
    public long getUnscaled(int column) {
        return block.getUnscaled(column);
    }

    /** Any number, rounded to the nearest double. */
    public double getDouble(int column) {
        return block.getDouble(column);
    }

    /** A REAL, exactly, or any other number, rounded to the nearest float. */
    public float getFloat(int column) {
        return block.getFloat(column);
    }

    /** The characters of a CHAR or VARCHAR, the text of any other value, or null. */
    public @Nullable String getString(int column) {
        return block.string(column);
    }

    /** Length of a CHAR, VARCHAR or VARBINARY in bytes; no object is made. */
    public int getByteCount(int column) {
        return block.bytesLength(column);
    }

    public byte @Nullable [] getBytes(int column) {
        return block.bytes(column);
    }

    public @Nullable BigDecimal getDecimal(int column) {
        return block.decimal(column);
    }

    public @Nullable UUID getUuid(int column) {
        return block.uuid(column);
    }

    /**
     * The value as the Java type that fits its SQL type best, or null. The infinities of dates and timestamps are the
     * greatest and the least value of that type, as {@link java.time.LocalDate#MAX}.
     */
    public @Nullable Object getObject(int column) {
        return block.object(column);
    }
}
