package dev.fulmar.engine.execution;

import dev.fulmar.engine.execution.expression.ParameterSlots;
import dev.fulmar.engine.execution.value.ArrayTexts;
import dev.fulmar.engine.execution.value.Decimals;
import dev.fulmar.engine.execution.value.ErrorPlaces;
import dev.fulmar.engine.execution.value.NativeText;
import dev.fulmar.engine.execution.value.Temporals;
import dev.fulmar.engine.execution.value.Texts;
import dev.fulmar.engine.execution.value.ValueRange;
import dev.fulmar.engine.execution.value.WideValue;
import dev.fulmar.engine.json.JsonText;
import dev.fulmar.engine.memory.OffHeap;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.InfiniteTime;
import dev.fulmar.foundation.data.Interval;
import dev.fulmar.foundation.data.IntervalShape;
import dev.fulmar.foundation.data.Numeric;
import dev.fulmar.foundation.data.NumericBytes;
import dev.fulmar.foundation.data.ParameterReader;
import dev.fulmar.foundation.data.ParameterWriter;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.time.ZoneOffset;
import java.util.UUID;

/**
 * The parameter values of one execution of a statement, converted to the parameters' declared types as they are set. A
 * setter fails with VALUE_OUT_OF_RANGE, STRING_TOO_LONG, INVALID_TEXT or TYPE_MISMATCH, so that what runs later needs
 * no check. Evaluators read the converted values as {@code ParameterSlots}. Made to be used again: {@link #reset} turns
 * it into the bindings of any statement. No setter of a primitive allocates. One thread.
 */
public final class Bindings {
    private static final int MOST_INTEGER_DIGITS = 19;

    private final ParameterSlots slots = new ParameterSlots();
    private ParameterTypes types;

    public Bindings(ParameterTypes types) {
        this.types = types;
        slots.reset(types.count());
    }

    /** Starts anew for a statement with these parameters; all are null. */
    public void reset(ParameterTypes newTypes) {
        types = newTypes;
        slots.reset(newTypes.count());
    }

    public int count() {
        return types.count();
    }

    public ColumnType type(int parameter) {
        return types.type(parameter);
    }

    ParameterSlots slots() {
        return slots;
    }

    public void setNull(int parameter) {
        checkParameter(parameter);
        slots.setNull(parameter);
    }

    /**
     * An integer; for BOOLEAN 0 or 1, for DATE days, for TIME and TIMESTAMP microseconds, for DECIMAL a whole number.
     */
    public void setLong(int parameter, long value) {
        checkParameter(parameter);
        switch (types.fromLong(parameter)) {
            case BOUNDED -> {
                if (value < types.minimum(parameter) || value > types.maximum(parameter)) {
                    throw outOfRange(parameter, ValueRange.shown(value, type(parameter)));
                }
                slots.setLong(parameter, value);
            }
            case DECIMAL -> slots.setLong(parameter, rescaled(parameter, value, 0));
            case WIDE_DECIMAL -> setExact(parameter, BigDecimal.valueOf(value));
            case DOUBLE -> slots.setDouble(parameter, (double) value);
            case REAL -> slots.setDouble(parameter, (float) value);
            case NUMERIC -> setNumeric(parameter, Numeric.of(value));
            case IMPOSSIBLE -> throw mismatch(parameter, "integer");
        }
    }

    public void setBoolean(int parameter, boolean value) {
        checkParameter(parameter);
        if (type(parameter).kind() != TypeKind.BOOLEAN) {
            throw mismatch(parameter, "boolean");
        }
        slots.setLong(parameter, value ? 1 : 0);
    }

    /** A floating-point number; an integer parameter takes it only if it is a whole number. */
    public void setDouble(int parameter, double value) {
        checkParameter(parameter);
        ColumnType type = type(parameter);
        switch (type.kind()) {
            case DOUBLE -> slots.setDouble(parameter, value);
            case REAL -> slots.setDouble(parameter, toReal(parameter, value));
            case DECIMAL -> {
                if (Double.isNaN(value) || Double.isInfinite(value)) {
                    throw outOfRange(parameter, Double.toString(value));
                }
                setExact(parameter, BigDecimal.valueOf(value));
            }
            case NUMERIC -> setNumeric(parameter, Numeric.of(value, Numeric.DOUBLE_DIGITS));
            case TINYINT, SMALLINT, INTEGER, BIGINT -> {
                if (value != Math.rint(value) || value < -0x1p63 || value >= 0x1p63) {
                    throw outOfRange(parameter, Double.toString(value));
                }
                setLong(parameter, (long) value);
            }
            default -> throw mismatch(parameter, "floating-point number");
        }
    }

    private long rescaled(int parameter, long unscaled, int scale) {
        try {
            return Decimals.rescale(unscaled, scale, type(parameter));
        } catch (FulmarException e) {
            throw placed(parameter, e);
        }
    }

    private double toReal(int parameter, double value) {
        float real = (float) value;
        if (Float.isInfinite(real) && !Double.isInfinite(value)) {
            throw outOfRange(parameter, Double.toString(value));
        }
        return real;
    }

    /** An exact number by its unscaled value; a number with more fraction digits than the parameter is rounded. */
    public void setDecimal(int parameter, long unscaled, int scale) {
        checkParameter(parameter);
        if (type(parameter).kind() == TypeKind.DECIMAL
                && types.fromLong(parameter) == ParameterTypes.FromLong.DECIMAL) {
            slots.setLong(parameter, rescaled(parameter, unscaled, scale));
        } else {
            setDecimal(parameter, BigDecimal.valueOf(unscaled, scale));
        }
    }

    /** An exact number; an integer parameter takes it only if it is a whole number. */
    public void setDecimal(int parameter, BigDecimal value) {
        checkParameter(parameter);
        ColumnType type = type(parameter);
        switch (type.kind()) {
            case DECIMAL -> setExact(parameter, value);
            case NUMERIC -> setNumeric(parameter, Numeric.of(value));
            case DOUBLE -> slots.setDouble(parameter, value.doubleValue());
            case REAL -> slots.setDouble(parameter, toReal(parameter, value.doubleValue()));
            case TINYINT, SMALLINT, INTEGER, BIGINT -> {
                if (value.precision() - (long) value.scale() > MOST_INTEGER_DIGITS) {
                    throw outOfRange(parameter, Decimals.shown(value));
                }
                BigInteger whole = value.setScale(0, RoundingMode.HALF_UP).unscaledValue();
                if (value.compareTo(new BigDecimal(whole)) != 0 || whole.bitLength() > 63) {
                    throw outOfRange(parameter, Decimals.shown(value));
                }
                setLong(parameter, whole.longValue());
            }
            default -> throw mismatch(parameter, "decimal");
        }
    }

    private void setExact(int parameter, BigDecimal value) {
        BigInteger unscaled;
        try {
            unscaled = Decimals.unscaled(value, type(parameter));
        } catch (FulmarException e) {
            throw placed(parameter, e);
        }
        setUnscaled(parameter, unscaled);
    }

    private void setUnscaled(int parameter, BigInteger unscaled) {
        if (types.fromLong(parameter) == ParameterTypes.FromLong.DECIMAL) {
            slots.setLong(parameter, unscaled.longValue());
        } else {
            slots.setWide(parameter, unscaled.shiftRight(64).longValue(), unscaled.longValue());
        }
    }

    /** A value as a cell of the parameter's type holds it, which may be an infinity of a date or timestamp. */
    void setCell(int parameter, long value) {
        checkParameter(parameter);
        if (InfiniteTime.is(value, type(parameter).kind())) {
            slots.setLong(parameter, value);
        } else {
            setLong(parameter, value);
        }
    }

    public void setDate(int parameter, long epochDay) {
        checkParameter(parameter);
        switch (type(parameter).kind()) {
            case DATE -> setCell(parameter, epochDay);
            case TIMESTAMP, TIMESTAMP_TZ -> {
                if (!Temporals.isValue(epochDay, TypeKind.DATE)) {
                    throw outOfRange(parameter, ValueRange.shown(epochDay, ColumnType.of(TypeKind.DATE)));
                }
                slots.setLong(parameter, epochDay * Temporals.MICROS_PER_DAY);
            }
            case BOOLEAN,
                    TINYINT,
                    SMALLINT,
                    INTEGER,
                    BIGINT,
                    DECIMAL,
                    REAL,
                    DOUBLE,
                    CHAR,
                    VARCHAR,
                    VARBINARY,
                    TIME,
                    UUID,
                    JSON,
                    JSONB,
                    INTERVAL,
                    ARRAY,
                    ENUM,
                    NUMERIC -> throw mismatch(parameter, "date");
        }
    }

    public void setTime(int parameter, long microsOfDay) {
        checkParameter(parameter);
        if (type(parameter).kind() != TypeKind.TIME) {
            throw mismatch(parameter, "time");
        }
        setLong(parameter, microsOfDay);
    }

    public void setTimestamp(int parameter, long epochMicros) {
        checkParameter(parameter);
        switch (type(parameter).kind()) {
            case TIMESTAMP, TIMESTAMP_TZ -> setCell(parameter, epochMicros);
            case DATE -> setCell(parameter, InfiniteTime.dayOf(epochMicros));
            case TIME -> setLong(parameter, Temporals.timeOf(finite(epochMicros)));
            // BIGINT columns of microseconds are common; the value is the same number.
            case BIGINT -> slots.setLong(parameter, finite(epochMicros));
            case BOOLEAN,
                    TINYINT,
                    SMALLINT,
                    INTEGER,
                    DECIMAL,
                    REAL,
                    DOUBLE,
                    CHAR,
                    VARCHAR,
                    VARBINARY,
                    UUID,
                    JSON,
                    JSONB,
                    INTERVAL,
                    ARRAY,
                    ENUM,
                    NUMERIC -> throw mismatch(parameter, "timestamp");
        }
    }

    private static long finite(long epochMicros) {
        return Temporals.finite(epochMicros, TypeKind.TIMESTAMP, "make a TIME or a number of infinity");
    }

    public void setUuid(int parameter, long high, long low) {
        checkParameter(parameter);
        if (type(parameter).kind() != TypeKind.UUID) {
            throw mismatch(parameter, "UUID");
        }
        slots.setWide(parameter, high, low);
    }

    /** Text; parameters of other types take what a CAST of the text would give. */
    public void setString(int parameter, String value) {
        checkParameter(parameter);
        try {
            convert(parameter, value, type(parameter));
        } catch (FulmarException e) {
            throw placed(parameter, e);
        }
    }

    private void convert(int parameter, String value, ColumnType type) {
        switch (type.kind()) {
            case CHAR, VARCHAR -> {
                long target = slots.beginBytes(NativeText.maxBytes(value));
                finishText(parameter, target, NativeText.encode(value, target));
            }
            case BOOLEAN -> slots.setLong(parameter, Texts.parseBoolean(value) ? 1 : 0);
            case TINYINT, SMALLINT, INTEGER, BIGINT, DECIMAL -> setDecimal(parameter, Texts.parseDecimal(value, type));
            case REAL, DOUBLE -> setDouble(parameter, Texts.parseDouble(value, type));
            case DATE -> slots.setLong(parameter, Temporals.parseDate(value));
            case TIME -> slots.setLong(parameter, Temporals.parseTime(value));
            case TIMESTAMP -> slots.setLong(parameter, Temporals.parseTimestamp(value));
            case TIMESTAMP_TZ -> slots.setLong(parameter, Temporals.parseTimestampTz(value, ZoneOffset.UTC));
            case UUID -> {
                UUID uuid = Texts.parseUuid(value);
                slots.setWide(parameter, uuid.getMostSignificantBits(), uuid.getLeastSignificantBits());
            }
            case JSON, JSONB -> setDocument(parameter, JsonText.of(value, type));
            case INTERVAL -> {
                Interval interval = IntervalShape.of(type).parse(value);
                slots.setWide(parameter, interval.high(), interval.low());
            }
            case ARRAY -> setArray(parameter, ArrayTexts.parse(value, type, ZoneOffset.UTC));
            case ENUM -> slots.setLong(parameter, type.labels().code(value));
            case NUMERIC -> setNumeric(parameter, Numeric.parse(value));
            case VARBINARY -> throw mismatch(parameter, "text");
        }
    }

    /** A NUMERIC, rounded to the digits of the parameter's type. */
    void setNumeric(int parameter, Numeric value) {
        checkParameter(parameter);
        if (type(parameter).kind() != TypeKind.NUMERIC) {
            setString(parameter, value.toString());
            return;
        }
        try {
            setArray(parameter, NumericBytes.of(value.fitted(type(parameter))));
        } catch (FulmarException e) {
            throw placed(parameter, e);
        }
    }

    /** The code of a label of an ENUM, from a value of the same type. */
    void setCode(int parameter, long code) {
        checkParameter(parameter);
        if (type(parameter).kind() != TypeKind.ENUM) {
            throw mismatch(parameter, "label");
        }
        slots.setLong(parameter, code);
    }

    private void setDocument(int parameter, String document) {
        long target = slots.beginBytes(NativeText.maxBytes(document));
        slots.finishBytes(parameter, NativeText.encode(document, target));
    }

    private void setArray(int parameter, byte[] array) {
        long target = slots.beginBytes(array.length);
        OffHeap.copy(array, 0, target, array.length);
        slots.finishBytes(parameter, array.length);
    }

    /** Bytes of a VARBINARY, or text in UTF-8, which must be valid for a parameter of characters. */
    public void setBytes(int parameter, byte[] source, int offset, int length) {
        checkParameter(parameter);
        if (takesBytes(parameter)) {
            long target = slots.beginBytes(length);
            OffHeap.copy(source, offset, target, length);
            finishText(parameter, target, length);
        } else if (isTextual(parameter)) {
            setString(parameter, new String(source, offset, length, StandardCharsets.UTF_8));
        } else {
            throw mismatch(parameter, "bytes");
        }
    }

    /** The same from native memory. */
    public void setBytes(int parameter, long address, int length) {
        checkParameter(parameter);
        if (takesBytes(parameter)) {
            long target = slots.beginBytes(length);
            OffHeap.copy(address, target, length);
            finishText(parameter, target, length);
        } else if (isTextual(parameter)) {
            setString(parameter, NativeText.decode(address, length));
        } else {
            throw mismatch(parameter, "bytes");
        }
    }

    private boolean takesBytes(int parameter) {
        return type(parameter).storage() == TypeKind.Storage.BYTES;
    }

    private boolean isTextual(int parameter) {
        return type(parameter).kind() != TypeKind.UUID;
    }

    /** A text takes as many characters, a VARBINARY as many bytes as its type says; CHAR drops blanks at the end. */
    private void finishText(int parameter, long address, int length) {
        ColumnType type = type(parameter);
        int kept = type.kind() == TypeKind.CHAR ? NativeText.withoutTrailingBlanks(address, length) : length;
        int limit = type.precision();
        if (kept > limit && limit > 0 && !type.isArray()) {
            int units = type.kind() == TypeKind.VARBINARY ? kept : NativeText.characters(address, kept);
            if (units > limit) {
                throw placed(parameter, Texts.tooLong(type, units));
            }
        }
        slots.finishBytes(parameter, kept);
    }

    /**
     * A 128-bit value in the parameter's own form: a UUID, an interval, or the unscaled value of a DECIMAL of more than
     * 18 digits.
     */
    public void setWide(int parameter, long high, long low) {
        checkParameter(parameter);
        if (type(parameter).storage() != TypeKind.Storage.WIDE) {
            throw mismatch(parameter, "128-bit value");
        }
        if (type(parameter).kind() == TypeKind.DECIMAL
                && WideValue.toBigInteger(high, low)
                                .abs()
                                .compareTo(Decimals.bigPower(type(parameter).precision()))
                        >= 0) {
            throw outOfRange(
                    parameter,
                    Decimals.shown(new BigDecimal(
                            WideValue.toBigInteger(high, low), type(parameter).scale())));
        }
        slots.setWide(parameter, high, low);
    }

    /** Takes a single value of a parameter list over, converted. */
    public void set(int parameter, ParameterReader source, int position) {
        switch (source.tag(position)) {
            case NULL -> setNull(parameter);
            case BOOLEAN -> setBoolean(parameter, source.getBoolean(position));
            case LONG -> setLong(parameter, source.getLong(position));
            case DOUBLE -> setDouble(parameter, source.getDouble(position));
            case DECIMAL -> setDecimal(parameter, source, position);
            case STRING -> {
                if (types.type(parameter).kind().isCharacter()) {
                    setBytes(parameter, source.array(), source.bytesOffset(position), source.bytesLength(position));
                } else {
                    String text = new String(
                            source.array(),
                            source.bytesOffset(position),
                            source.bytesLength(position),
                            StandardCharsets.UTF_8);
                    setString(parameter, text);
                }
            }
            case BYTES -> {
                if (types.type(parameter).kind() != TypeKind.VARBINARY) {
                    throw mismatch(parameter, "bytes");
                }
                setBytes(parameter, source.array(), source.bytesOffset(position), source.bytesLength(position));
            }
            case DATE -> setDate(parameter, source.getLong(position));
            case TIME -> setTime(parameter, source.getLong(position));
            case TIMESTAMP -> setTimestamp(parameter, source.getLong(position));
            case UUID -> setUuid(parameter, source.getUuidHigh(position), source.getUuidLow(position));
            case ARRAY -> throw mismatch(parameter, "array");
        }
    }

    private void setDecimal(int parameter, ParameterReader source, int position) {
        long high = source.decimalHigh(position);
        long low = source.decimalLow(position);
        int scale = source.decimalScale(position);
        if (high == low >> 63) {
            setDecimal(parameter, low, scale);
        } else {
            setDecimal(parameter, new BigDecimal(WideValue.toBigInteger(high, low), scale));
        }
    }

    /** Takes over a list that {@link #writeTo} wrote for the same types. */
    public void readFrom(ParameterReader source) {
        if (source.count() != types.count()) {
            throw new FulmarException(
                    ErrorCode.WRONG_PARAMETERS,
                    "the statement has " + counted(types.count()) + " but " + source.count()
                            + (source.count() == 1 ? " was" : " were") + " given; pass one value per ?");
        }
        for (int parameter = 0; parameter < types.count(); parameter++) {
            set(parameter, source, parameter);
        }
    }

    /** Writes all values as one parameter list. */
    public void writeTo(ParameterWriter target) {
        target.begin();
        for (int parameter = 0; parameter < types.count(); parameter++) {
            if (slots.isNull(parameter)) {
                target.addNull();
            } else {
                write(parameter, target);
            }
        }
        target.end();
    }

    private void write(int parameter, ParameterWriter target) {
        ColumnType type = types.type(parameter);
        switch (type.kind()) {
            case BOOLEAN -> target.add(slots.getLong(parameter) != 0);
            case TINYINT, SMALLINT, INTEGER, BIGINT -> target.add(slots.getLong(parameter));
            case REAL, DOUBLE -> target.add(slots.getDouble(parameter));
            case DATE -> target.addDate(slots.getLong(parameter));
            case TIME -> target.addTime(slots.getLong(parameter));
            case TIMESTAMP, TIMESTAMP_TZ -> target.addTimestamp(slots.getLong(parameter));
            case UUID -> target.addUuid(slots.high(parameter), slots.low(parameter));
            case INTERVAL ->
                target.add(Interval.ofBits(slots.high(parameter), slots.low(parameter))
                        .toString());
            case ENUM -> {
                byte[] label = type.labels().label(slots.getLong(parameter));
                target.addUtf8(label, 0, label.length);
            }
            case DECIMAL -> {
                if (type.storage() == TypeKind.Storage.LONG) {
                    target.addDecimal(slots.getLong(parameter), type.scale());
                } else {
                    BigInteger unscaled = WideValue.toBigInteger(slots.high(parameter), slots.low(parameter));
                    target.add(new BigDecimal(unscaled, type.scale()));
                }
            }
            case CHAR, VARCHAR, VARBINARY, JSON, JSONB, ARRAY, NUMERIC -> {
                byte[] bytes = new byte[slots.bytesLength(parameter)];
                OffHeap.copy(slots.bytesAddress(parameter), bytes, 0, bytes.length);
                if (type.isArray()) {
                    target.add(ArrayTexts.text(bytes, type.element(), ZoneOffset.UTC));
                } else if (type.kind() == TypeKind.NUMERIC) {
                    target.add(NumericBytes.value(bytes).toString());
                } else if (type.kind() == TypeKind.VARBINARY) {
                    target.add(bytes, 0, bytes.length);
                } else {
                    target.addUtf8(bytes, 0, bytes.length);
                }
            }
        }
    }

    public boolean isNull(int parameter) {
        return slots.isNull(parameter);
    }

    /** Value of a parameter of storage LONG. */
    public long getLong(int parameter) {
        return slots.getLong(parameter);
    }

    public double getDouble(int parameter) {
        return slots.getDouble(parameter);
    }

    public long high(int parameter) {
        return slots.high(parameter);
    }

    public long low(int parameter) {
        return slots.low(parameter);
    }

    /** Address of a parameter of storage BYTES; good until the next bytes are set. */
    public long bytesAddress(int parameter) {
        return slots.bytesAddress(parameter);
    }

    public int bytesLength(int parameter) {
        return slots.bytesLength(parameter);
    }

    private void checkParameter(int parameter) {
        if (parameter < 0 || parameter >= types.count()) {
            throw new FulmarException(
                    ErrorCode.WRONG_PARAMETERS,
                    "the statement has " + counted(types.count()) + " but more were given; pass one value per ?");
        }
    }

    private static String counted(int parameters) {
        return switch (parameters) {
            case 0 -> "no parameter";
            case 1 -> "1 parameter";
            default -> parameters + " parameters";
        };
    }

    private FulmarException mismatch(int parameter, String given) {
        return new FulmarException(
                ErrorCode.TYPE_MISMATCH,
                types.place(parameter) + " is " + type(parameter) + " and takes no " + given + "; pass "
                        + ParameterTypes.taken(type(parameter).kind()));
    }

    private FulmarException outOfRange(int parameter, String value) {
        return placed(parameter, ValueRange.outOfRange(value, type(parameter)));
    }

    private FulmarException placed(int parameter, FulmarException error) {
        return ErrorPlaces.ofValue(types.place(parameter), error);
    }
}
