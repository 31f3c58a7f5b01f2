package dev.fulmar.engine.row;

import dev.fulmar.foundation.data.ColumnType;

/** Form of a column's cell in a slot. */
public enum CellKind {
    /** BOOLEAN (0 or 1), TINYINT. */
    BYTE(1),
    SHORT(2),
    /** INTEGER, DATE. */
    INT(4),
    /** BIGINT, TIME, TIMESTAMP with or without time zone, DECIMAL of up to 18 digits. */
    LONG(8),
    /** REAL. */
    FLOAT(4),
    DOUBLE(8),
    /** Two longs, high first: UUID, INTERVAL, longer DECIMAL. */
    WIDE(16),
    /** {@code int offset, int length} into the row's block. */
    BYTES(8);

    static final int WIDEST = 16;

    private final int bytes;

    CellKind(int bytes) {
        this.bytes = bytes;
    }

    /** Width of the cell. */
    public int bytes() {
        return bytes;
    }

    /** Whether {@link RowLayout#getLong} reads it. */
    public boolean isLong() {
        return switch (this) {
            case BYTE, SHORT, INT, LONG -> true;
            case FLOAT, DOUBLE, WIDE, BYTES -> false;
        };
    }

    /** The kind of cell in which a column of the type is kept. */
    public static CellKind of(ColumnType type) {
        return switch (type.kind()) {
            case BOOLEAN, TINYINT -> BYTE;
            case SMALLINT -> SHORT;
            case INTEGER, DATE -> INT;
            case BIGINT, TIME, TIMESTAMP, TIMESTAMP_TZ, ENUM -> LONG;
            case DECIMAL -> type.precision() > ColumnType.LONG_DIGITS ? WIDE : LONG;
            case REAL -> FLOAT;
            case DOUBLE -> DOUBLE;
            case CHAR, VARCHAR, VARBINARY, JSON, JSONB, ARRAY, NUMERIC -> BYTES;
            case UUID, INTERVAL -> WIDE;
        };
    }
}
