package dev.fulmar.engine.numeric;

import java.math.BigDecimal;
import java.math.BigInteger;

/** The digits behind the point that results have, which PostgreSQL computes from digits in groups of four. */
final class NumericScale {
    /** Digits that a result has at least. */
    static final int LEAST_DIGITS = 16;

    /** The most digits behind the point that are computed, and of a result of EXP in all. */
    static final int MOST_SHOWN = 1_000;

    private static final int GROUP_DIGITS = 4;
    private static final double GROUP = 10_000;
    private static final double LN_10 = 2.302585092994046;

    private NumericScale() {}

    /** The position of the first digit that is not 0: 0 of 1 to 9; 0 of zero. */
    static int firstDigit(BigDecimal number) {
        return number.signum() == 0 ? 0 : number.precision() - number.scale() - 1;
    }

    /** The position of the first group that is not 0. */
    static int weight(BigDecimal number) {
        return number.signum() == 0 ? 0 : Math.floorDiv(firstDigit(number), GROUP_DIGITS);
    }

    /** The first so many groups as a number. */
    private static long leading(BigDecimal number, int groups) {
        if (number.signum() == 0) {
            return 0;
        }
        int shift = (weight(number) - groups + 1) * GROUP_DIGITS;
        int scale = number.scale() + shift;
        BigInteger unscaled = number.unscaledValue().abs();
        BigInteger whole =
                scale >= 0 ? unscaled.divide(BigInteger.TEN.pow(scale)) : unscaled.multiply(BigInteger.TEN.pow(-scale));
        return whole.longValue();
    }

    /** Of a quotient. */
    static int ofQuotient(BigDecimal dividend, BigDecimal divisor) {
        int weight = weight(dividend) - weight(divisor);
        if (leading(dividend, 1) <= leading(divisor, 1)) {
            weight--;
        }
        int scale = Math.max(LEAST_DIGITS - weight * GROUP_DIGITS, Math.max(dividend.scale(), divisor.scale()));
        return Math.clamp(scale, 0, MOST_SHOWN);
    }

    /** Of a square root. */
    static int ofRoot(BigDecimal number) {
        int weight = (weight(number) + 1) * GROUP_DIGITS / 2 - 1;
        return Math.clamp(Math.max(LEAST_DIGITS - weight, number.scale()), 0, MOST_SHOWN);
    }

    /** Of a function whose result has about so many digits before the point. */
    static int ofResult(int digits, int... scales) {
        int scale = LEAST_DIGITS - digits;
        for (int each : scales) {
            scale = Math.max(scale, each);
        }
        return Math.clamp(scale, 0, MOST_SHOWN);
    }

    /** About how many digits before the point the natural logarithm of a positive number has. */
    static int ofLogarithm(BigDecimal number) {
        boolean isNearOne =
                number.compareTo(new BigDecimal("0.9")) >= 0 && number.compareTo(new BigDecimal("1.1")) <= 0;
        if (isNearOne) {
            BigDecimal distance = number.subtract(BigDecimal.ONE);
            return distance.signum() == 0
                    ? 0
                    : weight(distance) * GROUP_DIGITS + (int) Math.log10((double) leading(distance, 1));
        }
        boolean hasMore = number.stripTrailingZeros().unscaledValue().signum() != 0 && groups(number) > 1;
        double digits = leading(number, hasMore ? 2 : 1);
        int position = weight(number) * GROUP_DIGITS - (hasMore ? GROUP_DIGITS : 0);
        double logarithm = Math.log(digits) + position * LN_10;
        return (int) Math.log10(Math.abs(logarithm));
    }

    /** The groups from the first to the last one that is not 0. */
    private static int groups(BigDecimal number) {
        int last = -number.stripTrailingZeros().scale();
        return weight(number) - Math.floorDiv(last, GROUP_DIGITS) + 1;
    }

    /** About the decimal logarithm of a number that is not 0, without its sign. */
    static double logarithm(BigDecimal number) {
        int groups = Math.min(groups(number), 4);
        double digits = leading(number, 1);
        int position = weight(number) * GROUP_DIGITS;
        if (groups > 1) {
            digits = leading(number, groups);
            position -= (groups - 1) * GROUP_DIGITS;
        }
        return Math.log10(Math.max(digits, 1 / GROUP)) + position;
    }
}
