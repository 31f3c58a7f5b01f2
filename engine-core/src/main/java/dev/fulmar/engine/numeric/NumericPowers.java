package dev.fulmar.engine.numeric;

import dev.fulmar.foundation.data.Numeric;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.math.RoundingMode;

/** Roots, powers, exponentials and logarithms of NUMERIC. */
public final class NumericPowers {
    /** EXP of greater numbers has too many digits. */
    private static final int MOST_EXPONENT = 6_000;

    private static final double LOG_10_E = 0.434294481903252;
    private static final double LOG_10_2 = 0.301029995663981;

    /** Digits that are computed beside those of a result. */
    private static final int GUARD = 12;

    /** The digits of powers, of which the work is bounded so. */
    private static final int MOST_COMPUTED_DIGITS = 2_000;

    private static final BigDecimal LOW = new BigDecimal("0.9");
    private static final BigDecimal HIGH = new BigDecimal("1.1");

    private NumericPowers() {}

    public static Numeric root(Numeric value) {
        if (value.signum() < 0) {
            throw ofPower("the square root of a negative number is none");
        }
        return value.isNumber() ? Numeric.of(root(value.number(), NumericScale.ofRoot(value.number()))) : value;
    }

    /** The square root, rounded. */
    static BigDecimal root(BigDecimal number, int scale) {
        BigInteger square = number.setScale(2 * scale, RoundingMode.DOWN).unscaledValue();
        BigInteger[] parts = square.sqrtAndRemainder();
        BigInteger root = parts[1].compareTo(parts[0]) > 0 ? parts[0].add(BigInteger.ONE) : parts[0];
        return new BigDecimal(root, scale);
    }

    public static Numeric exp(Numeric value) {
        if (!value.isNumber()) {
            return value.kind() == Numeric.Kind.NEGATIVE_INFINITY ? Numeric.ZERO : value;
        }
        double digits = Math.clamp(value.toDouble() * LOG_10_E, -2_000.0, 2_000.0);
        return Numeric.of(exp(value.number(), NumericScale.ofResult((int) digits, value.scale())));
    }

    /** The exponential, rounded. */
    private static BigDecimal exp(BigDecimal number, int scale) {
        double estimate = number.doubleValue();
        if (Math.abs(estimate) >= MOST_EXPONENT) {
            if (estimate > 0) {
                throw Numeric.overflow();
            }
            return BigDecimal.ZERO.setScale(scale);
        }
        int halvings = 0;
        for (double rest = Math.abs(estimate); rest > 0.01; rest /= 2) {
            halvings++;
        }
        int digits = Math.max(0, 1 + (int) (estimate * LOG_10_E) + scale) + (int) (halvings * LOG_10_2) + GUARD;
        MathContext context = new MathContext(digits, RoundingMode.HALF_EVEN);
        BigDecimal small = number.divide(new BigDecimal(BigInteger.ONE.shiftLeft(halvings)), context);
        BigDecimal sum = BigDecimal.ONE.add(small, context);
        BigDecimal term = small;
        BigDecimal least = BigDecimal.ONE.movePointLeft(digits);
        for (int i = 2; term.abs().compareTo(least) > 0; i++) {
            term = term.multiply(small, context).divide(BigDecimal.valueOf(i), context);
            sum = sum.add(term, context);
        }
        for (int i = 0; i < halvings; i++) {
            sum = sum.multiply(sum, context);
        }
        return Numeric.rounded(sum, scale);
    }

    public static Numeric ln(Numeric value) {
        checkLogarithm(value);
        if (!value.isNumber()) {
            return value;
        }
        int scale = NumericScale.ofResult(NumericScale.ofLogarithm(value.number()), value.scale());
        return Numeric.of(ln(value.number(), scale));
    }

    private static void checkLogarithm(Numeric value) {
        if (value.signum() < 0) {
            throw ofLogarithm("the logarithm of a negative number is none");
        }
        if (value.isNumber() && value.signum() == 0) {
            throw ofLogarithm("the logarithm of zero is none");
        }
    }

    /** The natural logarithm of a positive number, rounded. */
    private static BigDecimal ln(BigDecimal number, int scale) {
        boolean isNearOne = number.compareTo(LOW) > 0 && number.compareTo(HIGH) < 0;
        int tens = isNearOne ? 0 : NumericScale.firstDigit(number);
        int guarded = scale + GUARD;
        BigDecimal result = near(number.scaleByPowerOfTen(-tens), guarded);
        if (tens != 0) {
            int more = String.valueOf(Math.abs(tens)).length();
            result = result.add(near(BigDecimal.TEN, guarded + more).multiply(BigDecimal.valueOf(tens)));
        }
        return Numeric.rounded(result, scale);
    }

    /** The natural logarithm of a number from 0.9 to 10, with so many digits behind the point and a few more. */
    private static BigDecimal near(BigDecimal number, int scale) {
        MathContext context = new MathContext(scale + GUARD, RoundingMode.HALF_EVEN);
        BigDecimal base = number.compareTo(HIGH) >= 0 ? number.round(context) : number;
        int roots = 0;
        while (base.compareTo(HIGH) >= 0) {
            base = base.sqrt(context);
            roots++;
        }
        // 2 * (z + z^3 / 3 + z^5 / 5 + ...), where z is at most 0.05
        BigDecimal z = base.subtract(BigDecimal.ONE).divide(base.add(BigDecimal.ONE), context);
        BigDecimal square = z.multiply(z, context);
        BigDecimal power = z;
        BigDecimal sum = z;
        BigDecimal least = BigDecimal.ONE.movePointLeft(scale + GUARD);
        for (int i = 3; power.abs().compareTo(least) > 0; i += 2) {
            power = power.multiply(square, context);
            sum = sum.add(power.divide(BigDecimal.valueOf(i), context));
        }
        return sum.multiply(new BigDecimal(BigInteger.ONE.shiftLeft(roots + 1)));
    }

    /** The logarithm to a base. */
    public static Numeric log(Numeric base, Numeric value) {
        if (base.isNan() || value.isNan()) {
            return Numeric.NAN;
        }
        checkSigns(base, value);
        if (base.isInfinite()) {
            return value.isInfinite() ? Numeric.NAN : Numeric.ZERO;
        }
        if (value.isInfinite()) {
            return value;
        }
        int ofBase = NumericScale.ofLogarithm(base.number());
        int ofValue = NumericScale.ofLogarithm(value.number());
        int digits = ofValue - ofBase;
        int scale = NumericScale.ofResult(digits, base.scale(), value.scale());
        BigDecimal divisor = ln(base.number(), Math.max(0, scale + digits - ofBase + GUARD));
        BigDecimal dividend = ln(value.number(), Math.max(0, scale + digits - ofValue + GUARD));
        if (divisor.signum() == 0) {
            throw new FulmarException(
                    ErrorCode.DIVISION_BY_ZERO, "division by zero: there is no logarithm to the base 1");
        }
        return Numeric.of(dividend.divide(divisor, scale, RoundingMode.HALF_UP));
    }

    private static void checkSigns(Numeric base, Numeric value) {
        if (base.signum() < 0 || value.signum() < 0) {
            throw ofLogarithm("the logarithm of a negative number is none");
        }
        if (base.signum() == 0 || value.signum() == 0) {
            throw ofLogarithm("the logarithm of zero is none");
        }
    }

    public static Numeric power(Numeric base, Numeric exponent) {
        if (base.isNan() || exponent.isNan()) {
            boolean isOne = (exponent.isNumber() && exponent.signum() == 0)
                    || (base.isNumber() && base.compareTo(Numeric.ONE) == 0);
            return isOne ? Numeric.ONE : Numeric.NAN;
        }
        if (base.signum() == 0 && exponent.signum() < 0) {
            throw ofPower("zero raised to a negative power is undefined");
        }
        if (base.signum() < 0 && !isWhole(exponent)) {
            throw ofPower("a negative number raised to a power that is no whole number is none");
        }
        return base.isNumber() && exponent.isNumber()
                ? Numeric.of(power(base.number(), exponent.number()))
                : powerOfInfinity(base, exponent);
    }

    private static Numeric powerOfInfinity(Numeric base, Numeric exponent) {
        if ((base.isNumber() && base.compareTo(Numeric.ONE) == 0) || exponent.signum() == 0) {
            return Numeric.ONE;
        }
        if (base.signum() == 0) {
            return Numeric.ZERO;
        }
        if (exponent.isInfinite()) {
            Numeric size = NumericArithmetic.abs(base);
            if (size.compareTo(Numeric.ONE) == 0) {
                return Numeric.ONE;
            }
            boolean isGreat = size.compareTo(Numeric.ONE) > 0;
            return isGreat == exponent.signum() > 0 ? Numeric.INFINITY : Numeric.ZERO;
        }
        if (exponent.signum() < 0) {
            return Numeric.ZERO;
        }
        return base.signum() > 0 || !isOdd(exponent.number()) ? Numeric.INFINITY : base;
    }

    /** Whether it has no fraction; an infinity has none. */
    private static boolean isWhole(Numeric value) {
        return !value.isNumber() || NumericArithmetic.leastScale(value) == 0;
    }

    private static boolean isOdd(BigDecimal whole) {
        return whole.setScale(0, RoundingMode.DOWN).unscaledValue().testBit(0);
    }

    private static BigDecimal power(BigDecimal base, BigDecimal exponent) {
        boolean isWhole =
                exponent.signum() == 0 || exponent.stripTrailingZeros().scale() <= 0;
        if (isWhole
                && exponent.abs().compareTo(BigDecimal.TEN.pow(10)) < 0
                && exponent.longValue() == exponent.intValue()) {
            return power(base, exponent.intValue(), NumericScale.ofResult(0, base.scale()));
        }
        if (base.signum() == 0) {
            return BigDecimal.ZERO.setScale(NumericScale.LEAST_DIGITS);
        }
        BigDecimal size = base.abs();
        int lnDigits = NumericScale.ofLogarithm(size);
        int rough = Math.max(0, 8 - lnDigits);
        double estimate = ln(size, rough).multiply(exponent).doubleValue();
        if (Math.abs(estimate) > MOST_EXPONENT * 1.005) {
            if (estimate > 0) {
                throw Numeric.overflow();
            }
            return BigDecimal.ZERO.setScale(NumericScale.MOST_SHOWN);
        }
        int digits = (int) (estimate * LOG_10_E);
        checkWork(digits, base);
        int scale = NumericScale.ofResult(digits, base.scale(), exponent.scale());
        int count = Math.max(0, scale + digits);
        int fine = Math.max(0, count - lnDigits + 8 + Math.max(0, NumericScale.firstDigit(exponent)));
        BigDecimal result = exp(ln(size, fine).multiply(exponent), scale);
        return base.signum() < 0 && isOdd(exponent) ? result.negate() : result;
    }

    /** A power of many digits takes long, and its partition serves nothing else meanwhile. */
    private static void checkWork(double digits, BigDecimal base) {
        if (Math.max(Math.abs(digits), base.precision()) > MOST_COMPUTED_DIGITS) {
            throw new FulmarException(
                    ErrorCode.VALUE_OUT_OF_RANGE,
                    "a power has up to " + MOST_COMPUTED_DIGITS + " digits here; multiply, or use double precision");
        }
    }

    /** A power of a whole number, rounded. */
    private static BigDecimal power(BigDecimal base, int exponent, int scale) {
        switch (exponent) {
            case 0 -> {
                return BigDecimal.ONE.setScale(scale);
            }
            case 1 -> {
                return Numeric.rounded(base, scale);
            }
            case 2 -> {
                return Numeric.rounded(
                        NumericArithmetic.multiply(Numeric.of(base), Numeric.of(base))
                                .number(),
                        scale);
            }
            default -> {
                if (base.signum() == 0) {
                    return BigDecimal.ZERO.setScale(scale);
                }
            }
        }
        double digits = exponent * NumericScale.logarithm(base);
        checkWork(digits, base);
        if (digits > 3.0 * Numeric.MOST_WHOLE_DIGITS || (digits > Numeric.MOST_WHOLE_DIGITS + 4)) {
            throw Numeric.overflow();
        }
        if (digits + 1 < -scale || digits + 1 < -NumericScale.MOST_SHOWN) {
            return BigDecimal.ZERO.setScale(scale);
        }
        int precision = Math.max(1, 1 + scale + (int) digits) + (int) Math.log10(Math.abs((double) exponent)) + GUARD;
        MathContext context = new MathContext(precision, RoundingMode.HALF_EVEN);
        BigDecimal result = BigDecimal.ONE;
        BigDecimal square = base;
        for (long rest = Math.abs((long) exponent); rest > 0; rest >>= 1) {
            if ((rest & 1) != 0) {
                result = result.multiply(square, context);
            }
            square = rest > 1 ? square.multiply(square, context) : square;
        }
        return exponent < 0
                ? BigDecimal.ONE.divide(result, scale, RoundingMode.HALF_UP)
                : Numeric.rounded(result, scale);
    }

    private static FulmarException ofPower(String rule) {
        return new FulmarException(ErrorCode.INVALID_POWER, rule + "; guard it with CASE WHEN");
    }

    private static FulmarException ofLogarithm(String rule) {
        return new FulmarException(ErrorCode.INVALID_LOGARITHM, rule + "; guard it with CASE WHEN");
    }
}
