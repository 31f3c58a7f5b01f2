package dev.fulmar.foundation.data;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.Arrays;

/**
 * The form of an array: its elements one behind another, each a tag and a value. The tag of a value of fixed width is
 * that width, that of a text {@link #TEXT}, and {@link #NULL} stands for NULL. Integers and numbers are big-endian,
 * changed so that their order is that of their bytes without sign. A zero byte of a text is 0 255 there, and 0 0 its
 * end.
 *
 * <p>Invariant: the order of arrays of one type is that of their bytes, equal arrays have equal bytes, and the bytes of
 * two arrays one behind the other are the array of the elements of both.
 */
public final class ArrayBytes {
    /** The longest array. */
    public static final int MOST_BYTES = 1 << 20;

    static final int TEXT = 0x20;

    static final int NULL = 0xFF;

    private static final byte ESCAPED = (byte) 0xFF;

    private ArrayBytes() {}

    /** The bytes of a value of the kind in an array; 0 for a text. */
    static int width(ColumnType element) {
        return switch (element.kind()) {
            case BOOLEAN, TINYINT -> Byte.BYTES;
            case SMALLINT -> Short.BYTES;
            case INTEGER, DATE, REAL -> Integer.BYTES;
            case BIGINT, DOUBLE, TIME, TIMESTAMP, TIMESTAMP_TZ -> Long.BYTES;
            case DECIMAL -> element.storage() == TypeKind.Storage.WIDE ? 2 * Long.BYTES : Long.BYTES;
            case UUID -> 2 * Long.BYTES;
            case VARCHAR -> 0;
            case CHAR, VARBINARY, JSON, JSONB, INTERVAL, ARRAY, ENUM, NUMERIC ->
                throw new IllegalArgumentException("no array has elements of the type " + element);
        };
    }

    /** The place behind the element at the place; fails if there is none within the bytes. */
    public static int after(byte[] bytes, int place, int end) {
        if (place >= end) {
            throw corrupt();
        }
        int tag = bytes[place] & 0xFF;
        int behind = place + 1;
        switch (tag) {
            case NULL -> {
                return behind;
            }
            case Byte.BYTES, Short.BYTES, Integer.BYTES, Long.BYTES, 2 * Long.BYTES -> behind += tag;
            case TEXT -> {
                while (behind + 1 < end && (bytes[behind] != 0 || bytes[behind + 1] == ESCAPED)) {
                    behind += bytes[behind] == 0 ? 2 : 1;
                }
                behind += 2;
                if (behind <= end && bytes[behind - 1] != 0) {
                    throw corrupt();
                }
            }
            default -> throw corrupt();
        }
        if (behind > end) {
            throw corrupt();
        }
        return behind;
    }

    public static boolean isNull(byte[] bytes, int place) {
        return (bytes[place] & 0xFF) == NULL;
    }

    /** How many elements the array has. */
    public static int count(byte[] array) {
        int count = 0;
        for (int place = 0; place < array.length; place = after(array, place, array.length)) {
            count++;
        }
        return count;
    }

    /** The elements of both; refuses too many of them. */
    public static byte[] joined(byte[] one, byte[] other) {
        long length = (long) one.length + other.length;
        checkLength(length);
        byte[] both = Arrays.copyOf(one, (int) length);
        System.arraycopy(other, 0, both, one.length, other.length);
        return both;
    }

    /** Refuses more bytes than an array may have. */
    public static void checkLength(long length) {
        if (length > MOST_BYTES) {
            throw new FulmarException(
                    ErrorCode.STRING_TOO_LONG,
                    "an array of " + length + " bytes is longer than the limit of " + MOST_BYTES
                            + "; keep the elements in a table of their own");
        }
    }

    private static FulmarException corrupt() {
        return new FulmarException(ErrorCode.CORRUPTION, "the bytes of an array are none; please report this");
    }
}
