package dev.fulmar.wire.postgres.type;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;

/**
 * The shortest decimal that names a binary number, as PostgreSQL chooses it. It is that of {@link Double#toString} but
 * for two cases: Java prefers two digits to one where both name the number, and takes a decimal that lies in the middle
 * between two numbers.
 *
 * @param digits without a zero at the end
 * @param exponent of the first digit
 */
record ShortestDecimal(String digits, int exponent) {
    private static final int MOST_DIGITS = 17;
    private static final int MOST_FLOAT_DIGITS = 9;

    /** Up to here, no decimal in the middle between two numbers is as short as that of a number. */
    private static final double LEAST_WITH_MIDDLES = 0x1p53;

    private static final float LEAST_FLOAT_WITH_MIDDLES = 0x1p24f;
    private static final BigDecimal TWO = BigDecimal.valueOf(2);

    /** Of a positive finite number. */
    static ShortestDecimal of(double value) {
        ShortestDecimal usual = ofText(Double.toString(value));
        boolean isSubnormal = value < Double.MIN_NORMAL && usual.digits.length() == 2;
        if (!isSubnormal && (value < LEAST_WITH_MIDDLES || !usual.hasZerosBehind())) {
            return usual;
        }
        BigDecimal exact = new BigDecimal(value);
        BigDecimal below = new BigDecimal(Math.nextDown(value));
        BigDecimal above =
                value == Double.MAX_VALUE ? exact.add(exact.subtract(below)) : new BigDecimal(Math.nextUp(value));
        return usual.orStrictlyInside(exact, below, above, isSubnormal, MOST_DIGITS);
    }

    /** Of a positive finite number. */
    static ShortestDecimal of(float value) {
        ShortestDecimal usual = ofText(Float.toString(value));
        boolean isSubnormal = value < Float.MIN_NORMAL && usual.digits.length() == 2;
        if (!isSubnormal && (value < LEAST_FLOAT_WITH_MIDDLES || !usual.hasZerosBehind())) {
            return usual;
        }
        BigDecimal exact = new BigDecimal(value);
        BigDecimal below = new BigDecimal(Math.nextDown(value));
        BigDecimal above =
                value == Float.MAX_VALUE ? exact.add(exact.subtract(below)) : new BigDecimal(Math.nextUp(value));
        return usual.orStrictlyInside(exact, below, above, isSubnormal, MOST_FLOAT_DIGITS);
    }

    private boolean hasZerosBehind() {
        return exponent >= digits.length();
    }

    private ShortestDecimal orStrictlyInside(
            BigDecimal exact, BigDecimal below, BigDecimal above, boolean isSubnormal, int mostDigits) {
        BigDecimal low = exact.add(below).divide(TWO, MathContext.UNLIMITED);
        BigDecimal high = exact.add(above).divide(TWO, MathContext.UNLIMITED);
        if (!isSubnormal && isInside(value(), low, high)) {
            return this;
        }
        for (int count = 1; count <= mostDigits; count++) {
            BigDecimal down = exact.round(new MathContext(count, RoundingMode.DOWN));
            BigDecimal up = exact.round(new MathContext(count, RoundingMode.UP));
            boolean fitsDown = isInside(down, low, high);
            boolean fitsUp = isInside(up, low, high);
            if (fitsDown || fitsUp) {
                boolean isUp = fitsUp && (!fitsDown || up.subtract(exact).compareTo(exact.subtract(down)) < 0);
                return ofDecimal(isUp ? up : down);
            }
        }
        return this;
    }

    private BigDecimal value() {
        return new BigDecimal(digits).scaleByPowerOfTen(exponent - digits.length() + 1);
    }

    private static boolean isInside(BigDecimal value, BigDecimal low, BigDecimal high) {
        return value.compareTo(low) > 0 && value.compareTo(high) < 0;
    }

    private static ShortestDecimal ofDecimal(BigDecimal value) {
        BigDecimal stripped = value.stripTrailingZeros();
        String digits = stripped.unscaledValue().toString();
        return new ShortestDecimal(digits, digits.length() - 1 - stripped.scale());
    }

    /** Of Java's text: {@code 0.001}, {@code 123.45} or {@code 1.5E-7}. */
    private static ShortestDecimal ofText(String text) {
        int mark = text.indexOf('E');
        int end = mark < 0 ? text.length() : mark;
        int point = text.indexOf('.');
        int first = 0;
        while (text.charAt(first) == '0' || text.charAt(first) == '.') {
            first++;
        }
        int last = end - 1;
        while (text.charAt(last) == '0' || text.charAt(last) == '.') {
            last--;
        }
        String digits = first < point && point < last
                ? text.substring(first, point) + text.substring(point + 1, last + 1)
                : text.substring(first, last + 1);
        int exponent = first < point ? point - 1 - first : point - first;
        return new ShortestDecimal(
                digits, mark < 0 ? exponent : exponent + Integer.parseInt(text, mark + 1, text.length(), 10));
    }
}
