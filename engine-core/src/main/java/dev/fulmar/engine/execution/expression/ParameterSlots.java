package dev.fulmar.engine.execution.expression;

import dev.fulmar.engine.memory.OffHeap;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Holds one execution's parameter values in the form that evaluators read: longs, doubles, 128-bit numbers, and bytes
 * outside the heap. {@code Bindings} converts and sets them. Grows to its largest use and then allocates nothing. One
 * thread.
 */
public final class ParameterSlots {
    private static final int INITIAL_PARAMETERS = 16;
    private static final int INITIAL_BYTES = 256;

    private int count;
    private boolean[] nulls = new boolean[INITIAL_PARAMETERS];
    /** First word of each: the long, the bits of a double, the high half, or the offset of the bytes. */
    private long[] first = new long[INITIAL_PARAMETERS];
    /** Second word of each: the low half or the length of the bytes. */
    private long[] second = new long[INITIAL_PARAMETERS];

    private @Nullable MemorySegment bytes;
    private long bytesAddress;
    private int bytesCapacity;
    private int bytesUsed;

    /** Starts anew with so many parameters, all null. */
    public void reset(int newCount) {
        if (newCount > nulls.length) {
            int capacity = Math.max(newCount, 2 * nulls.length);
            nulls = new boolean[capacity];
            first = new long[capacity];
            second = new long[capacity];
        }
        count = newCount;
        Arrays.fill(nulls, 0, newCount, true);
        bytesUsed = 0;
    }

    public int count() {
        return count;
    }

    public boolean isNull(int parameter) {
        return nulls[parameter];
    }

    public long getLong(int parameter) {
        return first[parameter];
    }

    public double getDouble(int parameter) {
        return Double.longBitsToDouble(first[parameter]);
    }

    public long high(int parameter) {
        return first[parameter];
    }

    public long low(int parameter) {
        return second[parameter];
    }

    /** Address of the bytes; good until the next bytes are set. */
    public long bytesAddress(int parameter) {
        return bytesAddress + first[parameter];
    }

    public int bytesLength(int parameter) {
        return (int) second[parameter];
    }

    public void setNull(int parameter) {
        nulls[parameter] = true;
    }

    public void setLong(int parameter, long value) {
        first[parameter] = value;
        nulls[parameter] = false;
    }

    public void setDouble(int parameter, double value) {
        first[parameter] = Double.doubleToRawLongBits(value);
        nulls[parameter] = false;
    }

    public void setWide(int parameter, long high, long low) {
        first[parameter] = high;
        second[parameter] = low;
        nulls[parameter] = false;
    }

    /** Room for so many bytes; {@link #finishBytes} makes what was written there the parameter's value. */
    public long beginBytes(long maxLength) {
        if (maxLength > bytesCapacity - bytesUsed) {
            grow(maxLength);
        }
        return bytesAddress + bytesUsed;
    }

    public void finishBytes(int parameter, int length) {
        first[parameter] = bytesUsed;
        second[parameter] = length;
        nulls[parameter] = false;
        bytesUsed += length;
    }

    private void grow(long room) {
        long capacity = Math.max(INITIAL_BYTES, Math.max(2L * bytesCapacity, bytesUsed + room));
        if (capacity > Integer.MAX_VALUE) {
            capacity = Math.addExact(bytesUsed, Math.toIntExact(room));
        }
        MemorySegment larger = Arena.ofAuto().allocate(capacity, Long.BYTES);
        if (bytesUsed > 0) {
            OffHeap.copy(bytesAddress, larger.address(), bytesUsed);
        }
        bytes = larger;
        bytesAddress = bytes.address();
        bytesCapacity = (int) capacity;
    }
}
