package dev.fulmar.wire.postgres.type;

import dev.fulmar.foundation.data.ArrayValues;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.Interval;
import dev.fulmar.foundation.data.ResultBlock;
import dev.fulmar.foundation.data.ResultColumn;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.wire.postgres.codec.RowWriter;
import dev.fulmar.wire.postgres.message.ValueFormat;
import dev.fulmar.wire.postgres.message.ValueFormats;
import io.netty.buffer.ByteBuf;
import java.time.ZoneId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writer of the rows of result blocks as messages. It makes no object for a row or a value but for decimals of more
 * than 18 digits, for floating point and intervals as text, and for the elements of arrays. One for the rows of one
 * portal, used by one thread at a time.
 */
public final class ResultRowWriter {
    private final RowWriter rows = new RowWriter();
    private final PostgresType[] types;
    private final ColumnType[] columnTypes;
    private final boolean[] isBinary;
    private final OutputStyle style;

    /** A writer in the usual style, with instants in the zone. */
    public ResultRowWriter(List<ResultColumn> columns, ValueFormats formats, ZoneId zone) {
        this(columns, formats, OutputStyle.ofZone(zone));
    }

    /**
     * Makes a writer for the rows of a result.
     *
     * @param formats none, one for all, or one for each column
     * @param style of texts
     */
    public ResultRowWriter(List<ResultColumn> columns, ValueFormats formats, OutputStyle style) {
        this.style = style;
        formats.checkedFor(columns.size(), "columns");
        types = new PostgresType[columns.size()];
        columnTypes = new ColumnType[columns.size()];
        isBinary = new boolean[columns.size()];
        for (int i = 0; i < types.length; i++) {
            columnTypes[i] = columns.get(i).type();
            types[i] = PostgresType.of(columnTypes[i]);
            isBinary[i] = formats.at(i) == ValueFormat.BINARY;
        }
    }

    /** Appends the block's current row; if that fails, nothing. */
    public void write(ByteBuf out, ResultBlock block) {
        rows.begin(out, types.length);
        boolean isComplete = false;
        try {
            for (int column = 0; column < types.length; column++) {
                if (block.isNull(column)) {
                    rows.addNull();
                } else {
                    writeValue(rows.beginValue(), block, column);
                    rows.endValue();
                }
            }
            rows.end();
            isComplete = true;
        } finally {
            if (!isComplete) {
                rows.discard();
            }
        }
    }

    /** Appends a value of the block's current row by itself, which is not NULL. */
    public void writeValue(ByteBuf out, ResultBlock block, int column) {
        if (isBinary[column]) {
            writeBinary(out, block, column);
        } else {
            writeText(out, block, column);
        }
    }

    private void writeText(ByteBuf out, ResultBlock block, int column) {
        switch (columnTypes[column].kind()) {
            case BOOLEAN -> BooleanForm.writeText(out, block.getUnscaled(column) != 0);
            case TINYINT, SMALLINT, INTEGER, BIGINT -> IntegerForm.writeText(out, block.getUnscaled(column));
            case DECIMAL -> {
                int scale = columnTypes[column].scale();
                if (isWide(column)) {
                    NumericForm.writeText(out, block.getHigh(column), block.getLow(column), scale);
                } else {
                    NumericForm.writeText(out, block.getUnscaled(column), scale);
                }
            }
            case NUMERIC -> FloatForm.writeAscii(out, block.numeric(column).toString());
            case REAL -> FloatForm.writeText(out, block.getFloat(column));
            case DOUBLE -> FloatForm.writeText(out, block.getDouble(column));
            case VARBINARY -> writeBytes(out, block, column);
            case DATE -> DatetimeForm.writeDate(out, DatetimeForm.ofCellDay(block.getUnscaled(column)));
            case TIME -> DatetimeForm.writeTime(out, block.getUnscaled(column));
            case TIMESTAMP -> DatetimeForm.writeTimestamp(out, DatetimeForm.ofCellMicros(block.getUnscaled(column)));
            case TIMESTAMP_TZ ->
                DatetimeForm.writeTimestampTz(out, DatetimeForm.ofCellMicros(block.getUnscaled(column)), style.zone());
            case UUID -> UuidForm.writeText(out, block.getHigh(column), block.getLow(column));
            case INTERVAL ->
                IntervalForm.writeText(
                        out, Interval.ofBits(block.getHigh(column), block.getLow(column)), style.intervals());
            case CHAR, VARCHAR, JSON, JSONB, ENUM -> writeCharacters(out, block, column);
            case ARRAY -> ArrayForm.writeText(out, types[column], elements(block, column), style.zone());
        }
    }

    private void writeBytes(ByteBuf out, ResultBlock block, int column) {
        if (style.areBytesEscaped()) {
            ByteaForm.writeEscaped(out, block.array(), block.bytesOffset(column), block.bytesLength(column));
        } else {
            ByteaForm.writeText(out, block.array(), block.bytesOffset(column), block.bytesLength(column));
        }
    }

    private List<@Nullable Object> elements(ResultBlock block, int column) {
        int offset = block.bytesOffset(column);
        return ArrayValues.list(
                block.array(), offset, offset + block.bytesLength(column), columnTypes[column].element());
    }

    private void writeBinary(ByteBuf out, ResultBlock block, int column) {
        switch (columnTypes[column].kind()) {
            case BOOLEAN -> BooleanForm.writeBinary(out, block.getUnscaled(column) != 0);
            case TINYINT, SMALLINT, INTEGER, BIGINT ->
                IntegerForm.writeBinary(out, types[column], block.getUnscaled(column));
            case DECIMAL -> {
                int scale = columnTypes[column].scale();
                if (isWide(column)) {
                    NumericBinaryForm.write(out, block.getHigh(column), block.getLow(column), scale);
                } else {
                    NumericBinaryForm.write(out, block.getUnscaled(column), scale);
                }
            }
            case NUMERIC -> NumericBinaryForm.write(out, NumericValue.of(block.numeric(column)));
            case REAL -> FloatForm.writeBinary(out, block.getFloat(column));
            case DOUBLE -> FloatForm.writeBinary(out, block.getDouble(column));
            case VARBINARY -> out.writeBytes(block.array(), block.bytesOffset(column), block.bytesLength(column));
            case DATE -> DatetimeForm.writeBinaryDate(out, DatetimeForm.ofCellDay(block.getUnscaled(column)));
            case TIME -> DatetimeForm.writeBinaryTime(out, block.getUnscaled(column));
            case TIMESTAMP, TIMESTAMP_TZ ->
                DatetimeForm.writeBinaryTimestamp(out, DatetimeForm.ofCellMicros(block.getUnscaled(column)));
            case UUID -> UuidForm.writeBinary(out, block.getHigh(column), block.getLow(column));
            case INTERVAL -> {
                long high = block.getHigh(column);
                IntervalForm.writeBinary(out, Interval.months(high), Interval.days(high), block.getLow(column));
            }
            case CHAR, VARCHAR, JSON, ENUM -> writeCharacters(out, block, column);
            case ARRAY -> ArrayForm.writeBinary(out, types[column], elements(block, column), style.zone());
            case JSONB -> {
                out.writeByte(ValueForm.JSONB_VERSION);
                writeCharacters(out, block, column);
            }
        }
    }

    private void writeCharacters(ByteBuf out, ResultBlock block, int column) {
        int offset = block.bytesOffset(column);
        int length = block.bytesLength(column);
        if (columnTypes[column].kind() == TypeKind.CHAR) {
            CharacterForm.writePadded(out, block.array(), offset, length, columnTypes[column].precision());
        } else {
            out.writeBytes(block.array(), offset, length);
        }
    }

    private boolean isWide(int column) {
        return columnTypes[column].storage() == TypeKind.Storage.WIDE;
    }
}
