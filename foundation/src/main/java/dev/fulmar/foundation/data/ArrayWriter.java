package dev.fulmar.foundation.data;

import java.util.Arrays;

/** Writes the elements of one array behind one another, see {@link ArrayBytes}. Not thread-safe. */
public final class ArrayWriter {
    private static final int FIRST_BYTES = 64;

    private final ColumnType element;
    private final int width;
    private byte[] bytes = new byte[FIRST_BYTES];
    private int size;

    /** Makes a writer of arrays of elements of the type. */
    public ArrayWriter(ColumnType element) {
        this.element = element;
        width = ArrayBytes.width(element);
    }

    /** Begins another array. */
    public ArrayWriter begin() {
        size = 0;
        return this;
    }

    public void addNull() {
        reserve(1);
        bytes[size++] = (byte) ArrayBytes.NULL;
    }

    /** Adds a value of storage LONG. */
    public void addLong(long value) {
        begin(width);
        put(value ^ 1L << (width * Byte.SIZE - 1), width);
    }

    /** Adds a value of storage DOUBLE; both zeros are the same, and so is each NaN. */
    public void addDouble(double value) {
        begin(width);
        if (element.kind() == TypeKind.REAL) {
            float real = (float) value;
            int bits = Float.floatToIntBits(real == 0 ? 0f : real);
            put(bits < 0 ? ~bits : bits ^ Integer.MIN_VALUE, width);
        } else {
            long bits = Double.doubleToLongBits(value == 0 ? 0.0 : value);
            put(bits < 0 ? ~bits : bits ^ Long.MIN_VALUE, width);
        }
    }

    /** Adds a value of storage WIDE; the order of decimals has a sign, that of UUIDs none. */
    public void addWide(long high, long low) {
        begin(width);
        put(element.kind() == TypeKind.UUID ? high : high ^ Long.MIN_VALUE, Long.BYTES);
        put(low, Long.BYTES);
    }

    /** Adds a text in UTF-8. */
    public void addText(byte[] source, int from, int to) {
        begin(0, ArrayBytes.TEXT);
        reserve(2L * (to - from) + 2);
        for (int i = from; i < to; i++) {
            bytes[size++] = source[i];
            if (source[i] == 0) {
                bytes[size++] = (byte) 0xFF;
            }
        }
        bytes[size++] = 0;
        bytes[size++] = 0;
    }

    /** The array, which is refused if it is too long. */
    public byte[] toByteArray() {
        ArrayBytes.checkLength(size);
        return Arrays.copyOf(bytes, size);
    }

    private void begin(int room) {
        begin(room, width);
    }

    private void begin(int room, int tag) {
        reserve(1L + room);
        bytes[size++] = (byte) tag;
    }

    private void put(long value, int count) {
        for (int i = count - 1; i >= 0; i--) {
            bytes[size++] = (byte) (value >>> (i * Byte.SIZE));
        }
    }

    /** No array is much longer than the limit at any moment. */
    private void reserve(long more) {
        ArrayBytes.checkLength(size);
        if (size + more > bytes.length) {
            bytes = Arrays.copyOf(bytes, (int) Math.max(size + more, 2L * bytes.length));
        }
    }
}
