package dev.fulmar.wire.postgres.type;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.foundation.data.CellValues;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.InfiniteTime;
import dev.fulmar.foundation.data.ParameterReader;
import dev.fulmar.foundation.data.ParameterWriter;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.wire.postgres.message.ValueFormat;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class ValueFormTest {
    private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private static void assertCode(ErrorCode code, Runnable step) {
        assertThatThrownBy(step::run)
                .asInstanceOf(InstanceOfAssertFactories.type(FulmarException.class))
                .satisfies(e -> assertThat(e.code()).isEqualTo(code));
    }

    @Test
    void everyTypeOfFulmarHasOneOfPostgres() {
        for (TypeKind kind : TypeKind.values()) {
            if (kind == TypeKind.ARRAY) {
                continue; // which is of the type of its elements
            }
            ColumnType type = kind == TypeKind.DECIMAL ? ColumnType.decimal(10, 2) : ColumnType.of(kind);
            PostgresType postgres = PostgresType.of(type);
            assertThat(PostgresType.of(postgres.oid())).contains(postgres);
            assertThat(PostgresType.ofArray(postgres.arrayOid())).contains(postgres);
        }
        ColumnType array = ColumnType.array(ColumnType.decimal(10, 2));
        assertThat(PostgresType.oid(array)).isEqualTo(1231);
        assertThat(PostgresType.modifier(array)).isEqualTo(655_366);
        assertThat(PostgresType.of(0)).isEmpty();
        assertThat(PostgresType.ofArray(0)).isEmpty();
    }

    @Test
    void modifiersAreThoseOfPostgres() {
        assertThat(PostgresType.modifier(ColumnType.decimal(10, 2))).isEqualTo(655_366);
        assertThat(PostgresType.modifier(ColumnType.varchar(5))).isEqualTo(9);
        assertThat(PostgresType.modifier(new ColumnType(TypeKind.CHAR, 3, 0))).isEqualTo(7);
        assertThat(PostgresType.modifier(ColumnType.of(TypeKind.INTEGER))).isEqualTo(-1);
        ColumnType text = ColumnType.varchar(1 << 20);
        assertThat(PostgresType.of(text)).isEqualTo(PostgresType.TEXT);
        assertThat(PostgresType.modifier(text)).isEqualTo(-1);
        assertThat(PostgresType.of(ColumnType.varchar(5))).isEqualTo(PostgresType.VARCHAR);
    }

    /** The way of 64 bits, without objects, and the one of any number agree; so do both with Java. */
    @Test
    void decimalsAreTheSameWhicheverWayTheyAreWritten() {
        Random random = new Random(5);
        for (int round = 0; round < 20_000; round++) {
            int scale = random.nextInt(19);
            long unscaled = random.nextLong() >> random.nextInt(64);
            if (random.nextBoolean()) {
                unscaled -= unscaled % 10_000;
            }
            BigDecimal value = BigDecimal.valueOf(unscaled, scale);
            ByteBuf text = Unpooled.buffer();
            NumericForm.writeText(text, unscaled, scale);
            assertThat(text.toString(StandardCharsets.US_ASCII)).isEqualTo(value.toPlainString());
            ByteBuf small = Unpooled.buffer();
            NumericBinaryForm.write(small, unscaled, scale);
            ByteBuf any = Unpooled.buffer();
            NumericBinaryForm.write(any, value);
            assertThat(ByteBufUtil.hexDump(small)).isEqualTo(ByteBufUtil.hexDump(any));
            assertThat(NumericBinaryForm.decode(ByteBufUtil.getBytes(small))).isEqualTo(new NumericValue.Finite(value));
        }
    }

    @Test
    void decimalsOf128BitsAreWritten() {
        BigInteger wide = new BigInteger("-12345678901234567890123456789012345678");
        ByteBuf text = Unpooled.buffer();
        NumericForm.writeText(text, wide.shiftRight(64).longValue(), wide.longValue(), 2);
        assertThat(text.toString(StandardCharsets.US_ASCII)).isEqualTo("-123456789012345678901234567890123456.78");
        ByteBuf small = Unpooled.buffer();
        NumericForm.writeText(small, 0, 5, 30);
        assertThat(small.toString(StandardCharsets.US_ASCII)).isEqualTo("0.000000000000000000000000000005");
    }

    @Test
    void floatsAreReadBackAsTheyWere() {
        Random random = new Random(6);
        for (int round = 0; round < 50_000; round++) {
            double wide = Double.longBitsToDouble(random.nextLong() >>> random.nextInt(64));
            float narrow = Float.intBitsToFloat(random.nextInt() >>> random.nextInt(32));
            ByteBuf out = Unpooled.buffer();
            FloatForm.writeText(out, wide);
            assertThat(FloatForm.parse(ByteBufUtil.getBytes(out), 0, out.readableBytes()))
                    .isEqualTo(Double.valueOf(wide));
            out.clear();
            FloatForm.writeText(out, narrow);
            assertThat(FloatForm.parseFloat(ByteBufUtil.getBytes(out), 0, out.readableBytes()))
                    .isEqualTo(Float.valueOf(narrow));
        }
    }

    @Test
    void daysAreThoseOfJavasCalendar() {
        Random random = new Random(8);
        for (int round = 0; round < 50_000; round++) {
            LocalDate date = LocalDate.ofEpochDay(random.nextInt() >> random.nextInt(20));
            long packed = CivilDate.ofDays(date.toEpochDay());
            assertThat(LocalDate.of((int) CivilDate.year(packed), CivilDate.month(packed), CivilDate.day(packed)))
                    .isEqualTo(date);
            assertThat(CivilDate.toDays(date.getYear(), date.getMonthValue(), date.getDayOfMonth()))
                    .isEqualTo(date.toEpochDay());
            assertThat(CivilDate.monthDays(date.getYear(), date.getMonthValue()))
                    .isEqualTo(date.lengthOfMonth());
        }
    }

    /** A few bytes must not become much memory. */
    @Test
    void aNumberOfManyZerosTakesLittle() {
        NumericValue large = NumericForm.parse(ascii("1e16383"), 0, 7);
        assertThat(large).isEqualTo(new NumericValue.Finite(new BigDecimal("1e16383")));
        NumericValue binary = NumericBinaryForm.decode(ByteBufUtil.decodeHexDump("00010fff00003fff0001"));
        assertThat(binary)
                .isInstanceOfSatisfying(
                        NumericValue.Finite.class,
                        finite -> assertThat(finite.number().precision()).isEqualTo(1));
        assertCode(ErrorCode.VALUE_OUT_OF_RANGE, () -> NumericForm.parse(ascii("1e16384"), 0, 7));
        for (String tooMany : List.of("00011000000000000001", "00017fff00003fff0001")) {
            assertCode(
                    ErrorCode.VALUE_OUT_OF_RANGE, () -> NumericBinaryForm.decode(ByteBufUtil.decodeHexDump(tooMany)));
        }
    }

    /** Each took milliseconds, of an event loop, when a number was made before it was cut. */
    @Test
    void aNumberFarBelowItsScaleIsNothingAtOnce() {
        byte[] far = ByteBufUtil.decodeHexDump("00018000000000000001");
        long begin = System.nanoTime();
        for (int i = 0; i < 2_000; i++) {
            assertThat(NumericBinaryForm.decode(far)).isEqualTo(new NumericValue.Finite(BigDecimal.ZERO));
        }
        assertThat(System.nanoTime() - begin).as("nanoseconds").isLessThan(2_000_000_000L);
    }

    @Test
    void placesThatAreNotShownAreCutOff() {
        Random random = new Random(9);
        for (int round = 0; round < 20_000; round++) {
            int count = 1 + random.nextInt(4);
            int weight = random.nextInt(10) - 6;
            int scale = random.nextInt(20);
            boolean isNegative = random.nextBoolean();
            ByteBuf bytes = Unpooled.buffer().writeShort(count).writeShort(weight);
            bytes.writeShort(isNegative ? 0x4000 : 0).writeShort(scale);
            BigDecimal sum = BigDecimal.ZERO;
            for (int i = 0; i < count; i++) {
                int group = random.nextInt(4) == 0 ? 0 : random.nextInt(10_000);
                bytes.writeShort(group);
                sum = sum.add(BigDecimal.valueOf(group).scaleByPowerOfTen(4 * (weight - i)));
            }
            BigDecimal expected = (isNegative ? sum.negate() : sum).setScale(scale, RoundingMode.DOWN);
            assertThat(NumericBinaryForm.decode(ByteBufUtil.getBytes(bytes)))
                    .isEqualTo(new NumericValue.Finite(expected));
        }
    }

    @Test
    void numbersOfManyDigitsAreRead() {
        Random random = new Random(10);
        for (int digits : new int[] {0, 1, 511, 512, 513, 1_024, 1_025, 5_000, 32_767, 131_072}) {
            byte[] text = new byte[digits];
            for (int i = 0; i < digits; i++) {
                text[i] = (byte) ('0' + random.nextInt(10));
            }
            BigInteger expected =
                    digits == 0 ? BigInteger.ZERO : new BigInteger(new String(text, StandardCharsets.US_ASCII));
            assertThat(DecimalDigits.number(text, 0, digits)).isEqualTo(expected);
        }
        for (String sign : List.of("", "-", "+")) {
            String text = sign + "00" + "12345678".repeat(2_048) + "." + "9".repeat(16_383);
            BigDecimal number = new BigDecimal(text);
            assertThat(NumericForm.parse(ascii(text), 0, text.length())).isEqualTo(new NumericValue.Finite(number));
            ByteBuf binary = Unpooled.buffer();
            NumericBinaryForm.write(binary, number);
            assertThat(NumericBinaryForm.decode(ByteBufUtil.getBytes(binary)))
                    .isEqualTo(new NumericValue.Finite(number));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "NUMERIC, 0001",
        "NUMERIC, 0001000000000000", // a group is missing
        "NUMERIC, 00000000000000000001", // one is too many
        "NUMERIC, 00010000000000002710", // a group of 10,000
        "NUMERIC, 0000000080000000",
        "NUMERIC, 0000000000004000",
        "BOOL, 0000",
        "INT4, 000000",
        "INT2, ''",
        "FLOAT8, 00000000",
        "UUID, 00",
        "DATE, 0000",
        "TIME, 00",
        "TIMESTAMP, 00",
        "INTERVAL, 00",
        "JSONB, 027b7d",
        "JSONB, ''"
    })
    void binaryFormsThatAreNoneAreRefused(PostgresType type, String hex) {
        byte[] bytes = ByteBufUtil.decodeHexDump(hex);
        assertCode(ErrorCode.INVALID_BINARY, () -> ValueForm.decode(type, bytes));
    }

    @Test
    void momentsThatFulmarCannotHoldAreOutOfRange() {
        assertCode(
                ErrorCode.DATETIME_OUT_OF_RANGE,
                () -> ValueForm.decode(PostgresType.TIMESTAMP, ByteBufUtil.decodeHexDump("7ffffffffffffffe")));
        assertCode(
                ErrorCode.DATETIME_OUT_OF_RANGE,
                () -> ValueForm.decode(PostgresType.TIMESTAMP, ByteBufUtil.decodeHexDump("8000000000000001")));
        assertCode(
                ErrorCode.DATETIME_OUT_OF_RANGE,
                () -> ValueForm.decode(PostgresType.TIME, ByteBufUtil.decodeHexDump("ffffffffffffffff")));
        assertCode(
                ErrorCode.DATETIME_OUT_OF_RANGE,
                () -> ValueForm.decode(PostgresType.DATE, ByteBufUtil.decodeHexDump("7ffffffe")));
        assertCode(ErrorCode.DATETIME_OUT_OF_RANGE, () -> DatetimeForm.writeBinaryDate(Unpooled.buffer(), 1L << 40));
        assertCode(
                ErrorCode.DATETIME_OUT_OF_RANGE,
                () -> DatetimeForm.writeBinaryTimestamp(Unpooled.buffer(), Long.MIN_VALUE + 1));
    }

    @Test
    void textIsUtf8WithoutZeros() {
        assertThat(CharacterForm.parse(ByteBufUtil.decodeHexDump("efbfbd"), 0, 3))
                .isEqualTo("\ufffd");
        for (String hex : List.of("00", "6100", "c080", "e28", "ff", "eda080", "f4908080")) {
            byte[] bytes = ByteBufUtil.decodeHexDump(hex.length() % 2 == 0 ? hex : hex + "2");
            assertCode(ErrorCode.INVALID_CHARACTERS, () -> CharacterForm.parse(bytes, 0, bytes.length));
            assertCode(ErrorCode.INVALID_CHARACTERS, () -> CharacterForm.check(bytes, 0, bytes.length));
        }
    }

    @Test
    void charactersArePaddedByCharacters() {
        ByteBuf out = Unpooled.buffer();
        byte[] text = "\u00e4\u20ac".getBytes(StandardCharsets.UTF_8);
        CharacterForm.writePadded(out, text, 0, text.length, 4);
        assertThat(out.toString(StandardCharsets.UTF_8)).isEqualTo("\u00e4\u20ac  ");
    }

    @Test
    void arraysWithAnotherElementTypeOrMoreDimensionsAreRefused() {
        ZoneId zone = ZoneOffset.UTC;
        assertCode(
                ErrorCode.TYPE_MISMATCH,
                () -> ArrayForm.decode(
                        PostgresType.INT4, ByteBufUtil.decodeHexDump("0000000000000000" + "00000019"), zone));
        assertCode(
                ErrorCode.NOT_SUPPORTED,
                () -> ArrayForm.decode(
                        PostgresType.INT4, ByteBufUtil.decodeHexDump("0000000200000000" + "00000017"), zone));
        for (String hex : List.of(
                "",
                "000000000000000200000017", // flags
                "00000000000000000000001700", // more after the end
                "000000010000000000000017", // no dimension
                "0000000100000000000000177fffffff00000001", // too many elements
                "000000010000000000000017ffffffff00000001",
                "0000000100000000000000170000000100000001fffffffe")) {
            assertCode(
                    ErrorCode.INVALID_BINARY,
                    () -> ArrayForm.decode(PostgresType.INT4, ByteBufUtil.decodeHexDump(hex), zone));
        }
    }

    @ParameterizedTest
    @EnumSource(PostgresType.class)
    void anyBytesGiveAValueOrAnError(PostgresType type) {
        Random random = new Random(17);
        String[] parts = {
            "1",
            "0",
            "9",
            "-",
            "+",
            ".",
            ":",
            " ",
            "e",
            "T",
            "Z",
            "Jan",
            "BC",
            "nan",
            "inf",
            "infinity",
            "P",
            "D",
            "day",
            "{",
            "}",
            "\"",
            "\\",
            "x",
            "\\x",
            ",",
            "2024",
            "01",
            "00",
            "99999999999999999999",
            "/",
            "ago",
            "true"
        };
        for (int round = 0; round < 1_000; round++) {
            byte[] bytes = new byte[random.nextInt(20)];
            random.nextBytes(bytes);
            StringBuilder text = new StringBuilder();
            for (int i = random.nextInt(9); i > 0; i--) {
                text.append(parts[random.nextInt(parts.length)]);
            }
            for (ValueFormat format : ValueFormat.values()) {
                attempt(type, format, bytes);
                attempt(type, format, ascii(text.toString()));
            }
        }
    }

    private static void attempt(PostgresType type, ValueFormat format, byte[] bytes) {
        ParameterWriter parameters = new ParameterWriter(64, 1 << 20);
        try {
            Object value = ValueForm.read(type, format, bytes, BERLIN);
            ByteBuf out = Unpooled.buffer();
            ValueForm.write(out, type, ValueFormat.TEXT, value, BERLIN);
            Object again = ValueForm.read(type, ValueFormat.TEXT, ByteBufUtil.getBytes(out), BERLIN);
            if (value instanceof BigDecimal number) {
                assertThat((BigDecimal) again).isEqualByComparingTo(number);
            } else {
                assertThat(again).isEqualTo(value);
            }
        } catch (FulmarException expected) {
            assertThat(expected.code()).isNotEqualTo(ErrorCode.INTERNAL);
        }
        try {
            ParameterForm.add(parameters, type, format, bytes, BERLIN);
        } catch (FulmarException expected) {
            assertThat(expected.code()).isNotEqualTo(ErrorCode.INTERNAL);
        }
        try {
            ParameterForm.addArray(parameters, type, format, bytes, BERLIN);
        } catch (FulmarException expected) {
            assertThat(expected.code()).isNotEqualTo(ErrorCode.INTERNAL);
        }
    }

    private static @Nullable Object parameter(PostgresType type, ValueFormat format, byte @Nullable [] value) {
        ParameterWriter writer = new ParameterWriter(64, 1 << 20).begin();
        ParameterForm.add(writer, type, format, value, BERLIN);
        byte[] list = writer.toByteArray();
        return new ParameterReader(1 << 20).wrap(list, 0, list.length).object(0);
    }

    @Test
    void parametersBecomeThoseOfFulmar() {
        assertThat(parameter(PostgresType.INT4, ValueFormat.TEXT, null)).isNull();
        assertThat(parameter(PostgresType.INT4, ValueFormat.TEXT, ascii("-7"))).isEqualTo(-7L);
        assertThat(parameter(PostgresType.INT8, ValueFormat.BINARY, ByteBufUtil.decodeHexDump("fffffffffffffff9")))
                .isEqualTo(-7L);
        assertThat(parameter(PostgresType.FLOAT4, ValueFormat.TEXT, ascii("0.1")))
                .isEqualTo((double) 0.1f);
        assertThat(parameter(PostgresType.FLOAT8, ValueFormat.TEXT, ascii("0.1")))
                .isEqualTo(0.1);
        assertThat(parameter(PostgresType.NUMERIC, ValueFormat.TEXT, ascii("1.50")))
                .isEqualTo(new BigDecimal("1.50"));
        assertThat(parameter(PostgresType.BOOL, ValueFormat.TEXT, ascii("yes"))).isEqualTo(true);
        assertThat(parameter(PostgresType.TEXT, ValueFormat.TEXT, ascii("a"))).isEqualTo("a");
        assertThat(parameter(PostgresType.JSONB, ValueFormat.BINARY, ascii("\1{}")))
                .isEqualTo("{}");
        assertThat(parameter(PostgresType.BYTEA, ValueFormat.TEXT, ascii("\\x0102")))
                .isEqualTo(new byte[] {1, 2});
        assertThat(parameter(PostgresType.DATE, ValueFormat.TEXT, ascii("2024-02-29")))
                .isEqualTo(LocalDate.of(2024, 2, 29));
        assertThat(parameter(PostgresType.TIME, ValueFormat.TEXT, ascii("10:00")))
                .isEqualTo(LocalTime.of(10, 0));
        assertThat(parameter(PostgresType.TIMESTAMP, ValueFormat.TEXT, ascii("2024-07-01 10:00+00")))
                .isEqualTo(LocalDateTime.of(2024, 7, 1, 10, 0));
        assertThat(parameter(PostgresType.TIMESTAMPTZ, ValueFormat.TEXT, ascii("2024-07-01 10:00+00")))
                .isEqualTo(LocalDateTime.of(2024, 7, 1, 12, 0));
        assertThat(parameter(PostgresType.UUID, ValueFormat.BINARY, new byte[16]))
                .isEqualTo(new UUID(0, 0));
    }

    /** In the zone of Berlin, which moves no infinity. */
    @Test
    void infinitiesBecomeTheGreatestAndTheLeast() {
        byte[] binary = ByteBufUtil.decodeHexDump("7fffffffffffffff");
        byte[] negative = ByteBufUtil.decodeHexDump("8000000000000000");
        assertThat(parameter(PostgresType.DATE, ValueFormat.TEXT, ascii("infinity")))
                .isEqualTo(LocalDate.MAX);
        assertThat(parameter(PostgresType.DATE, ValueFormat.BINARY, ByteBufUtil.decodeHexDump("80000000")))
                .isEqualTo(LocalDate.MIN);
        for (PostgresType type : List.of(PostgresType.TIMESTAMP, PostgresType.TIMESTAMPTZ)) {
            assertThat(parameter(type, ValueFormat.TEXT, ascii("-infinity"))).isEqualTo(LocalDateTime.MIN);
            assertThat(parameter(type, ValueFormat.BINARY, binary)).isEqualTo(LocalDateTime.MAX);
            assertThat(parameter(type, ValueFormat.BINARY, negative)).isEqualTo(LocalDateTime.MIN);
        }
        for (PostgresType type : List.of(PostgresType.DATE, PostgresType.TIMESTAMP, PostgresType.TIMESTAMPTZ)) {
            ParameterWriter writer = new ParameterWriter(64, 1 << 20).begin();
            ParameterForm.addInstant(writer, type, ValueFormat.TEXT, ascii("infinity"), BERLIN);
            byte[] list = writer.toByteArray();
            assertThat(new ParameterReader(1 << 20).wrap(list, 0, list.length).object(0))
                    .isEqualTo(LocalDateTime.MAX);
            assertThat(ParameterForm.elements(type, ValueFormat.TEXT, ascii("{-infinity}"), BERLIN, true))
                    .containsExactly(Instant.MIN);
        }
    }

    /** The day of the year 138,865 that cells have for infinity. */
    @Test
    void theDayThatStandsForInfinityIsRefused() {
        String day =
                CellValues.date(InfiniteTime.DAY - 1).plusDays(1).toString().substring(1);
        for (PostgresType type : List.of(PostgresType.DATE, PostgresType.TIMESTAMP)) {
            assertCode(ErrorCode.DATETIME_OUT_OF_RANGE, () -> parameter(type, ValueFormat.TEXT, ascii(day)));
        }
    }

    @Test
    void parametersThatFulmarCannotHoldAreRefused() {
        assertCode(
                ErrorCode.DATETIME_OUT_OF_RANGE,
                () -> parameter(PostgresType.TIME, ValueFormat.TEXT, ascii("24:00:00")));
        assertCode(ErrorCode.INVALID_DATETIME, () -> parameter(PostgresType.INTERVAL, ValueFormat.TEXT, ascii("x")));
        assertCode(ErrorCode.INVALID_CHARACTERS, () -> parameter(PostgresType.TEXT, ValueFormat.TEXT, new byte[] {0}));
    }

    @Test
    void anArrayIsOneParameter() {
        ParameterWriter writer = new ParameterWriter(64, 1 << 20).begin();
        ParameterForm.addArray(writer, PostgresType.INT4, ValueFormat.TEXT, ascii("{1,2}"), BERLIN);
        ParameterForm.addArray(
                writer, PostgresType.TIMESTAMPTZ, ValueFormat.TEXT, ascii("{2024-07-01 10:00Z}"), BERLIN);
        ParameterForm.addArray(writer, PostgresType.TEXT, ValueFormat.TEXT, null, BERLIN);
        ParameterWriter expected = new ParameterWriter(64, 1 << 20).begin();
        expected.addArray(new long[] {1, 2})
                .addArray(new Object[] {LocalDateTime.of(2024, 7, 1, 12, 0)})
                .addNull();
        assertThat(writer.toByteArray()).isEqualTo(expected.toByteArray());
        assertCode(
                ErrorCode.NOT_SUPPORTED,
                () -> ParameterForm.addArray(writer, PostgresType.INT4, ValueFormat.TEXT, ascii("{NULL}"), BERLIN));
    }

    @Test
    void aValueOfAnotherClassIsRefused() {
        assertCode(
                ErrorCode.TYPE_MISMATCH,
                () -> ValueForm.write(Unpooled.buffer(), PostgresType.DATE, ValueFormat.TEXT, "x", BERLIN));
        assertCode(
                ErrorCode.VALUE_OUT_OF_RANGE,
                () -> ValueForm.write(Unpooled.buffer(), PostgresType.INT2, ValueFormat.BINARY, 40_000L, BERLIN));
        assertThat(Arrays.stream(PostgresType.values()).filter(PostgresType::isText))
                .contains(PostgresType.TEXT, PostgresType.JSON);
    }
}
