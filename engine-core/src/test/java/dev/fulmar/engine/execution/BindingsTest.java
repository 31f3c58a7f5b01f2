package dev.fulmar.engine.execution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.engine.execution.value.NativeText;
import dev.fulmar.engine.execution.value.Temporals;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.InfiniteTime;
import dev.fulmar.foundation.data.ParameterReader;
import dev.fulmar.foundation.data.ParameterWriter;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class BindingsTest {
    private static final int TINY = 0;
    private static final int INT = 1;
    private static final int MONEY = 2;
    private static final int WIDE = 3;
    private static final int REAL = 4;
    private static final int NAME = 5;
    private static final int CODE = 6;
    private static final int BYTES = 7;
    private static final int DAY = 8;
    private static final int MOMENT = 9;
    private static final int ID = 10;
    private static final int TRUTH = 11;
    private static final int CLOCK = 12;

    private static final List<ColumnType> TYPES = List.of(
            ColumnType.of(TypeKind.TINYINT),
            ColumnType.of(TypeKind.INTEGER),
            ColumnType.decimal(6, 2),
            ColumnType.decimal(30, 3),
            ColumnType.of(TypeKind.REAL),
            ColumnType.varchar(4),
            new ColumnType(TypeKind.CHAR, 4, 0),
            new ColumnType(TypeKind.VARBINARY, 3, 0),
            ColumnType.of(TypeKind.DATE),
            ColumnType.of(TypeKind.TIMESTAMP),
            ColumnType.of(TypeKind.UUID),
            ColumnType.of(TypeKind.BOOLEAN),
            ColumnType.of(TypeKind.TIME));

    private final Bindings bindings = new Bindings(new ParameterTypes(TYPES));

    private static void fails(ErrorCode code, ThrowingCallable work) {
        assertThatThrownBy(work)
                .isInstanceOfSatisfying(
                        FulmarException.class, e -> assertThat(e.code()).isEqualTo(code));
    }

    private String text(int parameter) {
        return NativeText.decode(bindings.bytesAddress(parameter), bindings.bytesLength(parameter));
    }

    @Test
    void longsFitOrFail() {
        bindings.setLong(TINY, -128);
        bindings.setLong(INT, Integer.MAX_VALUE);
        bindings.setLong(MONEY, -9999);
        bindings.setLong(WIDE, Long.MIN_VALUE);
        bindings.setLong(REAL, 3);
        bindings.setLong(TRUTH, 1);
        assertThat(bindings.getLong(TINY)).isEqualTo(-128);
        assertThat(bindings.getLong(INT)).isEqualTo(Integer.MAX_VALUE);
        assertThat(bindings.getLong(MONEY)).isEqualTo(-999900);
        assertThat(bindings.high(WIDE)).isEqualTo(-500);
        assertThat(bindings.low(WIDE)).isZero();
        assertThat(bindings.getDouble(REAL)).isEqualTo(3.0);
        fails(ErrorCode.VALUE_OUT_OF_RANGE, () -> bindings.setLong(TINY, 128));
        fails(ErrorCode.VALUE_OUT_OF_RANGE, () -> bindings.setLong(INT, 1L << 31));
        fails(ErrorCode.VALUE_OUT_OF_RANGE, () -> bindings.setLong(MONEY, 10000));
        fails(ErrorCode.VALUE_OUT_OF_RANGE, () -> bindings.setLong(TRUTH, 2));
        fails(ErrorCode.DATETIME_OUT_OF_RANGE, () -> bindings.setLong(DAY, Long.MAX_VALUE));
        fails(ErrorCode.DATETIME_OUT_OF_RANGE, () -> bindings.setTime(CLOCK, 86_400_000_000L));
        fails(ErrorCode.TYPE_MISMATCH, () -> bindings.setLong(NAME, 1));
        fails(ErrorCode.WRONG_PARAMETERS, () -> bindings.setLong(13, 1));
    }

    @Test
    void fractionsAreRoundedByDecimalsOnly() {
        bindings.setDouble(MONEY, 0.125);
        assertThat(bindings.getLong(MONEY)).isEqualTo(13);
        bindings.setDecimal(MONEY, -125, 3);
        assertThat(bindings.getLong(MONEY)).isEqualTo(-13);
        bindings.setDecimal(WIDE, new BigDecimal("-12345678901234567890.0005"));
        assertThat(bindings.low(WIDE)).isEqualTo(new BigDecimal("-12345678901234567890001").longValue());
        bindings.setDouble(INT, 5.0);
        assertThat(bindings.getLong(INT)).isEqualTo(5);
        fails(ErrorCode.VALUE_OUT_OF_RANGE, () -> bindings.setDouble(INT, 5.5));
        fails(ErrorCode.VALUE_OUT_OF_RANGE, () -> bindings.setDecimal(INT, 55, 1));
        fails(ErrorCode.VALUE_OUT_OF_RANGE, () -> bindings.setDouble(REAL, 1e300));
        fails(ErrorCode.VALUE_OUT_OF_RANGE, () -> bindings.setDouble(MONEY, Double.NaN));
        fails(ErrorCode.TYPE_MISMATCH, () -> bindings.setDouble(DAY, 1));
    }

    private static void says(String message, ThrowingCallable work) {
        assertThatThrownBy(work).isInstanceOf(FulmarException.class).hasMessage(message);
    }

    @Test
    void errorsSayWhichParameterAndShowItsValueAsSqlWritesIt() {
        says(
                "parameter 1: 128 does not fit in TINYINT; use a wider type or another value",
                () -> bindings.setLong(TINY, 128));
        says(
                "parameter 3: 10000.00 does not fit in DECIMAL(6, 2); use a type with more digits",
                () -> bindings.setLong(MONEY, 10000));
        says(
                "parameter 3: -12345.67 does not fit in DECIMAL(6, 2); use a type with more digits",
                () -> bindings.setDecimal(MONEY, -1234567, 2));
        says(
                "parameter 3: NaN does not fit in DECIMAL(6, 2); use a wider type or another value",
                () -> bindings.setDouble(MONEY, Double.NaN));
        says(
                "parameter 2: 5.5 does not fit in INTEGER; use a wider type or another value",
                () -> bindings.setDecimal(INT, 55, 1));
        says(
                "parameter 2: 1000000000000000000000 does not fit in INTEGER; use a wider type or another value",
                () -> bindings.setString(INT, "1e21"));
        says("parameter 2: 'x' is no INTEGER; write it as a number", () -> bindings.setString(INT, "x"));
        says(
                "parameter 6: a value of 5 characters does not fit in VARCHAR(4); shorten it",
                () -> bindings.setString(NAME, "abcde"));
        says(
                "parameter 8: a value of 4 bytes does not fit in VARBINARY(3); shorten it",
                () -> bindings.setBytes(BYTES, new byte[4], 0, 4));
        says(
                "parameter 13: 24:15:00 is no TIME; times go from 00:00:00 to 23:59:59.999999",
                () -> bindings.setTime(CLOCK, 87_300_000_000L));
        says(
                "parameter 9: 0001-12-31 BC is no DATE; years go from 0001 to 9999",
                () -> bindings.setDate(DAY, Temporals.MIN_DAY - 1));
        says(
                "parameter 10: 10000-01-01 is no TIMESTAMP; years go from 0001 to 9999",
                () -> bindings.setDate(MOMENT, Temporals.MAX_DAY + 1));
        says(
                "parameter 10: 10000-01-01 00:00:00.000001 is no TIMESTAMP; years go from 0001 to 9999",
                () -> bindings.setTimestamp(MOMENT, Temporals.MAX_TIMESTAMP + 2));
        says(
                "parameter 9: 138865-05-08 is no DATE; years go from 0001 to 9999",
                () -> bindings.setLong(DAY, InfiniteTime.DAY));
        says(
                "cannot make a TIME or a number of infinity; leave infinities out with ISFINITE",
                () -> bindings.setTimestamp(CLOCK, InfiniteTime.MICROS));
        says(
                "parameter 9: '2024-13-01' is no DATE, for one of its parts is out of range; write it as YYYY-MM-DD",
                () -> bindings.setString(DAY, "2024-13-01"));
        says("parameter 6 is VARCHAR(4) and takes no integer; pass text", () -> bindings.setLong(NAME, 1));
        says(
                "parameter 11 is UUID and takes no boolean; pass a UUID, or its text",
                () -> bindings.setBoolean(ID, true));
    }

    @Test
    void errorsNameTheColumnThatStoresTheParameter() {
        List<ColumnType> types = List.of(ColumnType.of(TypeKind.TINYINT), ColumnType.varchar(4));
        List<String> columns = List.of("column N of T", "");
        Bindings named = new Bindings(new ParameterTypes(types, columns, true));
        says(
                "parameter 1 for column N of T: 128 does not fit in TINYINT; use a wider type or another value",
                () -> named.setLong(0, 128));
        says("parameter 1 for column N of T is TINYINT and takes no date; pass an integer", () -> named.setDate(0, 1));
        says(
                "parameter 2: a value of 5 characters does not fit in VARCHAR(4); shorten it",
                () -> named.setString(1, "abcde"));
        Bindings unnumbered = new Bindings(new ParameterTypes(types, columns, false));
        says(
                "column N of T: 128 does not fit in TINYINT; use a wider type or another value",
                () -> unnumbered.setLong(0, 128));
    }

    @Test
    void textIsMeasuredInCharacters() {
        bindings.setString(NAME, "\u00e9\u00e9\u00e9\u00e9");
        bindings.setString(CODE, "ab    ");
        bindings.setString(NAME, "x\ud83d\ude00");
        assertThat(text(NAME)).isEqualTo("x\ud83d\ude00");
        assertThat(text(CODE)).isEqualTo("ab");
        fails(ErrorCode.STRING_TOO_LONG, () -> bindings.setString(NAME, "abcde"));
        fails(ErrorCode.STRING_TOO_LONG, () -> bindings.setBytes(BYTES, new byte[4], 0, 4));
        assertThat(text(NAME)).isEqualTo("x\ud83d\ude00");
        bindings.setString(MONEY, "12.345");
        bindings.setString(DAY, "1970-01-03");
        bindings.setString(TRUTH, "true");
        assertThat(bindings.getLong(MONEY)).isEqualTo(1235);
        assertThat(bindings.getLong(DAY)).isEqualTo(2);
        assertThat(bindings.getLong(TRUTH)).isEqualTo(1);
        fails(ErrorCode.INVALID_TEXT, () -> bindings.setString(INT, "x"));
        fails(ErrorCode.TYPE_MISMATCH, () -> bindings.setString(BYTES, "x"));
        for (int i = 0; i < 1000; i++) {
            bindings.setString(NAME, "n" + i % 7);
        }
        assertThat(text(CODE)).as("survives growth").isEqualTo("ab");
    }

    @Test
    void resetForgetsEverything() {
        bindings.setLong(INT, 5);
        bindings.reset(new ParameterTypes(List.of(ColumnType.varchar(3), ColumnType.varchar(3))));
        assertThat(bindings.count()).isEqualTo(2);
        assertThat(bindings.isNull(1)).isTrue();
        bindings.setString(1, "abc");
        assertThat(text(1)).isEqualTo("abc");
        bindings.setNull(1);
        assertThat(bindings.isNull(1)).isTrue();
    }

    @Test
    void whatIsWrittenReadsBackTheSame() {
        bindings.setLong(TINY, -5);
        bindings.setDecimal(MONEY, 12345, 2);
        bindings.setDecimal(WIDE, new BigDecimal("-123456789012345678901234567.125"));
        bindings.setDouble(REAL, 1.5);
        bindings.setString(NAME, "d\u00e9j\u00e0");
        bindings.setBytes(BYTES, "\u00ff".getBytes(StandardCharsets.ISO_8859_1), 0, 1);
        bindings.setDate(DAY, -1);
        bindings.setTimestamp(MOMENT, -1);
        bindings.setUuid(ID, 1, -2);
        bindings.setBoolean(TRUTH, true);
        bindings.setTime(CLOCK, 7);
        ParameterWriter writer = new ParameterWriter(16, 1 << 20);
        bindings.writeTo(writer);
        byte[] list = writer.toByteArray();
        Bindings copy = new Bindings(new ParameterTypes(TYPES));
        copy.readFrom(new ParameterReader(ParameterWriter.MAX_PARAMETERS).wrap(list, 0, list.length));
        ParameterWriter second = new ParameterWriter(16, 1 << 20);
        copy.writeTo(second);
        assertThat(second.toByteArray()).isEqualTo(list);
        assertThat(copy.isNull(INT)).isTrue();
        assertThat(copy.high(WIDE)).isEqualTo(bindings.high(WIDE));
        assertThat(copy.low(ID)).isEqualTo(-2);
        byte[] text = new ParameterWriter(16, 1 << 20)
                .begin()
                .add("00000000-0000-0001-ffff-fffffffffffe")
                .add("1970-01-02")
                .toByteArray();
        ParameterReader texts = new ParameterReader(2).wrap(text, 0, text.length);
        copy.set(ID, texts, 0);
        copy.set(DAY, texts, 1);
        assertThat(copy.low(ID)).isEqualTo(-2);
        assertThat(copy.getLong(DAY)).isEqualTo(1);
    }
}
