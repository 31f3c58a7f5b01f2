package dev.fulmar.engine.memory;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;

/**
 * Raw access to native memory by address, in the machine's byte order and without alignment. The caller answers for
 * every address: there is no check of bounds or of life time here, so addresses stay inside the storage packages and
 * the executor's row accessors.
 */
public final class OffHeap {
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;
    private static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED;
    private static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;
    private static final ValueLayout.OfDouble DOUBLE = ValueLayout.JAVA_DOUBLE_UNALIGNED;
    private static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT_UNALIGNED;
    private static final MemorySegment ALL = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

    private static final int SMALL_COPY_BYTES = 128;

    private OffHeap() {}

    public static long getLong(long address) {
        return ALL.get(LONG, address);
    }

    public static void putLong(long address, long value) {
        ALL.set(LONG, address, value);
    }

    public static int getInt(long address) {
        return ALL.get(INT, address);
    }

    public static void putInt(long address, int value) {
        ALL.set(INT, address, value);
    }

    public static short getShort(long address) {
        return ALL.get(SHORT, address);
    }

    public static void putShort(long address, short value) {
        ALL.set(SHORT, address, value);
    }

    public static byte getByte(long address) {
        return ALL.get(BYTE, address);
    }

    public static void putByte(long address, byte value) {
        ALL.set(BYTE, address, value);
    }

    public static double getDouble(long address) {
        return ALL.get(DOUBLE, address);
    }

    public static void putDouble(long address, double value) {
        ALL.set(DOUBLE, address, value);
    }

    public static float getFloat(long address) {
        return ALL.get(FLOAT, address);
    }

    public static void putFloat(long address, float value) {
        ALL.set(FLOAT, address, value);
    }

    /** Copies native memory; the two regions may overlap. */
    public static void copy(long source, long target, long bytes) {
        if (bytes < Long.BYTES || bytes > SMALL_COPY_BYTES || Math.abs(source - target) < bytes) {
            copyAny(source, target, bytes);
            return;
        }
        // A call of the copying routine costs more than a few moves; the last one overlaps the one before.
        long last = bytes - Long.BYTES;
        for (long i = 0; i < last; i += Long.BYTES) {
            putLong(target + i, getLong(source + i));
        }
        putLong(target + last, getLong(source + last));
    }

    private static void copyAny(long source, long target, long bytes) {
        MemorySegment.copy(ALL, source, ALL, target, bytes);
    }

    /** Writes the text as UTF-8 and a zero behind it; ASCII is copied without a byte array. */
    public static void putText(long address, String text) {
        ALL.setString(address, text, StandardCharsets.UTF_8);
    }

    /** Copies bytes of the heap into native memory. */
    public static void copy(byte[] source, int offset, long target, int bytes) {
        MemorySegment.copy(source, offset, ALL, BYTE, target, bytes);
    }

    /** Copies native memory into bytes of the heap. */
    public static void copy(long source, byte[] target, int offset, int bytes) {
        MemorySegment.copy(ALL, BYTE, source, target, offset, bytes);
    }

    public static void fill(long address, long bytes, byte value) {
        ALL.asSlice(address, bytes).fill(value);
    }

    /** Compares byte by byte as unsigned values; a prefix is less than what it begins. */
    public static int compare(long left, int leftBytes, long right, int rightBytes) {
        int common = Math.min(leftBytes, rightBytes);
        int position = 0;
        for (; position + Long.BYTES <= common; position += Long.BYTES) {
            long a = getLong(left + position);
            long b = getLong(right + position);
            if (a != b) {
                return Long.compareUnsigned(Long.reverseBytes(a), Long.reverseBytes(b));
            }
        }
        for (; position < common; position++) {
            int difference = (getByte(left + position) & 0xFF) - (getByte(right + position) & 0xFF);
            if (difference != 0) {
                return difference;
            }
        }
        return Integer.compare(leftBytes, rightBytes);
    }

    /** Compares native bytes with bytes of the heap, as {@link #compare(long, int, long, int)} does. */
    public static int compare(long left, int leftBytes, byte[] right, int rightOffset, int rightBytes) {
        int common = Math.min(leftBytes, rightBytes);
        for (int position = 0; position < common; position++) {
            int difference = (getByte(left + position) & 0xFF) - (right[rightOffset + position] & 0xFF);
            if (difference != 0) {
                return difference;
            }
        }
        return Integer.compare(leftBytes, rightBytes);
    }

    public static boolean equal(long left, long right, int bytes) {
        return compare(left, bytes, right, bytes) == 0;
    }
}
