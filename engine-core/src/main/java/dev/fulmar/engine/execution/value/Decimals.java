package dev.fulmar.engine.execution.value;

import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;

/**
 * Exact decimal arithmetic on unscaled values: longs as far as they reach, then 128 bits, then BigInteger. Rounds half
 * away from zero.
 */
public final class Decimals {
    /** A number of more digits is not written out in messages. */
    private static final int MOST_SHOWN_DIGITS = 80;

    private static final long[] LONG_POWERS = new long[19];
    private static final BigInteger[] POWERS = new BigInteger[80];
    private static final long[] LIMIT_HIGH = new long[39];
    private static final long[] LIMIT_LOW = new long[39];

    static {
        BigInteger power = BigInteger.ONE;
        for (int i = 0; i < POWERS.length; i++) {
            POWERS[i] = power;
            if (i < LONG_POWERS.length) {
                LONG_POWERS[i] = power.longValue();
            }
            if (i < LIMIT_HIGH.length) {
                LIMIT_HIGH[i] = power.shiftRight(64).longValue();
                LIMIT_LOW[i] = power.longValue();
            }
            power = power.multiply(BigInteger.TEN);
        }
    }

    private Decimals() {}

    /** 10 to the exponent, which is at most 18. */
    public static long power(int exponent) {
        return LONG_POWERS[exponent];
    }

    /** 10 to the exponent. */
    public static BigInteger bigPower(int exponent) {
        return exponent < POWERS.length ? POWERS[exponent] : BigInteger.TEN.pow(exponent);
    }

    /** The unscaled long with another scale, checked against the digits of the type. */
    public static long rescale(long unscaled, int fromScale, ColumnType type) {
        int shift = type.scale() - fromScale;
        long result = unscaled;
        if (shift > 0) {
            if (shift > 18
                    || Math.multiplyHigh(unscaled, LONG_POWERS[shift]) != (unscaled * LONG_POWERS[shift]) >> 63) {
                if (unscaled == 0) {
                    return 0;
                }
                throw outOfRange(BigDecimal.valueOf(unscaled, fromScale), type);
            }
            result = unscaled * LONG_POWERS[shift];
        } else if (shift < 0) {
            result = -shift > 18 ? 0 : divideRounded(unscaled, LONG_POWERS[-shift]);
        }
        return checked(result, type);
    }

    /** The value if the type has digits enough for it. */
    public static long checked(long unscaled, ColumnType type) {
        int precision = type.precision();
        if (precision <= ColumnType.LONG_DIGITS) {
            long limit = LONG_POWERS[precision];
            if (unscaled >= limit || unscaled <= -limit) {
                throw outOfRange(BigDecimal.valueOf(unscaled, type.scale()), type);
            }
        }
        return unscaled;
    }

    /** Rescales in place and checks against the digits of the type. */
    public static void rescale(WideValue value, int fromScale, ColumnType type) {
        int shift = type.scale() - fromScale;
        if (shift > 0) {
            if (shift <= 18 && value.fitsLong()) {
                value.setProduct(value.low(), LONG_POWERS[shift]);
            } else {
                value.set(value.toBigInteger().multiply(bigPower(shift)));
            }
        } else if (shift < 0) {
            if (value.fitsLong()) {
                value.set(-shift > 18 ? 0 : divideRounded(value.low(), LONG_POWERS[-shift]));
            } else {
                value.set(divideRounded(value.toBigInteger(), bigPower(-shift)));
            }
        }
        check(value, type);
    }

    /** Fails unless the type has digits enough for the value. */
    public static void check(WideValue value, ColumnType type) {
        int precision = type.precision();
        long high = value.high();
        long low = value.low();
        if (high < 0) {
            low = -low;
            high = low == 0 ? -high : ~high;
        }
        if (high < 0 || WideValue.compare(high, low, LIMIT_HIGH[precision], LIMIT_LOW[precision]) >= 0) {
            throw outOfRange(new BigDecimal(value.toBigInteger(), type.scale()), type);
        }
    }

    /** The unscaled value of an exact number in the type. */
    public static BigInteger unscaled(BigDecimal value, ColumnType type) {
        if (value.precision() - (long) value.scale() > ColumnType.MAX_DECIMAL_DIGITS + 1L) {
            throw outOfRange(value, type);
        }
        BigInteger unscaled = value.setScale(type.scale(), RoundingMode.HALF_UP).unscaledValue();
        if (unscaled.abs().compareTo(bigPower(type.precision())) >= 0) {
            throw outOfRange(value, type);
        }
        return unscaled;
    }

    /** The unscaled value of a floating-point number in the type. */
    public static BigInteger unscaled(double value, ColumnType type) {
        if (Double.isNaN(value) || Double.isInfinite(value)) {
            throw outOfRange(Double.toString(value), type);
        }
        return unscaled(BigDecimal.valueOf(value), type);
    }

    /** Quotient rounded half away from zero; the divisor is positive. */
    public static long divideRounded(long value, long divisor) {
        long quotient = value / divisor;
        long remainder = value % divisor;
        long magnitude = Math.abs(remainder);
        if (magnitude >= divisor - magnitude) {
            quotient += value < 0 ? -1 : 1;
        }
        return quotient;
    }

    /** Quotient rounded half away from zero. */
    public static BigInteger divideRounded(BigInteger value, BigInteger divisor) {
        BigInteger[] parts = value.divideAndRemainder(divisor);
        if (parts[1].abs().shiftLeft(1).compareTo(divisor.abs()) < 0) {
            return parts[0];
        }
        return value.signum() * divisor.signum() < 0 ? parts[0].subtract(BigInteger.ONE) : parts[0].add(BigInteger.ONE);
    }

    static FulmarException outOfRange(BigDecimal value, ColumnType type) {
        return outOfRange(shown(value), type);
    }

    /** The number as SQL writes it, or its length where it is too long to read. */
    public static String shown(BigDecimal value) {
        long digits = Math.max(value.precision(), value.precision() - (long) value.scale());
        return digits > MOST_SHOWN_DIGITS || value.scale() > MOST_SHOWN_DIGITS
                ? "a number of " + digits + " digits"
                : value.toPlainString();
    }

    private static FulmarException outOfRange(String value, ColumnType type) {
        return new FulmarException(
                ErrorCode.VALUE_OUT_OF_RANGE, value + " does not fit in " + type + "; use a type with more digits");
    }
}
