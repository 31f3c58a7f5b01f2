package dev.fulmar.engine.index;

import dev.fulmar.engine.catalog.IndexColumn;
import dev.fulmar.engine.memory.OffHeap;
import dev.fulmar.engine.row.CellKind;
import dev.fulmar.engine.row.RowLayout;
import dev.fulmar.foundation.data.CellValues;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.InfiniteTime;
import dev.fulmar.foundation.data.Interval;
import dev.fulmar.foundation.data.NumericBytes;
import dev.fulmar.foundation.data.ZonedTime;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.HexFormat;
import java.util.StringJoiner;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Words for a key in an error message. */
final class KeyDescription {
    private static final int MOST_BYTES = 64;
    private static final int NANOS_PER_MICRO = 1_000;

    private KeyDescription() {}

    static String of(KeyFormat format, long row) {
        StringJoiner text = new StringJoiner(", ", "(", ")");
        RowLayout layout = format.layout();
        for (int i = 0; i < format.keyColumns(); i++) {
            IndexColumn key = format.index().columns().get(i);
            text.add(
                    key.isComputed()
                            ? key.text(layout.table()) + " of " + operands(key, layout, row)
                            : column(layout, row, key.column()));
        }
        return text.toString();
    }

    private static String column(RowLayout layout, long row, int column) {
        return layout.table().columns().get(column).name() + " = " + value(layout, row, column);
    }

    /** The columns that the key is computed from, with their values. */
    private static String operands(IndexColumn key, RowLayout layout, long row) {
        return IntStream.range(0, layout.columnCount())
                .filter(column -> key.expression().orElseThrow().reads(column))
                .mapToObj(column -> column(layout, row, column))
                .collect(Collectors.joining(", "));
    }

    private static String value(RowLayout layout, long row, int column) {
        if (RowLayout.isNull(row, column)) {
            return "NULL";
        }
        ColumnType type = layout.type(column);
        return switch (type.kind()) {
            case BOOLEAN -> layout.getLong(row, column) != 0 ? "TRUE" : "FALSE";
            case TINYINT, SMALLINT, INTEGER, BIGINT -> Long.toString(layout.getLong(row, column));
            case DECIMAL -> new BigDecimal(unscaled(layout, row, column), type.scale()).toPlainString();
            case REAL, DOUBLE -> Double.toString(layout.getDouble(row, column));
            case CHAR, VARCHAR, JSON, JSONB ->
                "'" + new String(bytes(layout, row, column), StandardCharsets.UTF_8) + "'";
            case ENUM -> "'" + type.labels().text(layout.getLong(row, column)) + "'";
            case NUMERIC -> NumericBytes.value(bytes(layout, row, column)).toString();
            case VARBINARY, ARRAY -> "x'" + HexFormat.of().formatHex(bytes(layout, row, column)) + "'";
            case DATE -> date(layout.getLong(row, column));
            case TIME ->
                LocalTime.ofNanoOfDay(layout.getLong(row, column) * NANOS_PER_MICRO)
                        .toString();
            case TIMESTAMP -> timestamp(layout.getLong(row, column));
            case TIMESTAMP_TZ -> ZonedTime.text(layout.getLong(row, column), ZoneOffset.UTC);
            case UUID -> new UUID(layout.wideHigh(row, column), layout.wideLow(row, column)).toString();
            case INTERVAL ->
                Interval.ofBits(layout.wideHigh(row, column), layout.wideLow(row, column))
                        .toString();
        };
    }

    private static BigInteger unscaled(RowLayout layout, long row, int column) {
        if (layout.kind(column) == CellKind.LONG) {
            return BigInteger.valueOf(layout.getLong(row, column));
        }
        BigInteger low = new BigInteger(Long.toUnsignedString(layout.wideLow(row, column)));
        return BigInteger.valueOf(layout.wideHigh(row, column))
                .shiftLeft(Long.SIZE)
                .add(low);
    }

    private static String date(long day) {
        return InfiniteTime.isDay(day)
                ? InfiniteTime.text(day)
                : LocalDate.ofEpochDay(day).toString();
    }

    private static String timestamp(long micros) {
        return InfiniteTime.isMoment(micros)
                ? InfiniteTime.text(micros)
                : CellValues.timestamp(micros).toString();
    }

    private static byte[] bytes(RowLayout layout, long row, int column) {
        byte[] bytes = new byte[Math.min(MOST_BYTES, layout.bytesLength(row, column))];
        OffHeap.copy(layout.bytesAddress(row, column), bytes, 0, bytes.length);
        return bytes;
    }
}
