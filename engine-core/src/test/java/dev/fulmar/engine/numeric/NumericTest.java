package dev.fulmar.engine.numeric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.Numeric;
import dev.fulmar.foundation.data.NumericBytes;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Bytes of numerics, which are in the order of the values, and arithmetic with the results of PostgreSQL 15. */
class NumericTest {
    private static final long SEED = 20_261_130;

    private static Numeric of(String text) {
        return Numeric.parse(text);
    }

    private static byte[] key(Numeric value) {
        byte[] bytes = NumericBytes.of(value);
        return Arrays.copyOf(bytes, bytes.length - NumericBytes.SCALE_BYTES);
    }

    private static List<Numeric> values() {
        List<Numeric> values = new ArrayList<>(
                List.of(Numeric.NAN, Numeric.INFINITY, Numeric.NEGATIVE_INFINITY, Numeric.ZERO, Numeric.ONE));
        for (String text : List.of(
                "0.00",
                "1.0",
                "-1.00",
                "10",
                "100",
                "99",
                "0.1",
                "0.01",
                "-0.010",
                "1e16383",
                "-1e16383",
                "1e-16383")) {
            values.add(of(text));
        }
        Random random = new Random(SEED);
        for (int i = 0; i < 400; i++) {
            BigInteger digits = new BigInteger(1 + random.nextInt(300), random);
            int scale = random.nextInt(120) - 20;
            values.add(Numeric.of(new BigDecimal(random.nextBoolean() ? digits : digits.negate(), scale)));
        }
        return values;
    }

    @Test
    void bytesAreTheValueAndItsOrder() {
        List<Numeric> values = values();
        for (Numeric one : values) {
            assertThat(NumericBytes.value(NumericBytes.of(one))).isEqualTo(one);
            assertThat(of(one.toString())).isEqualTo(one);
            for (Numeric other : values) {
                int order = Arrays.compareUnsigned(key(one), key(other));
                assertThat(Integer.signum(order))
                        .as("%s and %s", one, other)
                        .isEqualTo(Integer.signum(one.compareTo(other)));
            }
        }
    }

    @Test
    void bytesThatAreNoneAreRefused() {
        for (byte[] bytes :
                new byte[][] {{}, {4, 0, 0}, {9, 0, 0}, {4, -128, 0, 1, 102, 0, 0, 0}, {4, -128, 0, 1, 2, 1, 0, 0}}) {
            assertThatThrownBy(() -> NumericBytes.value(bytes))
                    .isInstanceOfSatisfying(
                            FulmarException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CORRUPTION));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "+, 1.50, 2, 3.50",
        "-, 0.1, 0.10, 0.00",
        "*, 1.50, -2.00, -3.0000",
        "/, 1, 3, 0.33333333333333333333",
        "/, 10.00, 4, 2.5000000000000000",
        "/, 18446744073709551619, 3, 6148914691236517206",
        "/, 1e-5, 7e10, 0.00000000000000014285714285714286",
        "/, 1, Infinity, 0",
        "/, -Infinity, 2, -Infinity",
        "/, Infinity, Infinity, NaN",
        "%, 7.5, -2, 1.5",
        "%, 5, Infinity, 5",
        "^, 2.0, 10, 1024.0000000000000000",
        "^, 2, 0.5, 1.4142135623730950",
        "^, 10.0, -3, 0.0010000000000000",
        "^, -2, 3, -8.0000000000000000",
        "^, 1.1, 100.5, 14453.228155208372",
        "^, 0, 0, 1.0000000000000000",
        "^, NaN, 0, 1",
        "^, -Infinity, 3, -Infinity",
        "^, 0.5, Infinity, 0",
        "log, 2.0, 64.0, 6.0000000000000000",
        "gcd, 0.12, 0.18, 0.06",
        "lcm, 4.0, 6, 12.0",
        "div, -7.5, 2, -3"
    })
    void operationsHaveTheDigitsOfPostgres(String operation, String left, String right, String result) {
        Numeric one = of(left);
        Numeric other = of(right);
        Numeric found = switch (operation) {
            case "+" -> NumericArithmetic.add(one, other);
            case "-" -> NumericArithmetic.subtract(one, other);
            case "*" -> NumericArithmetic.multiply(one, other);
            case "/" -> NumericArithmetic.divide(one, other);
            case "%" -> NumericArithmetic.remainder(one, other);
            case "^" -> NumericPowers.power(one, other);
            case "log" -> NumericPowers.log(one, other);
            case "gcd" -> NumericArithmetic.greatestDivisor(one, other);
            case "lcm" -> NumericArithmetic.leastMultiple(one, other);
            default -> NumericArithmetic.divideWhole(one, other);
        };
        assertThat(found).hasToString(result);
    }

    @ParameterizedTest
    @CsvSource({
        "sqrt, 2.0, 1.414213562373095",
        "sqrt, 1e40, 100000000000000000000",
        "sqrt, 0.0001, 0.01000000000000000",
        "exp, 1.0, 2.7182818284590452",
        "exp, -100, 0.00000000000000000000000000000000000000000003720075976020836",
        "exp, 10.5, 36315.502674246638",
        "ln, 2.0, 0.6931471805599453",
        "ln, 1e-20, -46.05170185988091368036",
        "ln, 1.00000001, 0.000000009999999950000000",
        "ln, 12345678901234567890, 43.959837789202521"
    })
    void functionsHaveTheDigitsOfPostgres(String function, String value, String result) {
        Numeric number = of(value);
        Numeric found = switch (function) {
            case "sqrt" -> NumericPowers.root(number);
            case "exp" -> NumericPowers.exp(number);
            default -> NumericPowers.ln(number);
        };
        assertThat(found).hasToString(result);
    }

    @Test
    void columnsRoundAndRefuse() {
        assertThat(of("12345").fitted(ColumnType.numeric(3, -2))).hasToString("12300");
        assertThat(of("0.00125").fitted(ColumnType.numeric(2, 4))).hasToString("0.0013");
        assertThat(Numeric.NAN.fitted(ColumnType.numeric(2, 1))).isEqualTo(Numeric.NAN);
        for (String text : List.of("99950", "Infinity", "-1e100")) {
            assertThatThrownBy(() -> of(text).fitted(ColumnType.numeric(3, -2)))
                    .isInstanceOfSatisfying(
                            FulmarException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.VALUE_OUT_OF_RANGE));
        }
    }

    @Test
    void whatHasTooManyDigitsIsRefusedBeforeItIsComputed() {
        Numeric huge = of("1e16383");
        List<Runnable> calls = List.of(
                () -> NumericArithmetic.multiply(huge, huge),
                () -> NumericPowers.power(of("10"), of("131073")),
                () -> NumericPowers.power(of("9.5"), of("2147483647")),
                () -> NumericPowers.power(of("2"), of("1e100")),
                () -> NumericPowers.exp(of("1e20")),
                () -> NumericArithmetic.factorial(5_015 + 1),
                () -> of("1e2000000000"));
        for (Runnable call : calls) {
            assertThatThrownBy(call::run)
                    .isInstanceOfSatisfying(
                            FulmarException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.VALUE_OUT_OF_RANGE));
        }
        assertThat(NumericArithmetic.factorial(5_015).number().precision()).isEqualTo(16_382);
    }
}
