package dev.fulmar.engine.procedure;

import dev.fulmar.foundation.data.ColumnType;

/** Types that a procedure's parameters can have; each but the primitive ones accepts null. */
public enum JavaKind {
    BOOLEAN,
    BYTE,
    SHORT,
    INT,
    LONG,
    FLOAT,
    DOUBLE,
    STRING,
    BYTES,
    DECIMAL,
    DATE,
    TIME,
    TIMESTAMP,
    INSTANT,
    UUID;

    /** The kind of parameters and results of the type that no code in Java takes; instants are in UTC. */
    public static JavaKind of(ColumnType type) {
        return switch (type.kind()) {
            case BOOLEAN -> BOOLEAN;
            case TINYINT, SMALLINT, INTEGER, BIGINT -> LONG;
            case DECIMAL -> DECIMAL;
            case REAL, DOUBLE -> DOUBLE;
            case CHAR, VARCHAR, JSON, JSONB, INTERVAL, ARRAY, ENUM, NUMERIC -> STRING;
            case VARBINARY -> BYTES;
            case DATE -> DATE;
            case TIME -> TIME;
            case TIMESTAMP, TIMESTAMP_TZ -> TIMESTAMP;
            case UUID -> UUID;
        };
    }
}
