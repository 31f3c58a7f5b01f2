package dev.fulmar.engine.execution.value;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.foundation.data.Interval;
import dev.fulmar.foundation.data.IntervalShape;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.math.BigInteger;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The values are those of PostgreSQL 15. */
class IntervalArithmeticTest {
    private static WideValue wide(String text) {
        Interval interval = Interval.parse(text);
        WideValue value = new WideValue();
        value.set(interval.high(), interval.low());
        return value;
    }

    private static String changed(String text, Consumer<WideValue> change) {
        WideValue value = wide(text);
        change.accept(value);
        return Interval.ofBits(value.high(), value.low()).toString();
    }

    @ParameterizedTest
    @CsvSource({
        "1 mon, 1.5, 1 mon 15 days",
        "1 mon 1 day, 0.1, 3 days 02:24:00",
        "-1 mon 5 days 10:00, 0.3, -8 days +15:00:00",
        "1 day, -2, -2 days",
        "3 mons, 0.33333333333, 30 days",
        "00:00:00.000001, 0.5, 00:00:00"
    })
    void productsCascadeDown(String text, double factor, String expected) {
        assertThat(changed(text, value -> IntervalArithmetic.multiply(value, factor)))
                .isEqualTo(expected);
    }

    @Test
    void partsThatOverflowAreErrors() {
        WideValue most = wide("2147483647 mons");
        fails(ErrorCode.DATETIME_OUT_OF_RANGE, () -> IntervalArithmetic.add(most, Interval.high(1, 0), 0));
        fails(ErrorCode.DATETIME_OUT_OF_RANGE, () -> IntervalArithmetic.negate(wide("-2147483648 days")));
        fails(ErrorCode.DATETIME_OUT_OF_RANGE, () -> IntervalArithmetic.multiply(wide("1 day"), 1e30));
        fails(ErrorCode.DATETIME_OUT_OF_RANGE, () -> IntervalArithmetic.multiply(wide("1 day"), Double.NaN));
        fails(ErrorCode.DIVISION_BY_ZERO, () -> IntervalArithmetic.divide(wide("1 day"), -0.0));
    }

    private static void fails(ErrorCode code, Runnable change) {
        assertThatThrownBy(change::run)
                .isInstanceOfSatisfying(
                        FulmarException.class, e -> assertThat(e.code()).isEqualTo(code));
    }

    @Test
    void sumsAreSumsOfParts() {
        assertThat(changed("1 mon -2 days 03:00", value -> IntervalArithmetic.add(value, Interval.high(2, 5), -1)))
                .isEqualTo("3 mons 3 days 02:59:59.999999");
        assertThat(changed("1 mon", value -> IntervalArithmetic.subtract(value, Interval.high(2, 5), 1)))
                .isEqualTo("-1 mons -5 days -00:00:00.000001");
    }

    /** The order that comparisons have, and the one that keys have, are that of all microseconds. */
    @Test
    void intervalsHaveTheOrderOfTheirSpans() {
        Random random = new Random(3);
        BigInteger day = BigInteger.valueOf(Interval.MICROS_PER_DAY);
        long[] edges = {0, Long.MIN_VALUE, Long.MAX_VALUE, Interval.MICROS_PER_DAY, -Interval.MICROS_PER_DAY, -1};
        WideValue last = wide("0");
        BigInteger lastSpan = BigInteger.ZERO;
        for (int i = 0; i < 100_000; i++) {
            int months = random.nextInt() >> random.nextInt(32);
            int days = random.nextInt() >> random.nextInt(32);
            long micros = random.nextInt(4) == 0
                    ? edges[random.nextInt(edges.length)]
                    : random.nextLong() >> random.nextInt(64);
            WideValue value = new WideValue();
            value.set(Interval.high(months, days), micros);
            BigInteger span =
                    day.multiply(BigInteger.valueOf(30L * months + days)).add(BigInteger.valueOf(micros));
            WideValue key = new WideValue();
            key.set(value.high(), value.low());
            IntervalArithmetic.toSpan(key);

            assertThat(key.toBigInteger()).isEqualTo(span);
            assertThat(IntervalArithmetic.compare(value.high(), value.low(), last.high(), last.low()))
                    .isEqualTo(span.compareTo(lastSpan));
            last = value;
            lastSpan = span;
        }
    }

    /** Of equal intervals one is always the least, or results would depend on the order of rows. */
    @Test
    void equalIntervalsHaveAnOrderToo() {
        WideOrder order = WideOrder.of(IntervalShape.ANY.type());
        WideValue month = wide("1 mon");
        WideValue days = wide("30 days");

        assertThat(IntervalArithmetic.compare(month.high(), month.low(), days.high(), days.low()))
                .isZero();
        assertThat(order.compare(month.high(), month.low(), days.high(), days.low()))
                .isPositive();
        assertThat(order.compare(days.high(), days.low(), month.high(), month.low()))
                .isNegative();
    }
}
