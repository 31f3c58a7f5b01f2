package dev.fulmar.foundation.data;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.Arrays;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Reads a parameter list where it lies; made to be wrapped around one list after another. {@link #wrap} checks the
 * whole list, so the getters can trust it: a list that lies about a length fails with
 * {@link ErrorCode#MALFORMED_REQUEST}. Primitives allocate nothing. Not thread-safe.
 *
 * <p>A getter takes a value of its own tag only, otherwise it fails with {@link ErrorCode#WRONG_PARAMETERS}: what
 * converts to what is decided by those who know the declared type. Primitive getters do not take null.
 */
public final class ParameterReader {
    private static final int COUNT_BYTES = 2;

    private final int maxParameters;
    private byte[] array = {0, 0};
    private int start;
    private int count;
    private int end = COUNT_BYTES;

    /** Positions of the tags, and after the last the end. */
    private int[] positions = {COUNT_BYTES};

    /** @param maxParameters limit of values; a list of more fails with {@link ErrorCode#TOO_MANY_PARAMETERS} */
    public ParameterReader(int maxParameters) {
        this.maxParameters = maxParameters;
    }

    /** Reads the list that fills the length exactly. Returns this. */
    public ParameterReader wrap(byte[] source, int offset, int length) {
        wrapPrefix(source, offset, length);
        if (end != offset + length) {
            int rest = offset + length - end;
            count = 0;
            throw malformed(rest + " bytes follow the last one");
        }
        return this;
    }

    /** Reads the list that starts at the offset and ends somewhere within the length. Returns this. */
    public ParameterReader wrapPrefix(byte[] source, int offset, int length) {
        if (offset < 0 || length < 0 || length > source.length - offset) {
            throw new IndexOutOfBoundsException(
                    "no " + length + " bytes at " + offset + " in an array of " + source.length);
        }
        count = 0;
        if (length < COUNT_BYTES) {
            throw malformed("their number is missing");
        }
        int announced = LittleEndian.getUnsignedShort(source, offset);
        if (announced > maxParameters) {
            throw new FulmarException(
                    ErrorCode.TOO_MANY_PARAMETERS,
                    "a request with " + announced + " parameters exceeds the limit of " + maxParameters
                            + "; pass an array instead of single values");
        }
        if (positions.length <= announced) {
            positions = new int[announced + 1];
        }
        int limit = offset + length;
        int position = offset + COUNT_BYTES;
        for (int i = 0; i < announced; i++) {
            positions[i] = position;
            position = skipTagged(source, position, limit);
        }
        positions[announced] = position;
        array = source;
        start = offset;
        end = position;
        count = announced;
        return this;
    }

    /**
     * Position of the tag of one value in a list that starts at 0; -1 if there are not so many values. Allocates
     * nothing.
     */
    public static int positionOf(byte[] source, int length, int parameter) {
        if (length < COUNT_BYTES || parameter < 0 || parameter >= LittleEndian.getUnsignedShort(source, 0)) {
            return -1;
        }
        int position = COUNT_BYTES;
        for (int i = 0; i < parameter; i++) {
            position = skipTagged(source, position, length);
        }
        return position < length ? position : -1;
    }

    private static int skipTagged(byte[] source, int position, int limit) {
        if (position >= limit) {
            throw malformed("one is cut off");
        }
        ParameterTag tag = tagOf(source[position]);
        if (tag != ParameterTag.ARRAY) {
            return skipValue(source, position + 1, limit, tag);
        }
        if (limit - position < 2 + Integer.BYTES) {
            throw malformed("an array is cut off");
        }
        ParameterTag elementTag = tagOf(source[position + 1]);
        int elements = LittleEndian.getInt(source, position + 2);
        if (elementTag == ParameterTag.ARRAY || elementTag == ParameterTag.NULL || elements < 0) {
            throw malformed("an array has " + elements + " elements of type " + elementTag);
        }
        int first = position + 2 + Integer.BYTES;
        if (elementTag.isFixed() && elementTag != ParameterTag.BOOLEAN) {
            if ((long) elements * elementTag.fixedBytes() > limit - first) {
                throw malformed("an array is cut off");
            }
            return first + elements * elementTag.fixedBytes();
        }
        int next = first;
        for (int i = 0; i < elements; i++) {
            next = skipValue(source, next, limit, elementTag);
        }
        return next;
    }

    /**
     * Position after the value; every value of a variable or checked type takes at least one byte, so hostile counts
     * end soon.
     */
    private static int skipValue(byte[] source, int position, int limit, ParameterTag tag) {
        int available = limit - position;
        long bytes = switch (tag) {
            case NULL, LONG, DOUBLE, DATE, TIME, TIMESTAMP, UUID -> tag.fixedBytes();
            case BOOLEAN -> {
                if (available >= 1 && (source[position] & ~1) != 0) {
                    throw malformed("a boolean is neither 0 nor 1");
                }
                yield 1;
            }
            case STRING, BYTES -> {
                int length = available < Integer.BYTES ? -1 : LittleEndian.getInt(source, position);
                if (length < 0) {
                    throw malformed("a text or byte string has an impossible length");
                }
                yield Integer.BYTES + (long) length;
            }
            case DECIMAL -> {
                if (available < 2
                        || source[position] < 0
                        || source[position] > ColumnType.MAX_DECIMAL_DIGITS
                        || source[position + 1] < 1
                        || source[position + 1] > 2 * Long.BYTES) {
                    throw malformed("a decimal has an impossible scale or length");
                }
                yield 2L + source[position + 1];
            }
            case ARRAY -> throw malformed("an array lies within an array");
        };
        if (bytes > available) {
            throw malformed("one is cut off");
        }
        return position + (int) bytes;
    }

    private static ParameterTag tagOf(byte number) {
        ParameterTag tag = ParameterTag.ofNumberOrNull(number);
        if (tag == null) {
            throw malformed("one has the unknown type " + number);
        }
        return tag;
    }

    /** Number of values. */
    public int count() {
        return count;
    }

    /** Bytes of the list. */
    public int totalBytes() {
        return end - start;
    }

    public ParameterTag tag(int position) {
        return tagOf(array[tagOffset(position)]);
    }

    public boolean isNull(int position) {
        return array[tagOffset(position)] == 0;
    }

    /** The eight bytes of a LONG, DATE, TIME or TIMESTAMP. */
    public long getLong(int position) {
        ParameterTag tag = tag(position);
        if (tag != ParameterTag.LONG
                && tag != ParameterTag.DATE
                && tag != ParameterTag.TIME
                && tag != ParameterTag.TIMESTAMP) {
            throw mismatch(position, ParameterTag.LONG);
        }
        return LittleEndian.getLong(array, tagOffset(position) + 1);
    }

    public double getDouble(int position) {
        return Double.longBitsToDouble(LittleEndian.getLong(array, valueOffset(position, ParameterTag.DOUBLE)));
    }

    public boolean getBoolean(int position) {
        return array[valueOffset(position, ParameterTag.BOOLEAN)] != 0;
    }

    /** First half of a UUID. */
    public long getUuidHigh(int position) {
        return LittleEndian.getLong(array, valueOffset(position, ParameterTag.UUID));
    }

    /** Second half of a UUID. */
    public long getUuidLow(int position) {
        return LittleEndian.getLong(array, valueOffset(position, ParameterTag.UUID) + Long.BYTES);
    }

    /** Digits after the point of a DECIMAL. */
    public int decimalScale(int position) {
        return array[valueOffset(position, ParameterTag.DECIMAL)];
    }

    /**
     * High half of the unscaled value of a DECIMAL, which is the sign alone if {@link #decimalLow} is the whole value.
     */
    public long decimalHigh(int position) {
        int offset = valueOffset(position, ParameterTag.DECIMAL);
        int length = array[offset + 1];
        int first = offset + 2;
        long high = array[first] >> 7;
        for (int i = first; i < first + length - Long.BYTES; i++) {
            high = high << 8 | (array[i] & 0xff);
        }
        return high;
    }

    /** Low half of the unscaled value of a DECIMAL. */
    public long decimalLow(int position) {
        int offset = valueOffset(position, ParameterTag.DECIMAL);
        int length = array[offset + 1];
        int first = offset + 2;
        long low = array[first] >> 7;
        for (int i = first + Math.max(0, length - Long.BYTES); i < first + length; i++) {
            low = low << 8 | (array[i] & 0xff);
        }
        return low;
    }

    /** Index in {@link #array()} of the first byte of a STRING or BYTES. */
    public int bytesOffset(int position) {
        bytesLength(position);
        return tagOffset(position) + 1 + Integer.BYTES;
    }

    /** Length of a STRING or BYTES in bytes. */
    public int bytesLength(int position) {
        ParameterTag tag = tag(position);
        if (tag != ParameterTag.STRING && tag != ParameterTag.BYTES) {
            throw mismatch(position, ParameterTag.BYTES);
        }
        return LittleEndian.getInt(array, tagOffset(position) + 1);
    }

    public @Nullable String string(int position) {
        return isNull(position) ? null : decodeString(valueOffset(position, ParameterTag.STRING));
    }

    public byte @Nullable [] bytes(int position) {
        return isNull(position) ? null : decodeBytes(valueOffset(position, ParameterTag.BYTES));
    }

    public @Nullable BigDecimal decimal(int position) {
        return isNull(position) ? null : decodeDecimal(valueOffset(position, ParameterTag.DECIMAL));
    }

    public @Nullable UUID uuid(int position) {
        return isNull(position) ? null : new UUID(getUuidHigh(position), getUuidLow(position));
    }

    /** Elements of an ARRAY. */
    public int elementCount(int position) {
        return LittleEndian.getInt(array, valueOffset(position, ParameterTag.ARRAY) + 1);
    }

    /** Tag of the elements of an ARRAY. */
    public ParameterTag elementTag(int position) {
        return tagOf(array[valueOffset(position, ParameterTag.ARRAY)]);
    }

    /** An element of an ARRAY of LONG, DATE, TIME or TIMESTAMP, or the bits of one of DOUBLE. */
    public long getLongElement(int position, int element) {
        ParameterTag tag = elementTag(position);
        if (tag.fixedBytes() != Long.BYTES) {
            throw mismatch(position, ParameterTag.LONG);
        }
        if (element < 0 || element >= elementCount(position)) {
            throw new IndexOutOfBoundsException("element " + element + " of " + elementCount(position));
        }
        return LittleEndian.getLong(array, firstElement(position) + element * Long.BYTES);
    }

    /** An ARRAY of LONG, DATE, TIME or TIMESTAMP, or null. */
    public long @Nullable [] longs(int position) {
        if (isNull(position)) {
            return null;
        }
        ParameterTag tag = elementTag(position);
        if (tag.fixedBytes() != Long.BYTES || tag == ParameterTag.DOUBLE) {
            throw mismatch(position, ParameterTag.LONG);
        }
        long[] values = new long[elementCount(position)];
        Arrays.setAll(values, i -> getLongElement(position, i));
        return values;
    }

    public double @Nullable [] doubles(int position) {
        if (isNull(position)) {
            return null;
        }
        requireElements(position, ParameterTag.DOUBLE);
        double[] values = new double[elementCount(position)];
        Arrays.setAll(values, i -> Double.longBitsToDouble(getLongElement(position, i)));
        return values;
    }

    public boolean @Nullable [] booleans(int position) {
        if (isNull(position)) {
            return null;
        }
        requireElements(position, ParameterTag.BOOLEAN);
        boolean[] values = new boolean[elementCount(position)];
        int offset = firstElement(position);
        for (int i = 0; i < values.length; i++) {
            values[i] = array[offset + i] != 0;
        }
        return values;
    }

    public String @Nullable [] strings(int position) {
        if (isNull(position)) {
            return null;
        }
        requireElements(position, ParameterTag.STRING);
        return (String[]) objects(position, ParameterTag.STRING);
    }

    /**
     * The value as a Java object: as {@link CellValues} says; an array as {@code long[]}, {@code double[]},
     * {@code boolean[]}, {@code String[]}, {@code BigDecimal[]}, {@code byte[][]}, {@code LocalDate[]},
     * {@code LocalTime[]}, {@code LocalDateTime[]} or {@code UUID[]}; or null.
     */
    public @Nullable Object object(int position) {
        ParameterTag tag = tag(position);
        if (tag == ParameterTag.NULL) {
            return null;
        }
        return tag == ParameterTag.ARRAY ? arrayObject(position) : decode(tag, tagOffset(position) + 1);
    }

    private @Nullable Object arrayObject(int position) {
        ParameterTag tag = elementTag(position);
        return switch (tag) {
            case LONG -> longs(position);
            case DOUBLE -> doubles(position);
            case BOOLEAN -> booleans(position);
            case STRING, DECIMAL, BYTES, DATE, TIME, TIMESTAMP, UUID -> objects(position, tag);
            case NULL, ARRAY -> throw malformed("an array has elements of type " + tag);
        };
    }

    private Object[] objects(int position, ParameterTag tag) {
        int elements = elementCount(position);
        Object[] values = switch (tag) {
            case STRING -> new String[elements];
            case DECIMAL -> new BigDecimal[elements];
            case BYTES -> new byte[elements][];
            case DATE -> new LocalDate[elements];
            case TIME -> new LocalTime[elements];
            case TIMESTAMP -> new LocalDateTime[elements];
            case UUID -> new UUID[elements];
            case NULL, BOOLEAN, LONG, DOUBLE, ARRAY -> new Object[elements];
        };
        int offset = firstElement(position);
        for (int i = 0; i < elements; i++) {
            values[i] = decode(tag, offset);
            offset = skipValue(array, offset, end, tag);
        }
        return values;
    }

    private Object decode(ParameterTag tag, int offset) {
        return switch (tag) {
            case BOOLEAN -> array[offset] != 0;
            case LONG -> LittleEndian.getLong(array, offset);
            case DOUBLE -> Double.longBitsToDouble(LittleEndian.getLong(array, offset));
            case DECIMAL -> decodeDecimal(offset);
            case STRING -> decodeString(offset);
            case BYTES -> decodeBytes(offset);
            case DATE -> CellValues.date(LittleEndian.getLong(array, offset));
            case TIME -> CellValues.time(LittleEndian.getLong(array, offset));
            case TIMESTAMP -> CellValues.timestamp(LittleEndian.getLong(array, offset));
            case UUID ->
                new UUID(LittleEndian.getLong(array, offset), LittleEndian.getLong(array, offset + Long.BYTES));
            case NULL, ARRAY -> throw malformed("a single value was expected, not " + tag);
        };
    }

    private BigDecimal decodeDecimal(int offset) {
        return new BigDecimal(new BigInteger(array, offset + 2, array[offset + 1]), array[offset]);
    }

    private String decodeString(int offset) {
        int length = LittleEndian.getInt(array, offset);
        return new String(array, offset + Integer.BYTES, length, StandardCharsets.UTF_8);
    }

    private byte[] decodeBytes(int offset) {
        int first = offset + Integer.BYTES;
        return Arrays.copyOfRange(array, first, first + LittleEndian.getInt(array, offset));
    }

    /** The array that the list lies in. */
    public byte[] array() {
        return array;
    }

    /** Index in {@link #array()} of the value, after its tag. */
    public int valueOffset(int position) {
        return tagOffset(position) + 1;
    }

    /** Bytes of the value and its tag. */
    public int encodedBytes(int position) {
        return positions[position + 1] - tagOffset(position);
    }

    private int firstElement(int position) {
        return valueOffset(position, ParameterTag.ARRAY) + 1 + Integer.BYTES;
    }

    private int tagOffset(int position) {
        if (position < 0 || position >= count) {
            throw new FulmarException(
                    ErrorCode.WRONG_PARAMETERS,
                    "parameter " + (position + 1) + " is missing; " + count + " were passed");
        }
        return positions[position];
    }

    private int valueOffset(int position, ParameterTag expected) {
        int offset = tagOffset(position);
        if (array[offset] != expected.number()) {
            throw mismatch(position, expected);
        }
        return offset + 1;
    }

    private void requireElements(int position, ParameterTag expected) {
        if (elementTag(position) != expected) {
            throw mismatch(position, expected);
        }
    }

    private FulmarException mismatch(int position, ParameterTag expected) {
        ParameterTag found = tag(position);
        String foundText = found == ParameterTag.ARRAY ? "an array of " + elementTag(position) : found.toString();
        return new FulmarException(
                ErrorCode.WRONG_PARAMETERS,
                "parameter " + (position + 1) + " is " + foundText + " where " + expected
                        + " is expected; pass a value of that type");
    }

    private static FulmarException malformed(String what) {
        return new FulmarException(
                ErrorCode.MALFORMED_REQUEST,
                "the parameters cannot be read: " + what + "; use a client of this version");
    }
}
