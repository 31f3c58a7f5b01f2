package dev.fulmar.foundation.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class ParameterListTest {
    private static final UUID SOME_UUID = UUID.fromString("00112233-4455-6677-8899-aabbccddeeff");

    private static final List<Object> VALUES = Arrays.asList(
            null,
            true,
            Long.MIN_VALUE,
            -0.0,
            new BigDecimal("-12.30"),
            new BigDecimal("9".repeat(38)),
            "Möwe",
            "",
            new byte[] {1, 2, -3},
            LocalDate.of(2026, 11, 21),
            LocalTime.of(1, 2, 3),
            LocalDateTime.of(1969, 12, 31, 23, 59, 59, 999_999_000),
            SOME_UUID,
            new long[] {1, -1},
            new double[] {0.5},
            new boolean[] {true, false},
            new String[] {"a", "", "ü"},
            new BigDecimal[] {BigDecimal.ONE, new BigDecimal("0.001")},
            new byte[][] {{1}, {}},
            new LocalDate[] {LocalDate.EPOCH},
            new LocalTime[] {LocalTime.NOON},
            new LocalDateTime[] {LocalDateTime.of(2000, 1, 1, 0, 0)},
            new UUID[] {SOME_UUID},
            new String[0]);

    private static byte[] encode(List<Object> values) {
        ParameterWriter writer = new ParameterWriter(2, 1 << 20).begin();
        values.forEach(writer::addObject);
        return writer.toByteArray();
    }

    @Test
    void everyTypeComesBack() {
        byte[] list = encode(VALUES);
        ParameterReader reader = new ParameterReader(100).wrap(list, 0, list.length);
        assertThat(reader.count()).isEqualTo(VALUES.size());
        for (int i = 0; i < VALUES.size(); i++) {
            assertThat(reader.object(i)).as("value %s", i).isEqualTo(VALUES.get(i));
        }
        ParameterWriter copy = new ParameterWriter(2, 1 << 20);
        for (int i = 0; i < VALUES.size(); i++) {
            copy.addCopy(reader, i);
        }
        assertThat(copy.toByteArray()).isEqualTo(list);
    }

    @Test
    void narrowerJavaTypesBecomeTheWideOnes() {
        byte[] list = encode(List.of(
                (byte) 1,
                (short) 2,
                3,
                4f,
                BigInteger.TEN,
                new int[] {5},
                new short[] {6},
                new float[] {7},
                new Integer[] {8},
                new BigDecimal("1E3"),
                new BigDecimal("0E-99"),
                Instant.ofEpochSecond(-1, 999_999_999)));
        ParameterReader reader = new ParameterReader(100).wrap(list, 0, list.length);
        assertThat(reader.getLong(0) + reader.getLong(1) + reader.getLong(2)).isEqualTo(6);
        assertThat(reader.getDouble(3)).isEqualTo(4.0);
        assertThat(reader.decimal(4)).isEqualTo("10");
        assertThat(reader.longs(5)).containsExactly(5);
        assertThat(reader.longs(6)).containsExactly(6);
        assertThat(reader.doubles(7)).containsExactly(7.0);
        assertThat(reader.longs(8)).containsExactly(8);
        assertThat(reader.decimal(9)).isEqualTo("1000");
        assertThat(reader.decimal(10)).isEqualTo("0");
        assertThat(reader.object(11)).isEqualTo(LocalDateTime.of(1969, 12, 31, 23, 59, 59, 999_999_000));
    }

    @Test
    void decimalsAreReadAsTwoLongs() {
        for (String text : List.of(
                "0",
                "-1",
                "127",
                "-129",
                "9223372036854775807",
                "-9223372036854775809",
                "1" + "0".repeat(37),
                "-" + "9".repeat(38))) {
            byte[] list = encode(List.of(new BigDecimal(text)));
            ParameterReader reader = new ParameterReader(1).wrap(list, 0, list.length);
            assertThat(WideDecimal.toBigInteger(reader.decimalHigh(0), reader.decimalLow(0)))
                    .isEqualTo(new BigInteger(text));
            assertThat(reader.decimalScale(0)).isZero();
        }
        ParameterWriter writer = new ParameterWriter(16, 100).begin().addDecimal(-1234, 2);
        ParameterReader reader = new ParameterReader(1).wrap(writer.array(), 0, writer.end());
        assertThat(reader.decimal(0)).isEqualTo("-12.34");
        assertThat(reader.decimalLow(0)).isEqualTo(-1234);
        assertThat(reader.decimalHigh(0)).isEqualTo(-1);
    }

    /** Written by version 1. If this test fails the format has changed, and needs a new version beside the old one. */
    @Test
    void version1LooksLikeThis() {
        byte[] list = encode(Arrays.asList(
                null,
                true,
                0x0102030405060708L,
                1.0,
                new BigDecimal("-1.5"),
                "Ab",
                new byte[] {9},
                LocalDate.of(1970, 1, 3),
                SOME_UUID,
                new long[] {1},
                new String[] {"z"}));
        assertThat(HexFormat.of().formatHex(list))
                .isEqualTo("0b00" + "00" + "0101" + "020807060504030201" + "03000000000000f03f" + "040101f1"
                        + "05020000004162"
                        + "060100000009" + "070200000000000000" + "0a7766554433221100ffeeddccbbaa9988"
                        + "0b02010000000100000000000000" + "0b0501000000010000007a");
    }

    @Test
    void refusesWhatCannotBeWritten() {
        assertCode(ErrorCode.WRONG_PARAMETERS, () -> encode(List.of(new Object())));
        assertCode(ErrorCode.WRONG_PARAMETERS, () -> encode(List.of((Object) new String[] {"a", null})));
        assertCode(ErrorCode.WRONG_PARAMETERS, () -> encode(List.of((Object) new Object[] {"a", 1L})));
        assertCode(ErrorCode.WRONG_PARAMETERS, () -> encode(List.of((Object) new Object[] {null})));
        assertCode(ErrorCode.WRONG_PARAMETERS, () -> encode(List.of((Object) new long[][] {{1}})));
        assertCode(ErrorCode.VALUE_OUT_OF_RANGE, () -> encode(List.of(new BigDecimal("1E999999999"))));
        assertCode(ErrorCode.VALUE_OUT_OF_RANGE, () -> encode(List.of(new BigDecimal("1E-39"))));
        assertCode(ErrorCode.VALUE_OUT_OF_RANGE, () -> encode(List.of(new BigDecimal("1" + "0".repeat(38)))));
        assertCode(ErrorCode.FRAME_TOO_LARGE, () -> new ParameterWriter(2, 100).add("x".repeat(100)));
        assertCode(ErrorCode.TOO_MANY_PARAMETERS, () -> {
            ParameterWriter writer = new ParameterWriter(2, 1 << 20);
            for (int i = 0; i <= ParameterWriter.MAX_PARAMETERS; i++) {
                writer.addNull();
            }
        });
    }

    @Test
    void refusesTooManyAndTheWrongType() {
        byte[] list = encode(List.of(1L, 2L, 3L));
        assertCode(ErrorCode.TOO_MANY_PARAMETERS, () -> new ParameterReader(2).wrap(list, 0, list.length));
        ParameterReader reader = new ParameterReader(3).wrap(list, 0, list.length);
        assertCode(ErrorCode.WRONG_PARAMETERS, () -> reader.getDouble(0));
        assertCode(ErrorCode.WRONG_PARAMETERS, () -> reader.string(0));
        assertCode(ErrorCode.WRONG_PARAMETERS, () -> reader.longs(0));
        assertCode(ErrorCode.WRONG_PARAMETERS, () -> reader.getLong(3));
        byte[] arrays = encode(List.of((Object) new double[] {1}));
        ParameterReader arrayReader = new ParameterReader(3).wrap(arrays, 0, arrays.length);
        assertCode(ErrorCode.WRONG_PARAMETERS, () -> arrayReader.longs(0));
        assertCode(ErrorCode.WRONG_PARAMETERS, () -> arrayReader.strings(0));
        assertThatThrownBy(() -> arrayReader.getLongElement(0, 1)).isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    void aListThatIsCutOffOrTooLongIsMalformed() {
        byte[] list = encode(VALUES);
        ParameterReader reader = new ParameterReader(100);
        for (int length = 0; length < list.length; length++) {
            byte[] cut = Arrays.copyOf(list, length);
            assertCode(ErrorCode.MALFORMED_REQUEST, () -> reader.wrap(cut, 0, cut.length));
        }
        byte[] longer = Arrays.copyOf(list, list.length + 1);
        assertCode(ErrorCode.MALFORMED_REQUEST, () -> reader.wrap(longer, 0, longer.length));
        assertThat(reader.count()).isZero();
        assertThat(reader.wrapPrefix(longer, 0, longer.length).totalBytes()).isEqualTo(list.length);
    }

    @Test
    void noDamageReadsOutsideTheList() {
        byte[] good = encode(VALUES);
        Random random = new Random(11);
        ParameterReader reader = new ParameterReader(100);
        int refused = 0;
        for (int round = 0; round < 200_000; round++) {
            byte[] bad = good.clone();
            for (int flips = random.nextInt(3); flips >= 0; flips--) {
                bad[random.nextInt(bad.length)] = (byte) (random.nextBoolean() ? random.nextInt(13) : random.nextInt());
            }
            try {
                reader.wrap(bad, 0, bad.length);
                for (int i = 0; i < reader.count(); i++) {
                    assertThat(reader.object(i) == null).isEqualTo(reader.isNull(i));
                }
            } catch (FulmarException e) {
                assertThat(e.code())
                        .isIn(ErrorCode.MALFORMED_REQUEST, ErrorCode.TOO_MANY_PARAMETERS, ErrorCode.VALUE_OUT_OF_RANGE);
                refused++;
            }
        }
        assertThat(refused).isBetween(20_000, 199_999);
    }

    private static void assertCode(ErrorCode code, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        FulmarException.class, e -> assertThat(e.code()).isEqualTo(code));
    }
}
