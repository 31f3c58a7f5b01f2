package dev.fulmar.engine.procedure;

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
    UUID
}
