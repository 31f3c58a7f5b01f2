package dev.fulmar.foundation.data;

/** How a value of a parameter list is written after its tag byte. Numbers are never reused. */
public enum ParameterTag {
    /** No value. */
    NULL(0),
    /** One byte, 0 or 1. */
    BOOLEAN(1),
    /** Any integer: eight bytes. */
    LONG(2),
    /** Eight bytes. */
    DOUBLE(3),
    /** {@code byte scale, byte length}, then the unscaled value as big-endian two's complement. */
    DECIMAL(4),
    /** {@code int length}, UTF-8. */
    STRING(5),
    /** {@code int length}, bytes. */
    BYTES(6),
    /** Days since 1970-01-01 as a long. */
    DATE(7),
    /** Microseconds since midnight as a long. */
    TIME(8),
    /** Microseconds since the epoch as a long. */
    TIMESTAMP(9),
    /** Two longs, high first. */
    UUID(10),
    /** {@code byte elementTag, int count}, then the values without tags; elements cannot be null or arrays. */
    ARRAY(11);

    private final int number;

    ParameterTag(int number) {
        this.number = number;
    }

    public int number() {
        return number;
    }
}
