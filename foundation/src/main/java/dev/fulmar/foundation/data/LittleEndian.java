package dev.fulmar.foundation.data;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Reads and writes little-endian integers at any offset of a byte array, for the formats of wire and log. Reads native
 * memory likewise.
 */
public final class LittleEndian {
    private static final VarHandle SHORT = MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN)
            .withInvokeExactBehavior();
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN)
            .withInvokeExactBehavior();
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN)
            .withInvokeExactBehavior();

    private static final ValueLayout.OfLong NATIVE_LONG =
            ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    /** All of native memory: the caller answers for the address, as the engine's row store does. */
    @SuppressWarnings("restricted")
    private static final MemorySegment NATIVE = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

    private static final int SMALL_COPY_BYTES = 128;

    private LittleEndian() {}

    /** The two bytes as an unsigned number. */
    public static int getUnsignedShort(byte[] array, int offset) {
        return (short) SHORT.get(array, offset) & 0xffff;
    }

    public static int getInt(byte[] array, int offset) {
        return (int) INT.get(array, offset);
    }

    public static long getLong(byte[] array, int offset) {
        return (long) LONG.get(array, offset);
    }

    /** Writes the low two bytes of the value. */
    public static void putShort(byte[] array, int offset, int value) {
        SHORT.set(array, offset, (short) value);
    }

    public static void putInt(byte[] array, int offset, int value) {
        INT.set(array, offset, value);
    }

    public static void putLong(byte[] array, int offset, long value) {
        LONG.set(array, offset, value);
    }

    /** Reads eight bytes of native memory. The address must be readable. */
    static long getNativeLong(long address) {
        return NATIVE.get(NATIVE_LONG, address);
    }

    static byte getNativeByte(long address) {
        return NATIVE.get(ValueLayout.JAVA_BYTE, address);
    }

    /** Copies native memory. The address range must be readable. */
    static void copyNative(long address, byte[] target, int offset, int length) {
        if (length < Long.BYTES || length > SMALL_COPY_BYTES) {
            copyAnyNative(address, target, offset, length);
            return;
        }
        // A call of the copying routine costs more than a few moves; the last one overlaps the one before.
        int last = length - Long.BYTES;
        for (int i = 0; i < last; i += Long.BYTES) {
            LONG.set(target, offset + i, NATIVE.get(NATIVE_LONG, address + i));
        }
        LONG.set(target, offset + last, NATIVE.get(NATIVE_LONG, address + last));
    }

    private static void copyAnyNative(long address, byte[] target, int offset, int length) {
        if (length < Long.BYTES) {
            for (int i = 0; i < length; i++) {
                target[offset + i] = NATIVE.get(ValueLayout.JAVA_BYTE, address + i);
            }
            return;
        }
        MemorySegment.copy(NATIVE, ValueLayout.JAVA_BYTE, address, target, offset, length);
    }
}
