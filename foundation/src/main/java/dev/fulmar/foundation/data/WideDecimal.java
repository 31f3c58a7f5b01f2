package dev.fulmar.foundation.data;

import java.math.BigDecimal;
import java.math.BigInteger;

/**
 * Converts unscaled decimals of 128 bits between two longs, as result blocks hold them, and {@link BigDecimal} or
 * {@link BigInteger}. The high long comes first; the two are in two's complement.
 */
public final class WideDecimal {
    private WideDecimal() {}

    /** The value of the two longs with the scale. */
    public static BigDecimal toBigDecimal(long high, long low, int scale) {
        return fitsLong(high, low) ? BigDecimal.valueOf(low, scale) : new BigDecimal(toBigInteger(high, low), scale);
    }

    /** The two longs as one number. */
    public static BigInteger toBigInteger(long high, long low) {
        byte[] bytes = new byte[2 * Long.BYTES];
        for (int i = 0; i < Long.BYTES; i++) {
            bytes[i] = (byte) (high >> (56 - 8 * i));
            bytes[Long.BYTES + i] = (byte) (low >> (56 - 8 * i));
        }
        return new BigInteger(bytes);
    }

    /** Whether the low half alone is the value. */
    public static boolean fitsLong(long high, long low) {
        return high == low >> 63;
    }

    /** The high half of a value of at most 127 bits and a sign. */
    public static long high(BigInteger unscaled) {
        return unscaled.shiftRight(Long.SIZE).longValue();
    }

    /** The low half. */
    public static long low(BigInteger unscaled) {
        return unscaled.longValue();
    }
}
