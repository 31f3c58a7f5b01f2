package dev.fulmar.foundation.data;

import org.jspecify.annotations.Nullable;

/** Tags of a parameter list's values, which say how a value is written after its tag byte. Numbers are never reused. */
public enum ParameterTag {
    /** No value. */
    NULL(0, 0),
    /** One byte, 0 or 1. */
    BOOLEAN(1, 1),
    /** Any integer: eight bytes. */
    LONG(2, 8),
    /** Eight bytes. */
    DOUBLE(3, 8),
    /** {@code byte scale (0 to 38), byte length (1 to 16)}, then the unscaled value as big-endian two's complement. */
    DECIMAL(4, ParameterTag.VARIABLE),
    /** {@code int length}, UTF-8. */
    STRING(5, ParameterTag.VARIABLE),
    /** {@code int length}, bytes. */
    BYTES(6, ParameterTag.VARIABLE),
    /** Days since 1970-01-01 as a long. */
    DATE(7, 8),
    /** Microseconds since midnight as a long. */
    TIME(8, 8),
    /** Microseconds since the epoch as a long. */
    TIMESTAMP(9, 8),
    /** Two longs, high first. */
    UUID(10, 16),
    /** {@code byte elementTag, int count}, then the values without tags; elements cannot be null or arrays. */
    ARRAY(11, ParameterTag.VARIABLE);

    private static final int VARIABLE = -1;

    private static final ParameterTag[] BY_NUMBER = values();

    private final int number;
    private final int fixedBytes;

    ParameterTag(int number, int fixedBytes) {
        this.number = number;
        this.fixedBytes = fixedBytes;
    }

    public int number() {
        return number;
    }

    /** Whether every value has the same length. */
    boolean isFixed() {
        return fixedBytes != VARIABLE;
    }

    /** Bytes of a value; -1 if they vary. */
    int fixedBytes() {
        return fixedBytes;
    }

    /** The tag with the number, or null for an unknown one. */
    static @Nullable ParameterTag ofNumberOrNull(int number) {
        return number >= 0 && number < BY_NUMBER.length ? BY_NUMBER[number] : null;
    }
}
