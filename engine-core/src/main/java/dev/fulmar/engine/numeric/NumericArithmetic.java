package dev.fulmar.engine.numeric;

import dev.fulmar.foundation.data.Numeric;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;

/** The operations of NUMERIC. */
public final class NumericArithmetic {
    /** Greatest common divisors of longer numbers would take seconds. */
    private static final int MOST_DIVISOR_DIGITS = 20_000;

    /** The last factorial that has few digits enough. */
    private static final long MOST_FACTORIAL = 5_015;

    private NumericArithmetic() {}

    public static Numeric add(Numeric left, Numeric right) {
        if (left.isNumber() && right.isNumber()) {
            return Numeric.of(left.number().add(right.number()));
        }
        if (left.isNan() || right.isNan() || (left.isInfinite() && right.isInfinite() && !left.equals(right))) {
            return left.isInfinite() && left.equals(right) ? left : Numeric.NAN;
        }
        return left.isInfinite() ? left : right;
    }

    public static Numeric subtract(Numeric left, Numeric right) {
        return left.isNumber() && right.isNumber()
                ? Numeric.of(left.number().subtract(right.number()))
                : add(left, negate(right));
    }

    public static Numeric negate(Numeric value) {
        return switch (value.kind()) {
            case NEGATIVE_INFINITY -> Numeric.INFINITY;
            case INFINITY -> Numeric.NEGATIVE_INFINITY;
            case NAN -> value;
            case NUMBER -> Numeric.of(value.number().negate());
        };
    }

    public static Numeric abs(Numeric value) {
        return value.signum() < 0 ? negate(value) : value;
    }

    public static Numeric sign(Numeric value) {
        return value.isNan() ? value : Numeric.of(value.signum());
    }

    public static Numeric multiply(Numeric left, Numeric right) {
        if (left.isNumber() && right.isNumber()) {
            long digits = (long) NumericScale.firstDigit(left.number()) + NumericScale.firstDigit(right.number());
            if (digits > Numeric.MOST_WHOLE_DIGITS && left.signum() != 0 && right.signum() != 0) {
                throw Numeric.overflow();
            }
            return Numeric.of(left.number().multiply(right.number()));
        }
        return left.isNan() || right.isNan() ? Numeric.NAN : infinity(left.signum() * right.signum());
    }

    /** The infinity of the sign; NaN for none. */
    private static Numeric infinity(int sign) {
        return sign == 0 ? Numeric.NAN : sign > 0 ? Numeric.INFINITY : Numeric.NEGATIVE_INFINITY;
    }

    /** A quotient of values one of which is no number; null if both are. */
    private static @org.jspecify.annotations.Nullable Numeric ofSpecial(Numeric left, Numeric right) {
        if (left.isNan() || right.isNan()) {
            return Numeric.NAN;
        }
        if (left.isInfinite()) {
            if (right.isInfinite()) {
                return Numeric.NAN;
            }
            checkDivisor(right);
            return infinity(left.signum() * right.signum());
        }
        if (right.isInfinite()) {
            return Numeric.ZERO;
        }
        checkDivisor(right);
        return null;
    }

    private static void checkDivisor(Numeric divisor) {
        if (divisor.signum() == 0) {
            throw new FulmarException(
                    ErrorCode.DIVISION_BY_ZERO,
                    "division by zero; guard it with CASE WHEN divisor <> 0 or NULLIF(divisor, 0)");
        }
    }

    /** The quotient with at least 16 digits that count. */
    public static Numeric divide(Numeric left, Numeric right) {
        Numeric special = ofSpecial(left, right);
        return special != null ? special : Numeric.of(quotient(left.number(), right.number()));
    }

    static BigDecimal quotient(BigDecimal left, BigDecimal right) {
        return left.divide(right, NumericScale.ofQuotient(left, right), RoundingMode.HALF_UP);
    }

    /** The quotient without its fraction. */
    public static Numeric divideWhole(Numeric left, Numeric right) {
        Numeric special = ofSpecial(left, right);
        return special != null ? special : Numeric.of(left.number().divide(right.number(), 0, RoundingMode.DOWN));
    }

    public static Numeric remainder(Numeric left, Numeric right) {
        if (left.isNumber() && right.isNumber()) {
            checkDivisor(right);
            int scale = Math.max(left.scale(), right.scale());
            return Numeric.of(left.number().remainder(right.number()).setScale(scale));
        }
        if (left.isNan() || right.isNan()) {
            return Numeric.NAN;
        }
        if (left.isInfinite()) {
            checkDivisor(right.isInfinite() ? Numeric.ONE : right);
            return Numeric.NAN;
        }
        return left;
    }

    /** The value with so many digits behind the point, or with as many zeros before it if they are negative. */
    public static Numeric round(Numeric value, long digits) {
        return withScale(value, digits, RoundingMode.HALF_UP);
    }

    public static Numeric truncate(Numeric value, long digits) {
        return withScale(value, digits, RoundingMode.DOWN);
    }

    private static Numeric withScale(Numeric value, long digits, RoundingMode mode) {
        if (!value.isNumber()) {
            return value;
        }
        int scale = (int) Math.clamp(digits, -Numeric.MOST_WHOLE_DIGITS - 1L, Numeric.MOST_SCALE);
        BigDecimal number = value.number();
        if ((long) number.precision() - number.scale() < -(long) scale) {
            return Numeric.of(BigDecimal.ZERO.setScale(Math.max(0, scale)));
        }
        return Numeric.of(number.setScale(scale, mode));
    }

    public static Numeric floor(Numeric value) {
        return value.isNumber() ? Numeric.of(value.number().setScale(0, RoundingMode.FLOOR)) : value;
    }

    public static Numeric ceil(Numeric value) {
        return value.isNumber() ? Numeric.of(value.number().setScale(0, RoundingMode.CEILING)) : value;
    }

    /** The fewest digits behind the point that the number needs. */
    public static int leastScale(Numeric value) {
        BigDecimal number = value.number();
        return number.signum() == 0
                ? 0
                : Math.max(0, number.stripTrailingZeros().scale());
    }

    /** The number without zeros at the end behind the point. */
    public static Numeric trimmed(Numeric value) {
        return value.isNumber() ? Numeric.of(value.number().setScale(leastScale(value))) : value;
    }

    public static Numeric greatestDivisor(Numeric left, Numeric right) {
        if (!left.isNumber() || !right.isNumber()) {
            return Numeric.NAN;
        }
        int scale = Math.max(left.scale(), right.scale());
        return Numeric.of(new BigDecimal(unscaled(left, scale).gcd(unscaled(right, scale)), scale));
    }

    public static Numeric leastMultiple(Numeric left, Numeric right) {
        if (!left.isNumber() || !right.isNumber()) {
            return Numeric.NAN;
        }
        int scale = Math.max(left.scale(), right.scale());
        BigInteger one = unscaled(left, scale);
        BigInteger other = unscaled(right, scale);
        BigInteger multiple = one.signum() == 0 || other.signum() == 0
                ? BigInteger.ZERO
                : one.divide(one.gcd(other)).multiply(other).abs();
        return Numeric.of(new BigDecimal(multiple, scale));
    }

    private static BigInteger unscaled(Numeric value, int scale) {
        BigDecimal number = value.number().setScale(scale);
        if (number.precision() > MOST_DIVISOR_DIGITS) {
            throw new FulmarException(
                    ErrorCode.VALUE_OUT_OF_RANGE,
                    "GCD and LCM are of numbers of at most " + MOST_DIVISOR_DIGITS + " digits");
        }
        return number.unscaledValue();
    }

    public static Numeric factorial(long number) {
        if (number < 0) {
            throw new FulmarException(
                    ErrorCode.VALUE_OUT_OF_RANGE, "factorial of a negative number is undefined; pass 0 or more");
        }
        if (number > MOST_FACTORIAL) {
            throw Numeric.overflow();
        }
        return Numeric.of(new BigDecimal(product(1, Math.max(1, number))));
    }

    /** The product of all numbers of a range; of halves, for factors of one length are multiplied fast. */
    private static BigInteger product(long from, long to) {
        if (to - from < 8) {
            BigInteger product = BigInteger.valueOf(from);
            for (long i = from + 1; i <= to; i++) {
                product = product.multiply(BigInteger.valueOf(i));
            }
            return product;
        }
        long middle = (from + to) >>> 1;
        return product(from, middle).multiply(product(middle + 1, to));
    }

    /** The square with all its digits, which may be more than a result has. */
    public static Numeric squared(Numeric value) {
        return value.isNumber() ? exactly(value.number().pow(2)) : multiply(value, value);
    }

    /** The sum with all its digits, which may be more than a result has. */
    public static Numeric addExactly(Numeric left, Numeric right) {
        return left.isNumber() && right.isNumber() ? exactly(left.number().add(right.number())) : add(left, right);
    }

    private static Numeric exactly(BigDecimal number) {
        return new Numeric(Numeric.Kind.NUMBER, number);
    }

    /**
     * The variance of numbers by their count, their sum and the sum of their squares, or its root, the standard
     * deviation.
     */
    public static Numeric spread(long count, Numeric sum, Numeric squares, boolean ofSample, boolean isDeviation) {
        if (!sum.isNumber() || !squares.isNumber()) {
            return Numeric.NAN;
        }
        BigDecimal number = BigDecimal.valueOf(count);
        BigDecimal dividend =
                number.multiply(squares.number()).subtract(sum.number().pow(2));
        if (dividend.signum() <= 0) {
            return Numeric.ZERO;
        }
        BigDecimal divisor = number.multiply(BigDecimal.valueOf(ofSample ? count - 1 : count));
        BigDecimal variance = quotient(dividend, divisor);
        return Numeric.of(isDeviation ? NumericPowers.root(variance, variance.scale()) : variance);
    }

    /** The number of the bucket, of so many between the bounds, that has the value. */
    public static long bucket(Numeric value, Numeric first, Numeric last, long count) {
        if (count <= 0) {
            throw wrongBucket("the count of buckets is greater than 0");
        }
        if (value.isNan() || first.isNan() || last.isNan()) {
            throw wrongBucket("the operand, the lower bound and the upper bound cannot be NaN");
        }
        if (!first.isNumber() || !last.isNumber()) {
            throw wrongBucket("the lower and the upper bound are finite");
        }
        int order = first.compareTo(last);
        if (order == 0) {
            throw wrongBucket("the lower bound cannot equal the upper bound");
        }
        if (order * value.compareTo(first) > 0) {
            return 0;
        }
        if (order * value.compareTo(last) <= 0) {
            return inInteger(count + 1);
        }
        BigDecimal distance = value.number().subtract(first.number()).abs().multiply(BigDecimal.valueOf(count));
        BigDecimal width = last.number().subtract(first.number()).abs();
        return inInteger(quotient(distance, width)
                .add(BigDecimal.ONE)
                .setScale(0, RoundingMode.FLOOR)
                .longValue());
    }

    static long inInteger(long bucket) {
        if (bucket > Integer.MAX_VALUE) {
            throw new FulmarException(ErrorCode.VALUE_OUT_OF_RANGE, bucket + " does not fit in INTEGER");
        }
        return bucket;
    }

    static FulmarException wrongBucket(String rule) {
        return new FulmarException(ErrorCode.INVALID_BUCKETS, "WIDTH_BUCKET: " + rule);
    }
}
