package dev.fulmar.foundation.data;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Arrays;

/**
 * Converts a NUMERIC to the bytes that rows, results and images have of it, and back. The first byte tells what it is.
 * A number other than 0 has three bytes of its size then, and its digits, two in a byte. The last two bytes are the
 * number of digits behind the point.
 *
 * <p>Invariant: without these last two bytes, equal values have equal bytes, and the order of values is that of their
 * bytes without sign. No value's bytes are the start of those of another.
 */
public final class NumericBytes {
    /** The bytes at the end that tell the digits behind the point, and no value. */
    public static final int SCALE_BYTES = 2;

    private static final int NEGATIVE_INFINITY = 1;
    private static final int NEGATIVE = 2;
    private static final int ZERO = 3;
    private static final int POSITIVE = 4;
    private static final int INFINITY = 5;
    private static final int NAN = 6;

    private static final int SIZE_BYTES = 3;
    private static final int MIDDLE = 0x80_0000;
    private static final int LONG_PAIRS = 9;
    private static final int HUNDRED = 100;

    private NumericBytes() {}

    /** The bytes of the value. */
    public static byte[] of(Numeric value) {
        return switch (value.kind()) {
            case NEGATIVE_INFINITY -> new byte[] {NEGATIVE_INFINITY, 0, 0};
            case INFINITY -> new byte[] {INFINITY, 0, 0};
            case NAN -> new byte[] {NAN, 0, 0};
            case NUMBER -> ofNumber(value.number());
        };
    }

    private static byte[] ofNumber(BigDecimal number) {
        int scale = number.scale();
        if (number.signum() == 0) {
            return new byte[] {ZERO, (byte) (scale >> 8), (byte) scale};
        }
        String digits = number.unscaledValue().abs().toString();
        int whole = digits.length() - scale;
        int last = digits.length();
        while (digits.charAt(last - 1) == '0') {
            last--;
        }
        int lead = whole & 1; // a zero that makes the digits before the point even
        int pairs = (last + lead + 1) / 2;
        byte[] bytes = new byte[1 + SIZE_BYTES + pairs + 1 + SCALE_BYTES];
        int size = MIDDLE + Math.floorDiv(whole + 1, 2);
        bytes[0] = POSITIVE;
        bytes[1] = (byte) (size >> 16);
        bytes[2] = (byte) (size >> 8);
        bytes[3] = (byte) size;
        for (int i = 0; i < pairs; i++) {
            int first = 2 * i - lead;
            int ten = first < 0 ? 0 : digits.charAt(first) - '0';
            int one = first + 1 < last ? digits.charAt(first + 1) - '0' : 0;
            bytes[1 + SIZE_BYTES + i] = (byte) (10 * ten + one + 1);
        }
        if (number.signum() < 0) {
            bytes[0] = NEGATIVE;
            for (int i = 1; i < bytes.length - SCALE_BYTES; i++) {
                bytes[i] = (byte) ~bytes[i];
            }
        }
        bytes[bytes.length - 2] = (byte) (scale >> 8);
        bytes[bytes.length - 1] = (byte) scale;
        return bytes;
    }

    /** The value of the bytes. */
    public static Numeric value(byte[] bytes) {
        return value(bytes, 0, bytes.length);
    }

    public static Numeric value(byte[] bytes, int from, int to) {
        if (to - from < 1 + SCALE_BYTES) {
            throw corrupt();
        }
        int scale = ((bytes[to - 2] & 0xFF) << 8) | (bytes[to - 1] & 0xFF);
        return switch (bytes[from]) {
            case NEGATIVE_INFINITY -> Numeric.NEGATIVE_INFINITY;
            case ZERO -> new Numeric(Numeric.Kind.NUMBER, BigDecimal.ZERO.setScale(scale));
            case INFINITY -> Numeric.INFINITY;
            case NAN -> Numeric.NAN;
            case POSITIVE -> number(bytes, from, to - SCALE_BYTES, scale, 0);
            case NEGATIVE -> number(bytes, from, to - SCALE_BYTES, scale, 0xFF);
            default -> throw corrupt();
        };
    }

    /** @param flip what the bytes of a negative number are changed by */
    private static Numeric number(byte[] bytes, int from, int end, int scale, int flip) {
        int first = from + 1 + SIZE_BYTES;
        int pairs = end - 1 - first;
        if (pairs < 1 || ((bytes[end - 1] ^ flip) & 0xFF) != 0) {
            throw corrupt();
        }
        int size = (((bytes[from + 1] ^ flip) & 0xFF) << 16)
                | (((bytes[from + 2] ^ flip) & 0xFF) << 8)
                | ((bytes[from + 3] ^ flip) & 0xFF);
        byte[] digits = Arrays.copyOfRange(bytes, first, end - 1);
        for (int i = 0; i < digits.length; i++) {
            digits[i] = (byte) (((digits[i] ^ flip) & 0xFF) - 1);
            if (digits[i] < 0 || digits[i] >= HUNDRED) {
                throw corrupt();
            }
        }
        BigInteger unscaled = integer(digits, 0, digits.length);
        BigDecimal number = new BigDecimal(flip == 0 ? unscaled : unscaled.negate(), 2 * (pairs - size + MIDDLE));
        return new Numeric(Numeric.Kind.NUMBER, number.setScale(scale));
    }

    /** The number of pairs of digits; halves of many are put together, for one by one would take long. */
    private static BigInteger integer(byte[] pairs, int from, int to) {
        if (to - from <= LONG_PAIRS) {
            long value = 0;
            for (int i = from; i < to; i++) {
                value = HUNDRED * value + pairs[i];
            }
            return BigInteger.valueOf(value);
        }
        int middle = (from + to) >>> 1;
        return integer(pairs, from, middle)
                .multiply(BigInteger.valueOf(HUNDRED).pow(to - middle))
                .add(integer(pairs, middle, to));
    }

    private static FulmarException corrupt() {
        return new FulmarException(ErrorCode.CORRUPTION, "the bytes of a numeric are none; please report this");
    }
}
