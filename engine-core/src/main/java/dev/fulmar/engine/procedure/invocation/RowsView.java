package dev.fulmar.engine.procedure.invocation;

import dev.fulmar.engine.execution.value.ArrayTexts;
import dev.fulmar.engine.procedure.ResultShape;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.data.CellValues;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.InfiniteTime;
import dev.fulmar.foundation.data.Interval;
import dev.fulmar.foundation.data.LittleEndian;
import dev.fulmar.foundation.data.Numeric;
import dev.fulmar.foundation.data.NumericBytes;
import dev.fulmar.foundation.data.ResultBlockWriter;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.foundation.data.WideDecimal;
import dev.fulmar.foundation.data.ZonedTime;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.procedure.Rows;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A cursor over a block that the engine itself wrote, whose columns are known beforehand: nothing is parsed and nothing
 * is allocated for a row. Reused for one result after another.
 */
final class RowsView implements Rows {
    private static final int ROW_COUNT_OFFSET = 4;
    private static final int MAX_TEXT_OF_NAMES = 200;

    private final ResultBlockWriter writer;
    private final CallState state;
    private ResultShape shape = ResultShape.EMPTY;
    private int blockStart;
    private int rowCount;
    private int row;
    private int rowStart;

    /** Starts of the rows; filled when a row is asked for out of order. */
    private int[] index = new int[0];

    private boolean indexed;

    RowsView(ResultBlockWriter writer, CallState state) {
        this.writer = writer;
        this.state = state;
    }

    /** Turns to the block, before its first row. */
    RowsView open(ResultShape newShape, int newBlockStart) {
        shape = newShape;
        blockStart = newBlockStart;
        rowCount = LittleEndian.getInt(writer.array(), newBlockStart + ROW_COUNT_OFFSET);
        indexed = false;
        rewind();
        return this;
    }

    /** Back before the first row. */
    RowsView rewind() {
        row = -1;
        return this;
    }

    int blockStart() {
        return blockStart;
    }

    int blockBytes() {
        return LittleEndian.getInt(writer.array(), blockStart);
    }

    ResultShape shape() {
        return shape;
    }

    @Override
    public int rowCount() {
        return rowCount;
    }

    @Override
    public int columnCount() {
        return shape.columnCount();
    }

    @Override
    public String columnName(int column) {
        return shape.columns().get(column).name();
    }

    @Override
    public int column(String name) {
        for (int i = 0; i < shape.columnCount(); i++) {
            if (columnName(i).equalsIgnoreCase(name)) {
                return i;
            }
        }
        List<String> names =
                shape.columns().stream().map(column -> column.name()).toList();
        String known = String.join(", ", names);
        throw new FulmarException(
                ErrorCode.UNKNOWN_OBJECT,
                "the result has no column " + name + ", only "
                        + known.substring(0, Math.min(known.length(), MAX_TEXT_OF_NAMES)));
    }

    @Override
    public boolean next() {
        if (row + 1 >= rowCount) {
            return false;
        }
        state.checkOpen();
        rowStart = row < 0 ? firstRow() : rowStart + LittleEndian.getInt(writer.array(), rowStart);
        row++;
        return true;
    }

    private int firstRow() {
        return blockStart + shape.layout().headerBytes();
    }

    @Override
    public Rows at(int newRow) {
        if (newRow < 0 || newRow >= rowCount) {
            throw new IndexOutOfBoundsException("row " + newRow + " of a result of " + rowCount + " rows");
        }
        if (newRow == 0) {
            state.checkOpen();
            rowStart = firstRow();
            row = 0;
        } else if (newRow == row + 1) {
            next();
        } else if (newRow != row) {
            rowStart = startOf(newRow);
            row = newRow;
        }
        return this;
    }

    private int startOf(int newRow) {
        if (!indexed) {
            if (index.length < rowCount) {
                index = new int[Math.max(rowCount, 2 * index.length)];
            }
            byte[] array = writer.array();
            int start = firstRow();
            for (int i = 0; i < rowCount; i++) {
                index[i] = start;
                start += LittleEndian.getInt(array, start);
            }
            indexed = true;
        }
        return index[newRow];
    }

    @Override
    public boolean isNull(int column) {
        checkCell(column);
        return isNullCell(column);
    }

    private boolean isNullCell(int column) {
        return (writer.array()[rowStart + Integer.BYTES + (column >> 3)] & (1 << (column & 7))) != 0;
    }

    @Override
    public long getLong(int column) {
        checkCell(column);
        boolean isNumber = shape.storage(column) == TypeKind.Storage.LONG && shape.kind(column) != TypeKind.ENUM;
        if (!isNumber || shape.scale(column) != 0) {
            return convertToLong(column);
        }
        return LittleEndian.getLong(writer.array(), rowStart + shape.cellOffset(column));
    }

    /** A DECIMAL with fraction digits or of many digits, if its value is whole. */
    private long convertToLong(int column) {
        requireKind(column, shape.kind(column) == TypeKind.DECIMAL, "an integer");
        BigDecimal value = getDecimal(column);
        try {
            return value == null ? 0 : value.longValueExact();
        } catch (ArithmeticException e) {
            throw new FulmarException(
                    ErrorCode.VALUE_OUT_OF_RANGE,
                    "column " + columnName(column) + " holds " + value
                            + ", which is no integer of 64 bits; use getDecimal",
                    e);
        }
    }

    @Override
    public double getDouble(int column) {
        checkCell(column);
        return switch (shape.kind(column)) {
            case REAL, DOUBLE ->
                Double.longBitsToDouble(LittleEndian.getLong(writer.array(), rowStart + shape.cellOffset(column)));
            case DECIMAL -> decimalToDouble(column);
            case TINYINT, SMALLINT, INTEGER, BIGINT ->
                LittleEndian.getLong(writer.array(), rowStart + shape.cellOffset(column));
            case BOOLEAN,
                    CHAR,
                    VARCHAR,
                    VARBINARY,
                    DATE,
                    TIME,
                    TIMESTAMP,
                    TIMESTAMP_TZ,
                    UUID,
                    JSON,
                    JSONB,
                    INTERVAL,
                    ARRAY,
                    ENUM -> throw wrongKind(column, "a number");
            case NUMERIC -> isNullCell(column) ? 0 : numeric(column).toDouble();
        };
    }

    /** Both operands of the division are exact, so its result is the nearest double. */
    private double decimalToDouble(int column) {
        int scale = shape.scale(column);
        if (shape.storage(column) == TypeKind.Storage.LONG) {
            long unscaled = LittleEndian.getLong(writer.array(), rowStart + shape.cellOffset(column));
            if (scale == 0) {
                return unscaled;
            }
            if (Math.abs(unscaled) <= 1L << 53) {
                return unscaled / POWERS_OF_TEN[scale];
            }
        }
        BigDecimal value = getDecimal(column);
        return value == null ? 0 : value.doubleValue();
    }

    private static final double[] POWERS_OF_TEN = {
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18
    };

    @Override
    public boolean getBoolean(int column) {
        checkCell(column);
        requireKind(column, shape.kind(column) == TypeKind.BOOLEAN, "a boolean");
        return LittleEndian.getLong(writer.array(), rowStart + shape.cellOffset(column)) != 0;
    }

    @Override
    public @Nullable String getString(int column) {
        checkCell(column);
        if (isNullCell(column)) {
            return null;
        }
        boolean isText = shape.kind(column).isText() || shape.kind(column) == TypeKind.ENUM;
        return isText ? characters(column) : text(column);
    }

    private String characters(int column) {
        return new String(writer.array(), bytesOffset(column), bytesLength(column), StandardCharsets.UTF_8);
    }

    private String text(int column) {
        return switch (getObject(column)) {
            case null -> throw Invariants.breach("a cell that is not null has a value");
            case BigDecimal value -> value.toPlainString();
            case byte[] value -> HexFormat.of().formatHex(value);
            case LocalDateTime value
            when !value.equals(LocalDateTime.MAX) && !value.equals(LocalDateTime.MIN) ->
                value.toLocalDate() + " " + value.toLocalTime();
            case Object value -> InfiniteTime.textOf(value);
        };
    }

    @Override
    public byte @Nullable [] getBytes(int column) {
        checkCell(column);
        requireKind(column, shape.storage(column) == TypeKind.Storage.BYTES, "characters or bytes");
        if (isNullCell(column)) {
            return null;
        }
        byte[] array = writer.array();
        int cell = rowStart + shape.cellOffset(column);
        int offset = rowStart + LittleEndian.getInt(array, cell);
        return Arrays.copyOfRange(array, offset, offset + LittleEndian.getInt(array, cell + Integer.BYTES));
    }

    @Override
    public @Nullable BigDecimal getDecimal(int column) {
        checkCell(column);
        TypeKind kind = shape.kind(column);
        requireKind(column, kind == TypeKind.DECIMAL || kind.isInteger(), "an exact number");
        if (isNullCell(column)) {
            return null;
        }
        byte[] array = writer.array();
        int cell = rowStart + shape.cellOffset(column);
        long first = LittleEndian.getLong(array, cell);
        return shape.storage(column) == TypeKind.Storage.WIDE
                ? WideDecimal.toBigDecimal(first, LittleEndian.getLong(array, cell + Long.BYTES), shape.scale(column))
                : BigDecimal.valueOf(first, shape.scale(column));
    }

    @Override
    public long getUnscaled(int column) {
        checkCell(column);
        requireKind(column, shape.storage(column) == TypeKind.Storage.LONG, "a number that fits a long");
        return LittleEndian.getLong(writer.array(), rowStart + shape.cellOffset(column));
    }

    @Override
    public @Nullable LocalDate getDate(int column) {
        return temporal(column, TypeKind.DATE, "a date") ? CellValues.date(cell(column)) : null;
    }

    @Override
    public @Nullable LocalTime getTime(int column) {
        return temporal(column, TypeKind.TIME, "a time") ? CellValues.time(cell(column)) : null;
    }

    @Override
    public @Nullable LocalDateTime getTimestamp(int column) {
        return timestamps(column) ? CellValues.timestamp(cell(column)) : null;
    }

    /** Those with time zone are read in UTC. */
    private boolean timestamps(int column) {
        checkCell(column);
        boolean isTimestamp = shape.kind(column) == TypeKind.TIMESTAMP || shape.kind(column) == TypeKind.TIMESTAMP_TZ;
        requireKind(column, isTimestamp, "a timestamp");
        return !isNullCell(column);
    }

    /** False for null. */
    private boolean temporal(int column, TypeKind kind, String wanted) {
        checkCell(column);
        requireKind(column, shape.kind(column) == kind, wanted);
        return !isNullCell(column);
    }

    @Override
    public @Nullable UUID getUuid(int column) {
        return temporal(column, TypeKind.UUID, "a UUID") ? new UUID(wideHigh(column), wideLow(column)) : null;
    }

    @Override
    public @Nullable Object getObject(int column) {
        checkCell(column);
        if (isNullCell(column)) {
            return null;
        }
        return switch (shape.kind(column)) {
            case BOOLEAN -> cell(column) != 0;
            case TINYINT, SMALLINT, INTEGER, BIGINT -> cell(column);
            case DECIMAL -> getDecimal(column);
            case REAL, DOUBLE -> Double.longBitsToDouble(cell(column));
            case CHAR, VARCHAR, JSON, JSONB, ENUM -> characters(column);
            case VARBINARY -> getBytes(column);
            case DATE -> CellValues.date(cell(column));
            case TIME -> CellValues.time(cell(column));
            case TIMESTAMP -> CellValues.timestamp(cell(column));
            case TIMESTAMP_TZ -> ZonedTime.instant(cell(column));
            case UUID -> new UUID(wideHigh(column), wideLow(column));
            case INTERVAL -> Interval.ofBits(wideHigh(column), wideLow(column)).toString();
            case ARRAY -> arrayText(column);
            case NUMERIC -> numeric(column).toString();
        };
    }

    private Numeric numeric(int column) {
        int offset = bytesOffset(column);
        return NumericBytes.value(writer.array(), offset, offset + bytesLength(column));
    }

    /** An array is its text to procedures. */
    private String arrayText(int column) {
        byte[] array = getBytes(column);
        if (array == null) {
            throw Invariants.breach("a cell that is not null has a value");
        }
        ColumnType type = shape.columns().get(column).type();
        return ArrayTexts.text(array, type.element(), ZoneOffset.UTC);
    }

    /** The current row's cell as it is held: storage LONG, or the bits of a DOUBLE. */
    long cell(int column) {
        return LittleEndian.getLong(writer.array(), rowStart + shape.cellOffset(column));
    }

    long wideHigh(int column) {
        return cell(column);
    }

    long wideLow(int column) {
        return LittleEndian.getLong(writer.array(), rowStart + shape.cellOffset(column) + Long.BYTES);
    }

    /** The place in the block at which the bytes of the current row's cell start. */
    int bytesOffset(int column) {
        return rowStart + LittleEndian.getInt(writer.array(), rowStart + bytesCell(column));
    }

    int bytesLength(int column) {
        return LittleEndian.getInt(writer.array(), rowStart + bytesCell(column) + Integer.BYTES);
    }

    /** The offset of what says where the cell's bytes lie: behind the code of an ENUM. */
    private int bytesCell(int column) {
        return shape.cellOffset(column) + (shape.kind(column) == TypeKind.ENUM ? Long.BYTES : 0);
    }

    byte[] array() {
        return writer.array();
    }

    private void checkCell(int column) {
        if (row < 0) {
            throw new IllegalStateException("the cursor stands before the first row; call next() or first() first");
        }
        if (column < 0 || column >= shape.columnCount()) {
            throw new IndexOutOfBoundsException(
                    "column " + column + " of a result of " + shape.columnCount() + " columns");
        }
        state.checkOpen();
    }

    private void requireKind(int column, boolean condition, String wanted) {
        if (!condition) {
            throw wrongKind(column, wanted);
        }
    }

    private FulmarException wrongKind(int column, String wanted) {
        return new FulmarException(
                ErrorCode.TYPE_MISMATCH,
                "column " + columnName(column) + " is a "
                        + shape.columns().get(column).type() + ", not " + wanted + "; read it as what it is");
    }
}
