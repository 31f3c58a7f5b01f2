package dev.fulmar.engine.execution.value;

import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;

/** Which longs are values of a type that is held as a long. */
public final class ValueRange {
    private ValueRange() {}

    public static long minimum(TypeKind kind) {
        return switch (kind) {
            case TINYINT -> Byte.MIN_VALUE;
            case SMALLINT -> Short.MIN_VALUE;
            case INTEGER -> Integer.MIN_VALUE;
            case DATE -> Temporals.MIN_DAY;
            case TIMESTAMP -> Temporals.MIN_TIMESTAMP;
            case BOOLEAN, TIME -> 0;
            case BIGINT, DECIMAL, REAL, DOUBLE, CHAR, VARCHAR, VARBINARY, UUID -> Long.MIN_VALUE;
        };
    }

    public static long maximum(TypeKind kind) {
        return switch (kind) {
            case BOOLEAN -> 1;
            case TINYINT -> Byte.MAX_VALUE;
            case SMALLINT -> Short.MAX_VALUE;
            case INTEGER -> Integer.MAX_VALUE;
            case DATE -> Temporals.MAX_DAY;
            case TIME -> Temporals.MICROS_PER_DAY - 1;
            case TIMESTAMP -> Temporals.MAX_TIMESTAMP;
            case BIGINT, DECIMAL, REAL, DOUBLE, CHAR, VARCHAR, VARBINARY, UUID -> Long.MAX_VALUE;
        };
    }

    /** The error for a number that the type cannot hold. */
    public static FulmarException outOfRange(String value, ColumnType type) {
        return new FulmarException(
                ErrorCode.VALUE_OUT_OF_RANGE,
                value + " does not fit in " + type + "; use a wider type or another value");
    }
}
