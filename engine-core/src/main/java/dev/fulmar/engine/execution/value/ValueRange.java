package dev.fulmar.engine.execution.value;

import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.InfiniteTime;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.math.BigDecimal;

/** The range of longs that are values of a type which is held as a long. The infinities of dates lie outside of it. */
public final class ValueRange {
    private ValueRange() {}

    public static long minimum(TypeKind kind) {
        return switch (kind) {
            case TINYINT -> Byte.MIN_VALUE;
            case SMALLINT -> Short.MIN_VALUE;
            case INTEGER -> Integer.MIN_VALUE;
            case DATE -> Temporals.MIN_DAY;
            case TIMESTAMP, TIMESTAMP_TZ -> Temporals.MIN_TIMESTAMP;
            case BOOLEAN, TIME -> 0;
            case BIGINT,
                    DECIMAL,
                    REAL,
                    DOUBLE,
                    CHAR,
                    VARCHAR,
                    VARBINARY,
                    UUID,
                    JSON,
                    JSONB,
                    INTERVAL,
                    ARRAY,
                    ENUM,
                    NUMERIC -> Long.MIN_VALUE;
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
            case TIMESTAMP, TIMESTAMP_TZ -> Temporals.MAX_TIMESTAMP;
            case BIGINT,
                    DECIMAL,
                    REAL,
                    DOUBLE,
                    CHAR,
                    VARCHAR,
                    VARBINARY,
                    UUID,
                    JSON,
                    JSONB,
                    INTERVAL,
                    ARRAY,
                    ENUM,
                    NUMERIC -> Long.MAX_VALUE;
        };
    }

    /** Whether the long is a value of the type: in its range, or an infinity of a date or timestamp. */
    public static boolean has(long value, TypeKind kind) {
        return (value >= minimum(kind) && value <= maximum(kind)) || InfiniteTime.is(value, kind);
    }

    /** The error for a value that the type cannot hold. */
    public static FulmarException outOfRange(String value, ColumnType type) {
        return switch (type.kind()) {
            case DATE, TIMESTAMP, TIMESTAMP_TZ ->
                new FulmarException(
                        ErrorCode.DATETIME_OUT_OF_RANGE, value + " is no " + type + "; years go from 0001 to 9999");
            case TIME ->
                new FulmarException(
                        ErrorCode.DATETIME_OUT_OF_RANGE,
                        value + " is no " + type + "; times go from 00:00:00 to 23:59:59.999999");
            case BOOLEAN ->
                new FulmarException(ErrorCode.VALUE_OUT_OF_RANGE, value + " is no BOOLEAN; 0 is FALSE and 1 is TRUE");
            case TINYINT,
                    SMALLINT,
                    INTEGER,
                    BIGINT,
                    DECIMAL,
                    REAL,
                    DOUBLE,
                    CHAR,
                    VARCHAR,
                    VARBINARY,
                    UUID,
                    JSON,
                    JSONB,
                    INTERVAL,
                    ARRAY,
                    ENUM,
                    NUMERIC ->
                new FulmarException(
                        ErrorCode.VALUE_OUT_OF_RANGE,
                        value + " does not fit in " + type + "; use a wider type or another value");
        };
    }

    /** The same of a value in the form in which the type is held. */
    public static FulmarException outOfRange(long value, ColumnType type) {
        return outOfRange(shown(value, type), type);
    }

    /** The value as SQL writes it, even where it lies beyond the type: days as a date, unscaled values as decimals. */
    public static String shown(long value, ColumnType type) {
        return switch (type.kind()) {
            case DATE -> Temporals.shownDate(value, "");
            case TIME -> Temporals.shownTime(value);
            case TIMESTAMP, TIMESTAMP_TZ ->
                Temporals.shownDate(Temporals.dayOf(value), " " + Temporals.formatTime(Temporals.timeOf(value)));
            case DECIMAL -> BigDecimal.valueOf(value, type.scale()).toPlainString();
            case ENUM ->
                type.enumeration() == null
                        ? Long.toString(value)
                        : type.labels().text(value);
            case BOOLEAN,
                    TINYINT,
                    SMALLINT,
                    INTEGER,
                    BIGINT,
                    REAL,
                    DOUBLE,
                    CHAR,
                    VARCHAR,
                    VARBINARY,
                    UUID,
                    JSON,
                    JSONB,
                    INTERVAL,
                    ARRAY,
                    NUMERIC -> Long.toString(value);
        };
    }
}
