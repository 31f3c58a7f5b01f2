package dev.fulmar.engine.numeric;

import dev.fulmar.foundation.data.Numeric;
import java.math.BigDecimal;

/**
 * WIDTH_BUCKET as PostgreSQL computes it: with doubles, where {@link NumericArithmetic#bucket}, by which statements of
 * earlier builds are run again, takes numerics.
 */
final class NumericBuckets {
    private NumericBuckets() {}

    /** number, first bound, last bound, count: as doubles if one of them is one, or if all are integers. */
    static long byType(Object[] arguments) {
        long count = count(arguments[3]);
        boolean areDoubles = true;
        boolean hasDouble = false;
        for (int i = 0; i < 3; i++) {
            hasDouble |= arguments[i] instanceof Double;
            areDoubles &= arguments[i] instanceof Double || arguments[i] instanceof Long;
        }
        return hasDouble || areDoubles
                ? ofDoubles(number(arguments[0]), number(arguments[1]), number(arguments[2]), count)
                : NumericArithmetic.bucket(
                        NumericFunctions.value(arguments[0]),
                        NumericFunctions.value(arguments[1]),
                        NumericFunctions.value(arguments[2]),
                        count);
    }

    /** A number of buckets, of which a parameter is a numeric. */
    static long count(Object number) {
        if (number instanceof Long count) {
            return count;
        }
        Numeric value = NumericFunctions.value(number);
        boolean isWhole = value.isNumber() && NumericArithmetic.leastScale(value) == 0;
        if (!isWhole || value.number().abs().compareTo(BigDecimal.valueOf(Integer.MAX_VALUE)) > 0) {
            throw NumericArithmetic.wrongBucket("the count of buckets is a whole number, an INTEGER");
        }
        return value.number().longValue();
    }

    private static double number(Object value) {
        return switch (value) {
            case Double number -> number;
            case Long number -> number.doubleValue();
            default -> NumericFunctions.value(value).toDouble();
        };
    }

    private static long ofDoubles(double value, double first, double last, long count) {
        if (count <= 0) {
            throw NumericArithmetic.wrongBucket("the count of buckets is greater than 0");
        }
        if (Double.isNaN(value) || Double.isNaN(first) || Double.isNaN(last)) {
            throw NumericArithmetic.wrongBucket("the operand, the lower bound and the upper bound cannot be NaN");
        }
        if (Double.isInfinite(first) || Double.isInfinite(last)) {
            throw NumericArithmetic.wrongBucket("the lower and the upper bound are finite");
        }
        if (first == last) {
            throw NumericArithmetic.wrongBucket("the lower bound cannot equal the upper bound");
        }
        boolean isUpward = first < last;
        if (isUpward ? value < first : value > first) {
            return 0;
        }
        if (isUpward ? value >= last : value <= last) {
            return NumericArithmetic.inInteger(count + 1);
        }
        double buckets = count * (value - first) / (last - first);
        double halves = count * ((value / 2 - first / 2) / (last / 2 - first / 2)); // which are finite
        return NumericArithmetic.inInteger((long) (Double.isFinite(buckets) ? buckets : halves) + 1);
    }
}
