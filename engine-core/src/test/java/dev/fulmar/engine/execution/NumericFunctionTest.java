package dev.fulmar.engine.execution;

import static dev.fulmar.engine.execution.Plans.BIGINT;
import static dev.fulmar.engine.execution.Plans.BOOLEAN;
import static dev.fulmar.engine.execution.Plans.DOUBLE;
import static dev.fulmar.engine.execution.Plans.INTEGER;
import static dev.fulmar.engine.execution.Plans.TINYINT;
import static dev.fulmar.engine.execution.Plans.call;
import static dev.fulmar.engine.execution.Plans.integer;
import static dev.fulmar.engine.execution.Plans.literal;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.engine.plan.Expression;
import dev.fulmar.engine.plan.ScalarFunction;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.error.ErrorCode;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class NumericFunctionTest extends ScalarFixture {
    @Test
    void integersAddUpWithinTheirType() {
        assertThat(value(ScalarFunction.PLUS, BIGINT, integer(40), integer(2))).isEqualTo(42L);
        assertThat(value(ScalarFunction.MINUS, BIGINT, integer(40), integer(42)))
                .isEqualTo(-2L);
        assertThat(value(ScalarFunction.TIMES, BIGINT, integer(-6), integer(7))).isEqualTo(-42L);
        assertThat(value(ScalarFunction.DIVIDE, BIGINT, integer(-7), integer(2)))
                .isEqualTo(-3L);
        assertThat(value(ScalarFunction.MODULO, BIGINT, integer(-7), integer(2)))
                .isEqualTo(-1L);
        assertThat(value(ScalarFunction.NEGATE, BIGINT, integer(7))).isEqualTo(-7L);
        fails(ErrorCode.VALUE_OUT_OF_RANGE, call(ScalarFunction.PLUS, BIGINT, integer(Long.MAX_VALUE), integer(1)));
        fails(ErrorCode.VALUE_OUT_OF_RANGE, call(ScalarFunction.MINUS, BIGINT, integer(Long.MIN_VALUE), integer(1)));
        fails(ErrorCode.VALUE_OUT_OF_RANGE, call(ScalarFunction.TIMES, BIGINT, integer(Long.MIN_VALUE), integer(-1)));
        fails(ErrorCode.VALUE_OUT_OF_RANGE, call(ScalarFunction.DIVIDE, BIGINT, integer(Long.MIN_VALUE), integer(-1)));
        fails(ErrorCode.VALUE_OUT_OF_RANGE, call(ScalarFunction.NEGATE, BIGINT, integer(Long.MIN_VALUE)));
        fails(ErrorCode.VALUE_OUT_OF_RANGE, call(ScalarFunction.PLUS, INTEGER, integer(Integer.MAX_VALUE), integer(1)));
        fails(ErrorCode.VALUE_OUT_OF_RANGE, call(ScalarFunction.TIMES, TINYINT, integer(64), integer(2)));
        fails(ErrorCode.DIVISION_BY_ZERO, call(ScalarFunction.DIVIDE, BIGINT, integer(1), integer(0)));
        fails(ErrorCode.DIVISION_BY_ZERO, call(ScalarFunction.MODULO, BIGINT, integer(1), integer(0)));
    }

    @Test
    void decimalsAreExactOrRoundedToTheirType() {
        ColumnType money = ColumnType.decimal(12, 2);
        assertThat(value(
                        ScalarFunction.PLUS, ColumnType.decimal(13, 3), decimal("0.10", 12, 2), decimal("0.205", 4, 3)))
                .isEqualTo(new BigDecimal("0.305"));
        assertThat(value(ScalarFunction.MINUS, money, decimal("0.10", 12, 2), integer(1)))
                .isEqualTo(new BigDecimal("-0.90"));
        assertThat(value(ScalarFunction.TIMES, money, decimal("1.05", 12, 2), decimal("1.05", 12, 2)))
                .isEqualTo(new BigDecimal("1.10"));
        assertThat(value(ScalarFunction.TIMES, money, decimal("-1.05", 12, 2), decimal("0.10", 12, 2)))
                .isEqualTo(new BigDecimal("-0.11"));
        assertThat(value(ScalarFunction.DIVIDE, ColumnType.decimal(20, 6), decimal("1.00", 12, 2), integer(3)))
                .isEqualTo(new BigDecimal("0.333333"));
        assertThat(value(ScalarFunction.DIVIDE, money, decimal("-2.00", 12, 2), integer(3)))
                .isEqualTo(new BigDecimal("-0.67"));
        assertThat(value(ScalarFunction.MODULO, money, decimal("5.50", 12, 2), integer(2)))
                .isEqualTo(new BigDecimal("1.50"));
        fails(
                ErrorCode.VALUE_OUT_OF_RANGE,
                call(ScalarFunction.PLUS, ColumnType.decimal(3, 1), decimal("99.9", 3, 1), decimal("0.1", 3, 1)));
        fails(
                ErrorCode.DIVISION_BY_ZERO,
                call(ScalarFunction.DIVIDE, money, decimal("1.00", 12, 2), decimal("0.00", 12, 2)));
        String widest = "9".repeat(38);
        assertThat(value(ScalarFunction.PLUS, ColumnType.decimal(38, 0), decimal(widest, 38, 0), integer(0)))
                .isEqualTo(new BigDecimal(widest));
        fails(
                ErrorCode.VALUE_OUT_OF_RANGE,
                call(ScalarFunction.PLUS, ColumnType.decimal(38, 0), decimal(widest, 38, 0), integer(1)));
        fails(
                ErrorCode.VALUE_OUT_OF_RANGE,
                call(ScalarFunction.TIMES, ColumnType.decimal(38, 0), decimal(widest, 38, 0), integer(10)));
    }

    /** Random operands of random digits against BigDecimal. */
    @Test
    void decimalArithmeticAgreesWithBigDecimal() {
        Random random = new Random(7);
        for (int i = 0; i < 3000; i++) {
            int leftScale = random.nextInt(7);
            int rightScale = random.nextInt(7);
            BigDecimal left = randomDecimal(random, 1 + random.nextInt(30), leftScale);
            BigDecimal right = randomDecimal(random, 1 + random.nextInt(18), rightScale);
            ColumnType leftType = ColumnType.decimal(Math.max(digits(left), leftScale), leftScale);
            ColumnType rightType = ColumnType.decimal(Math.max(digits(right), rightScale), rightScale);
            ColumnType type = ColumnType.decimal(random.nextBoolean() ? 18 : 38, random.nextInt(7));
            for (ScalarFunction function : List.of(
                    ScalarFunction.PLUS,
                    ScalarFunction.MINUS,
                    ScalarFunction.TIMES,
                    ScalarFunction.DIVIDE,
                    ScalarFunction.MODULO)) {
                Expression call = call(function, type, literal(leftType, left), literal(rightType, right));
                if (right.signum() == 0 && (function == ScalarFunction.DIVIDE || function == ScalarFunction.MODULO)) {
                    fails(ErrorCode.DIVISION_BY_ZERO, call);
                    continue;
                }
                BigDecimal expected = expected(function, left, right, type.scale());
                if (digits(expected) > type.precision()) {
                    fails(ErrorCode.VALUE_OUT_OF_RANGE, call);
                } else {
                    assertThat(value(call))
                            .as("%s %s %s", left, function, right)
                            .isEqualTo(expected);
                }
            }
            Expression comparison =
                    call(ScalarFunction.LESS, BOOLEAN, literal(leftType, left), literal(rightType, right));
            assertThat(value(comparison)).isEqualTo(left.compareTo(right) < 0);
        }
    }

    private static int digits(BigDecimal value) {
        return value.unscaledValue().abs().toString().length();
    }

    private static BigDecimal randomDecimal(Random random, int digits, int scale) {
        BigInteger unscaled = new BigInteger(digits * 3, random).mod(BigInteger.TEN.pow(digits));
        return new BigDecimal(random.nextBoolean() ? unscaled : unscaled.negate(), scale);
    }

    private static BigDecimal expected(ScalarFunction function, BigDecimal left, BigDecimal right, int scale) {
        return switch (function) {
            case PLUS -> left.add(right).setScale(scale, RoundingMode.HALF_UP);
            case MINUS -> left.subtract(right).setScale(scale, RoundingMode.HALF_UP);
            case TIMES -> left.multiply(right).setScale(scale, RoundingMode.HALF_UP);
            case MODULO -> left.remainder(right).setScale(scale, RoundingMode.HALF_UP);
            case DIVIDE -> left.divide(right, scale, RoundingMode.HALF_UP);
            default -> throw new AssertionError(function);
        };
    }

    @Test
    void floatingPointResultsAreFinite() {
        assertThat(value(ScalarFunction.PLUS, DOUBLE, number(0.1), number(0.2))).isEqualTo(0.1 + 0.2);
        assertThat(value(ScalarFunction.DIVIDE, DOUBLE, integer(1), number(8))).isEqualTo(0.125);
        assertThat(value(ScalarFunction.TIMES, DOUBLE, decimal("0.50", 10, 2), number(3)))
                .isEqualTo(1.5);
        fails(ErrorCode.VALUE_OUT_OF_RANGE, call(ScalarFunction.TIMES, DOUBLE, number(Double.MAX_VALUE), number(2)));
        fails(ErrorCode.DIVISION_BY_ZERO, call(ScalarFunction.DIVIDE, DOUBLE, number(1), number(0)));
        fails(ErrorCode.VALUE_OUT_OF_RANGE, call(ScalarFunction.SQRT, DOUBLE, number(-1)));
        fails(ErrorCode.VALUE_OUT_OF_RANGE, call(ScalarFunction.LN, DOUBLE, number(0)));
        assertThat(value(ScalarFunction.SQRT, DOUBLE, integer(9))).isEqualTo(3.0);
        assertThat(value(ScalarFunction.POWER, DOUBLE, number(2), integer(10))).isEqualTo(1024.0);
        assertThat(value(ScalarFunction.EXP, DOUBLE, number(0))).isEqualTo(1.0);
        assertThat(value(ScalarFunction.LN, DOUBLE, number(1))).isEqualTo(0.0);
        assertThat(value(ScalarFunction.LOG10, DOUBLE, number(1000))).isEqualTo(3.0);
    }

    @Test
    void roundingGoesAwayFromZero() {
        ColumnType type = ColumnType.decimal(10, 2);
        assertThat(value(ScalarFunction.ROUND, type, decimal("2.345", 6, 3), integer(2)))
                .isEqualTo(new BigDecimal("2.35"));
        assertThat(value(ScalarFunction.ROUND, type, decimal("-2.345", 6, 3), integer(2)))
                .isEqualTo(new BigDecimal("-2.35"));
        assertThat(value(ScalarFunction.TRUNCATE, type, decimal("-2.349", 6, 3), integer(2)))
                .isEqualTo(new BigDecimal("-2.34"));
        assertThat(value(ScalarFunction.FLOOR, BIGINT, decimal("-2.001", 6, 3))).isEqualTo(-3L);
        assertThat(value(ScalarFunction.CEIL, BIGINT, decimal("-2.999", 6, 3))).isEqualTo(-2L);
        assertThat(value(ScalarFunction.ROUND, BIGINT, integer(1250), integer(-2)))
                .isEqualTo(1300L);
        assertThat(value(ScalarFunction.ROUND, BIGINT, integer(1250), integer(-9)))
                .isEqualTo(0L);
        assertThat(value(ScalarFunction.ROUND, ColumnType.decimal(2, 0), decimal("9.5", 2, 1)))
                .isEqualTo(new BigDecimal("10"));
        assertThat(value(ScalarFunction.ROUND, DOUBLE, number(2.345), integer(2)))
                .isEqualTo(2.35);
        assertThat(value(ScalarFunction.FLOOR, DOUBLE, number(-0.5))).isEqualTo(-1.0);
        assertThat(value(ScalarFunction.ABS, BIGINT, integer(-5))).isEqualTo(5L);
        assertThat(value(ScalarFunction.ABS, ColumnType.decimal(30, 2), decimal("-5.25", 30, 2)))
                .isEqualTo(new BigDecimal("5.25"));
        fails(ErrorCode.VALUE_OUT_OF_RANGE, call(ScalarFunction.ABS, BIGINT, integer(Long.MIN_VALUE)));
        assertThat(value(ScalarFunction.SIGN, INTEGER, decimal("-0.01", 30, 2))).isEqualTo(-1L);
        assertThat(value(ScalarFunction.SIGN, INTEGER, number(0))).isEqualTo(0L);
    }
}
