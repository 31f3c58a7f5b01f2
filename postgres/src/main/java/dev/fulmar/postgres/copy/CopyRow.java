package dev.fulmar.postgres.copy;

import java.util.Arrays;

/** The values of one row as they came, without quotes and escapes, one behind the other. Used for row after row. */
final class CopyRow {
    private static final int FIRST_BYTES = 256;
    private static final int FIRST_FIELDS = 16;

    /** A buffer that has grown beyond is not kept for the next row. */
    private static final int KEPT_BYTES = 1 << 20;

    private byte[] bytes = new byte[FIRST_BYTES];
    private int size;
    private int[] ends = new int[FIRST_FIELDS];
    private boolean[] nulls = new boolean[FIRST_FIELDS];
    private int count;

    void clear() {
        size = 0;
        count = 0;
        if (bytes.length > KEPT_BYTES) {
            bytes = new byte[FIRST_BYTES];
        }
    }

    /** Appends a byte to the value that is not yet complete. */
    void append(int value) {
        reserve(1);
        bytes[size++] = (byte) value;
    }

    /** Appends bytes to the value that is not yet complete. */
    void append(byte[] source, int from, int to) {
        reserve(to - from);
        System.arraycopy(source, from, bytes, size, to - from);
        size += to - from;
    }

    /** Completes a value. */
    void endField(boolean isNull) {
        if (count == ends.length) {
            ends = Arrays.copyOf(ends, 2 * count);
            nulls = Arrays.copyOf(nulls, 2 * count);
        }
        ends[count] = size;
        nulls[count] = isNull;
        count++;
    }

    private void reserve(int more) {
        if (more > bytes.length - size) {
            bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, size + more));
        }
    }

    /** Bytes of all values, also of the one that is not yet complete. */
    int size() {
        return size;
    }

    /** Memory for its values, also for more of them. */
    int heldBytes() {
        return bytes.length;
    }

    /** Values that are complete. */
    int count() {
        return count;
    }

    boolean isNull(int field) {
        return nulls[field];
    }

    void setNull(int field, boolean isNull) {
        nulls[field] = isNull;
    }

    /** Begin of the value in {@link #bytes()}. */
    int from(int field) {
        return field == 0 ? 0 : ends[field - 1];
    }

    /** End of the value in {@link #bytes()}. */
    int to(int field) {
        return ends[field];
    }

    byte[] bytes() {
        return bytes;
    }

    /** Whether the value has the same bytes. */
    boolean has(int field, byte[] expected) {
        return Arrays.equals(bytes, from(field), to(field), expected, 0, expected.length);
    }
}
