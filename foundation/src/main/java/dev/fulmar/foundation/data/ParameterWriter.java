package dev.fulmar.foundation.data;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.Arrays;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Writes a parameter list into an array that grows and is used again: {@link #begin()}, one call per value,
 * {@link #end()}. Primitives allocate nothing. Not thread-safe.
 */
public final class ParameterWriter {
    /** Most values that the format can count. */
    public static final int MAX_PARAMETERS = 0xffff;

    private static final int COUNT_BYTES = 2;
    private static final int MAX_ARRAY_BYTES = Integer.MAX_VALUE - 16;

    private final int maxBytes;
    private byte[] array;
    private int size;
    private int count;

    /** @param maxBytes limit of the whole list */
    public ParameterWriter(int initialBytes, int maxBytes) {
        if (initialBytes < COUNT_BYTES || maxBytes < initialBytes) {
            throw new IllegalArgumentException("sizes must satisfy 2 <= " + initialBytes + " <= " + maxBytes);
        }
        this.maxBytes = Math.min(maxBytes, MAX_ARRAY_BYTES);
        this.array = new byte[initialBytes];
        this.size = COUNT_BYTES;
    }

    /** Starts an empty list in place of what was written before. */
    public ParameterWriter begin() {
        size = COUNT_BYTES;
        count = 0;
        return this;
    }

    /** Ends the list; returns its length in bytes, from the start of {@link #array()}. */
    public int end() {
        LittleEndian.putShort(array, 0, count);
        return size;
    }

    public byte[] array() {
        return array;
    }

    public int count() {
        return count;
    }

    /** The finished list, copied. */
    public byte[] toByteArray() {
        return Arrays.copyOf(array, end());
    }

    public ParameterWriter addNull() {
        startValue(ParameterTag.NULL, 0);
        return this;
    }

    public ParameterWriter add(long value) {
        return addLong(ParameterTag.LONG, value);
    }

    public ParameterWriter add(double value) {
        return addLong(ParameterTag.DOUBLE, Double.doubleToRawLongBits(value));
    }

    public ParameterWriter add(boolean value) {
        startValue(ParameterTag.BOOLEAN, 1);
        array[size++] = (byte) (value ? 1 : 0);
        return this;
    }

    /** A DECIMAL without making an object. */
    public ParameterWriter addDecimal(long unscaled, int scale) {
        if (scale < 0 || scale > ColumnType.MAX_DECIMAL_DIGITS) {
            throw scaleOutOfRange(scale);
        }
        startValue(ParameterTag.DECIMAL, 2 + Long.BYTES);
        array[size] = (byte) scale;
        array[size + 1] = Long.BYTES;
        LittleEndian.putLong(array, size + 2, Long.reverseBytes(unscaled));
        size += 2 + Long.BYTES;
        return this;
    }

    public ParameterWriter add(@Nullable BigDecimal value) {
        if (value == null) {
            return addNull();
        }
        startValue(ParameterTag.DECIMAL, 0);
        putDecimal(value);
        return this;
    }

    public ParameterWriter add(@Nullable String value) {
        if (value == null) {
            return addNull();
        }
        startValue(ParameterTag.STRING, 0);
        putBytes(value.getBytes(StandardCharsets.UTF_8));
        return this;
    }

    /** Text that is UTF-8 already. */
    public ParameterWriter addUtf8(byte[] source, int offset, int length) {
        return addVariable(ParameterTag.STRING, source, offset, length);
    }

    public ParameterWriter add(byte @Nullable [] value) {
        return value == null ? addNull() : add(value, 0, value.length);
    }

    public ParameterWriter add(byte[] source, int offset, int length) {
        return addVariable(ParameterTag.BYTES, source, offset, length);
    }

    private ParameterWriter addVariable(ParameterTag tag, byte[] source, int offset, int length) {
        startValue(tag, Integer.BYTES + (long) length);
        LittleEndian.putInt(array, size, length);
        System.arraycopy(source, offset, array, size + Integer.BYTES, length);
        size += Integer.BYTES + length;
        return this;
    }

    public ParameterWriter add(@Nullable LocalDate value) {
        return value == null ? addNull() : addDate(CellValues.days(value));
    }

    public ParameterWriter add(@Nullable LocalTime value) {
        return value == null ? addNull() : addTime(CellValues.micros(value));
    }

    public ParameterWriter add(@Nullable LocalDateTime value) {
        return value == null ? addNull() : addTimestamp(CellValues.micros(value));
    }

    /** Days since 1970-01-01. */
    public ParameterWriter addDate(long days) {
        return addLong(ParameterTag.DATE, days);
    }

    /** Microseconds since midnight. */
    public ParameterWriter addTime(long micros) {
        return addLong(ParameterTag.TIME, micros);
    }

    /** Microseconds since the epoch. */
    public ParameterWriter addTimestamp(long micros) {
        return addLong(ParameterTag.TIMESTAMP, micros);
    }

    public ParameterWriter add(@Nullable UUID value) {
        return value == null ? addNull() : addUuid(value.getMostSignificantBits(), value.getLeastSignificantBits());
    }

    public ParameterWriter addUuid(long high, long low) {
        startValue(ParameterTag.UUID, 2 * Long.BYTES);
        putLong(high);
        putLong(low);
        return this;
    }

    /** Writes a copy of a value of another list. */
    public ParameterWriter addCopy(ParameterReader source, int position) {
        int length = source.encodedBytes(position);
        startValue(source.tag(position), length - 1L);
        System.arraycopy(source.array(), source.valueOffset(position), array, size, length - 1);
        size += length - 1;
        return this;
    }

    public ParameterWriter addArray(long[] values) {
        startArray(ParameterTag.LONG, values.length);
        for (long value : values) {
            putLong(value);
        }
        return this;
    }

    public ParameterWriter addArray(int[] values) {
        startArray(ParameterTag.LONG, values.length);
        for (int value : values) {
            putLong(value);
        }
        return this;
    }

    public ParameterWriter addArray(short[] values) {
        startArray(ParameterTag.LONG, values.length);
        for (short value : values) {
            putLong(value);
        }
        return this;
    }

    public ParameterWriter addArray(double[] values) {
        startArray(ParameterTag.DOUBLE, values.length);
        for (double value : values) {
            putLong(Double.doubleToRawLongBits(value));
        }
        return this;
    }

    public ParameterWriter addArray(float[] values) {
        startArray(ParameterTag.DOUBLE, values.length);
        for (float value : values) {
            putLong(Double.doubleToRawLongBits(value));
        }
        return this;
    }

    public ParameterWriter addArray(boolean[] values) {
        startArray(ParameterTag.BOOLEAN, values.length);
        for (boolean value : values) {
            array[size++] = (byte) (value ? 1 : 0);
        }
        return this;
    }

    /**
     * An array of objects of one type, without nulls. An empty one is written by its component type, {@code Object[]}
     * as an array of strings.
     */
    public ParameterWriter addArray(Object[] values) {
        ParameterTag tag = values.length == 0
                ? elementTag(values.getClass().getComponentType())
                : elementTag(values[0] == null ? Void.class : values[0].getClass());
        startArray(tag, values.length);
        for (Object value : values) {
            if (value == null || elementTag(value.getClass()) != tag) {
                throw new FulmarException(
                        ErrorCode.WRONG_PARAMETERS,
                        "an array parameter holds values of one type and no nulls, but one of its elements is "
                                + (value == null
                                        ? "null"
                                        : "a " + value.getClass().getSimpleName()) + " among " + tag
                                + " values");
            }
            putElement(tag, value);
        }
        return this;
    }

    /** Any value that another method of this class takes, boxed. */
    public ParameterWriter addObject(@Nullable Object value) {
        return switch (value) {
            case null -> addNull();
            case String text -> add(text);
            case Double number -> add(number.doubleValue());
            case Float number -> add(number.doubleValue());
            case BigDecimal number -> add(number);
            case BigInteger number -> add(new BigDecimal(number));
            case Long number -> add(number.longValue());
            case Integer number -> add(number.longValue());
            case Short number -> add(number.longValue());
            case Byte number -> add(number.longValue());
            case Boolean truth -> add(truth.booleanValue());
            case byte[] bytes -> add(bytes);
            case LocalDate date -> add(date);
            case LocalTime time -> add(time);
            case LocalDateTime timestamp -> add(timestamp);
            case Instant instant -> add(InfiniteTime.inUtc(instant));
            case UUID uuid -> add(uuid);
            case long[] values -> addArray(values);
            case int[] values -> addArray(values);
            case short[] values -> addArray(values);
            case double[] values -> addArray(values);
            case float[] values -> addArray(values);
            case boolean[] values -> addArray(values);
            case Object[] values -> addArray(values);
            default -> throw notSupported(value.getClass());
        };
    }

    private ParameterWriter addLong(ParameterTag tag, long value) {
        startValue(tag, Long.BYTES);
        putLong(value);
        return this;
    }

    private void startArray(ParameterTag elementTag, int elements) {
        long fixedBytes = elementTag.isFixed() ? (long) elements * elementTag.fixedBytes() : 0;
        startValue(ParameterTag.ARRAY, 1 + Integer.BYTES + fixedBytes);
        array[size] = (byte) elementTag.number();
        LittleEndian.putInt(array, size + 1, elements);
        size += 1 + Integer.BYTES;
    }

    private void startValue(ParameterTag tag, long valueBytes) {
        if (count == MAX_PARAMETERS) {
            throw new FulmarException(
                    ErrorCode.TOO_MANY_PARAMETERS,
                    "a request can have at most " + MAX_PARAMETERS
                            + " parameters; pass an array instead of single values");
        }
        reserve(1 + valueBytes);
        array[size++] = (byte) tag.number();
        count++;
    }

    private void putLong(long value) {
        LittleEndian.putLong(array, size, value);
        size += Long.BYTES;
    }

    private void putElement(ParameterTag tag, Object value) {
        switch (tag) {
            case LONG -> putLong(((Number) value).longValue());
            case DOUBLE -> putLong(Double.doubleToRawLongBits(((Number) value).doubleValue()));
            case BOOLEAN -> array[size++] = (byte) ((Boolean) value ? 1 : 0);
            case DECIMAL ->
                putDecimal(value instanceof BigInteger integer ? new BigDecimal(integer) : (BigDecimal) value);
            case STRING -> putBytes(((String) value).getBytes(StandardCharsets.UTF_8));
            case BYTES -> putBytes((byte[]) value);
            case DATE -> putLong(CellValues.days((LocalDate) value));
            case TIME -> putLong(CellValues.micros((LocalTime) value));
            case TIMESTAMP -> putLong(CellValues.micros((LocalDateTime) value));
            case UUID -> {
                putLong(((UUID) value).getMostSignificantBits());
                putLong(((UUID) value).getLeastSignificantBits());
            }
            case NULL, ARRAY -> throw notSupported(value.getClass());
        }
    }

    private void putBytes(byte[] bytes) {
        reserve(Integer.BYTES + (long) bytes.length);
        LittleEndian.putInt(array, size, bytes.length);
        System.arraycopy(bytes, 0, array, size + Integer.BYTES, bytes.length);
        size += Integer.BYTES + bytes.length;
    }

    private void putDecimal(BigDecimal value) {
        BigDecimal scaled =
                value.scale() < 0 || value.scale() > ColumnType.MAX_DECIMAL_DIGITS ? plainScale(value) : value;
        if (scaled.precision() > ColumnType.MAX_DECIMAL_DIGITS) {
            throw new FulmarException(
                    ErrorCode.VALUE_OUT_OF_RANGE,
                    "a decimal of " + scaled.precision() + " digits exceeds the limit of "
                            + ColumnType.MAX_DECIMAL_DIGITS + "; round it before it is passed");
        }
        byte[] bytes = scaled.unscaledValue().toByteArray();
        reserve(2L + bytes.length);
        array[size] = (byte) scaled.scale();
        array[size + 1] = (byte) bytes.length;
        System.arraycopy(bytes, 0, array, size + 2, bytes.length);
        size += 2 + bytes.length;
    }

    /**
     * The same value with a scale that the format has; checks the magnitude first, for 1E999999999 must not be written
     * out.
     */
    private static BigDecimal plainScale(BigDecimal value) {
        if (value.signum() == 0) {
            return BigDecimal.ZERO;
        }
        BigDecimal stripped = value.stripTrailingZeros();
        long integerDigits = (long) stripped.precision() - stripped.scale();
        if (stripped.scale() > ColumnType.MAX_DECIMAL_DIGITS || integerDigits > ColumnType.MAX_DECIMAL_DIGITS) {
            throw scaleOutOfRange(value.scale());
        }
        return stripped.scale() < 0 ? stripped.setScale(0) : stripped;
    }

    private static FulmarException scaleOutOfRange(int scale) {
        return new FulmarException(
                ErrorCode.VALUE_OUT_OF_RANGE,
                "a decimal with the scale " + scale + " cannot be held in " + ColumnType.MAX_DECIMAL_DIGITS
                        + " digits; round it before it is passed");
    }

    private static ParameterTag elementTag(Class<?> type) {
        if (type == Long.class || type == Integer.class || type == Short.class || type == Byte.class) {
            return ParameterTag.LONG;
        } else if (type == Double.class || type == Float.class) {
            return ParameterTag.DOUBLE;
        } else if (type == BigDecimal.class || type == BigInteger.class) {
            return ParameterTag.DECIMAL;
        } else if (type == String.class || type == Object.class) {
            return ParameterTag.STRING;
        } else if (type == byte[].class) {
            return ParameterTag.BYTES;
        } else if (type == Boolean.class) {
            return ParameterTag.BOOLEAN;
        } else if (type == LocalDate.class) {
            return ParameterTag.DATE;
        } else if (type == LocalTime.class) {
            return ParameterTag.TIME;
        } else if (type == LocalDateTime.class) {
            return ParameterTag.TIMESTAMP;
        } else if (type == UUID.class) {
            return ParameterTag.UUID;
        }
        throw notSupported(type);
    }

    private static FulmarException notSupported(Class<?> type) {
        return new FulmarException(
                ErrorCode.WRONG_PARAMETERS,
                "a parameter cannot be a " + (type == Void.class ? "null in an array" : type.getSimpleName())
                        + "; use a number, boolean, String, byte[], java.time date or time, UUID, or an array of them");
    }

    private void reserve(long bytes) {
        if (bytes <= array.length - size) {
            return;
        }
        if (bytes > maxBytes - size) {
            throw new FulmarException(
                    ErrorCode.FRAME_TOO_LARGE,
                    "the parameters need more than the limit of " + maxBytes
                            + " bytes; pass less in one call, or raise the limit of frame bytes");
        }
        array = Arrays.copyOf(array, (int) Math.min(maxBytes, Math.max(2L * array.length, size + bytes)));
    }
}
