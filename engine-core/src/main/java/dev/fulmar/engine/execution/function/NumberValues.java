package dev.fulmar.engine.execution.function;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import org.jspecify.annotations.Nullable;

/** Functions of numbers. They keep the template that was read last. */
final class NumberValues {
    /** The last factorial that a numeric of 38 digits holds. */
    private static final long MOST = 33;

    private @Nullable Known known;

    private record Known(String text, NumberTemplate template) {}

    /** number, template. */
    String text(Object[] arguments) {
        return template((String) arguments[1]).text(arguments[0]);
    }

    /** text, template. */
    BigDecimal number(Object[] arguments) {
        return NumberReader.read(template((String) arguments[1]), (String) arguments[0]);
    }

    private NumberTemplate template(String text) {
        Known last = known;
        if (last == null || !last.text.equals(text)) {
            CalendarValues.checkLength(text);
            last = new Known(text, NumberTemplate.of(text));
            known = last;
        }
        return last.template;
    }

    static Long greatestDivisor(Object[] arguments) {
        BigInteger divisor = big(arguments[0]).gcd(big(arguments[1]));
        return inRange(divisor);
    }

    static Long leastMultiple(Object[] arguments) {
        BigInteger one = big(arguments[0]);
        BigInteger other = big(arguments[1]);
        return one.signum() == 0 || other.signum() == 0
                ? 0L
                : inRange(one.divide(one.gcd(other)).multiply(other).abs());
    }

    private static BigInteger big(Object number) {
        return BigInteger.valueOf((Long) number);
    }

    private static Long inRange(BigInteger number) {
        if (number.bitLength() >= Long.SIZE) {
            throw outOfRange(number + " does not fit in BIGINT");
        }
        return number.longValue();
    }

    private static FulmarException outOfRange(String message) {
        return new FulmarException(ErrorCode.VALUE_OUT_OF_RANGE, message);
    }

    static BigDecimal factorial(Object[] arguments) {
        long number = (Long) arguments[0];
        if (number < 0 || number > MOST) {
            throw outOfRange("FACTORIAL is of numbers from 0 to " + MOST + ", not of " + number);
        }
        BigInteger product = BigInteger.ONE;
        for (long i = 2; i <= number; i++) {
            product = product.multiply(BigInteger.valueOf(i));
        }
        return new BigDecimal(product);
    }

    /** The quotient without its fraction. */
    static BigDecimal quotient(Object[] arguments) {
        BigDecimal divisor = decimal(arguments[1]);
        if (divisor.signum() == 0) {
            throw new FulmarException(ErrorCode.DIVISION_BY_ZERO, "division by zero");
        }
        return decimal(arguments[0]).divide(divisor, 0, RoundingMode.DOWN);
    }

    private static BigDecimal decimal(Object number) {
        return number instanceof BigDecimal decimal ? decimal : BigDecimal.valueOf((Long) number);
    }
}
