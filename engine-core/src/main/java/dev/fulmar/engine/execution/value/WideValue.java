package dev.fulmar.engine.execution.value;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.math.BigInteger;

/** A mutable signed 128-bit integer: the unscaled value of a long decimal, or the bits of a UUID. */
public final class WideValue {
    private long high;
    private long low;

    public long high() {
        return high;
    }

    public long low() {
        return low;
    }

    public void set(long newHigh, long newLow) {
        high = newHigh;
        low = newLow;
    }

    public void set(long value) {
        high = value >> 63;
        low = value;
    }

    /** Takes the value over; one that needs more than 128 bits is an overflow. */
    public void set(BigInteger value) {
        if (value.bitLength() > 127) {
            throw overflow();
        }
        high = value.shiftRight(64).longValue();
        low = value.longValue();
    }

    public boolean fitsLong() {
        return high == low >> 63;
    }

    public BigInteger toBigInteger() {
        return toBigInteger(high, low);
    }

    /** The two halves as one number. */
    public static BigInteger toBigInteger(long high, long low) {
        if (high == low >> 63) {
            return BigInteger.valueOf(low);
        }
        byte[] bytes = new byte[16];
        for (int i = 0; i < 8; i++) {
            bytes[i] = (byte) (high >> (56 - 8 * i));
            bytes[8 + i] = (byte) (low >> (56 - 8 * i));
        }
        return new BigInteger(bytes);
    }

    public void add(long otherHigh, long otherLow) {
        long sumLow = low + otherLow;
        long carry = Long.compareUnsigned(sumLow, low) < 0 ? 1 : 0;
        long sumHigh = high + otherHigh + carry;
        if (((high ^ sumHigh) & (otherHigh ^ sumHigh)) < 0) {
            throw overflow();
        }
        high = sumHigh;
        low = sumLow;
    }

    public void subtract(long otherHigh, long otherLow) {
        long borrow = Long.compareUnsigned(low, otherLow) < 0 ? 1 : 0;
        long differenceHigh = high - otherHigh - borrow;
        if (((high ^ otherHigh) & (high ^ differenceHigh)) < 0) {
            throw overflow();
        }
        low -= otherLow;
        high = differenceHigh;
    }

    public void negate() {
        long otherHigh = high;
        long otherLow = low;
        set(0, 0);
        subtract(otherHigh, otherLow);
    }

    /** The full product of two longs, which always fits. */
    public void setProduct(long left, long right) {
        high = Math.multiplyHigh(left, right);
        low = left * right;
    }

    public static int compare(long leftHigh, long leftLow, long rightHigh, long rightLow) {
        int order = Long.compare(leftHigh, rightHigh);
        return order != 0 ? order : Long.compareUnsigned(leftLow, rightLow);
    }

    public double toDouble() {
        return fitsLong() ? low : toBigInteger().doubleValue();
    }

    static FulmarException overflow() {
        return new FulmarException(
                ErrorCode.VALUE_OUT_OF_RANGE,
                "a decimal result has more than 38 digits; CAST the operands to fewer digits");
    }
}
