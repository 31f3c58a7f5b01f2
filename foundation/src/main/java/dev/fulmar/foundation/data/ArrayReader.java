package dev.fulmar.foundation.data;

import java.util.Arrays;

/** Reads one element of an array after another, see {@link ArrayBytes}. Not thread-safe. */
public final class ArrayReader {
    private final ColumnType element;
    private byte[] bytes = {};
    private int place;
    private int next;
    private int end;

    /** Makes a reader of arrays of elements of the type. */
    public ArrayReader(ColumnType element) {
        this.element = element;
    }

    /** Begins before the first element. */
    public ArrayReader wrap(byte[] array, int from, int to) {
        bytes = array;
        next = from;
        end = to;
        return this;
    }

    /** Goes to the next element, if there is one. */
    public boolean next() {
        if (next >= end) {
            return false;
        }
        place = next;
        next = ArrayBytes.after(bytes, place, end);
        return true;
    }

    public boolean isNull() {
        return ArrayBytes.isNull(bytes, place);
    }

    /** An element of storage LONG. */
    public long getLong() {
        int width = next - place - 1;
        int spare = Long.SIZE - width * Byte.SIZE;
        long flipped = get(place + 1, width) ^ 1L << (width * Byte.SIZE - 1);
        return flipped << spare >> spare;
    }

    /** An element of storage DOUBLE. */
    public double getDouble() {
        if (element.kind() == TypeKind.REAL) {
            int bits = (int) get(place + 1, Integer.BYTES);
            return Float.intBitsToFloat(bits < 0 ? bits ^ Integer.MIN_VALUE : ~bits);
        }
        long bits = get(place + 1, Long.BYTES);
        return Double.longBitsToDouble(bits < 0 ? bits ^ Long.MIN_VALUE : ~bits);
    }

    /** The high half of an element of storage WIDE. */
    public long high() {
        long high = get(place + 1, Long.BYTES);
        return element.kind() == TypeKind.UUID ? high : high ^ Long.MIN_VALUE;
    }

    public long low() {
        return get(place + 1 + Long.BYTES, Long.BYTES);
    }

    /** The UTF-8 of a text. */
    public byte[] text() {
        byte[] text = new byte[next - place - 3];
        int size = 0;
        for (int i = place + 1; i < next - 2; i++) {
            text[size++] = bytes[i];
            if (bytes[i] == 0) {
                i++;
            }
        }
        return size == text.length ? text : Arrays.copyOf(text, size);
    }

    private long get(int from, int count) {
        long value = 0;
        for (int i = from; i < from + count; i++) {
            value = (value << Byte.SIZE) | (bytes[i] & 0xFF);
        }
        return value;
    }
}
