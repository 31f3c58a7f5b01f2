package dev.fulmar.engine.row;

import dev.fulmar.foundation.data.LittleEndian;

/** A stored row of form 1, whose state begins with 8 flags instead of 16. */
final class EarlierStoredRow {
    private static final int FLAG_BITS = 8;
    private static final byte[] NONE = {};

    private EarlierStoredRow() {}

    /** Whether the stored row has form 1. */
    static boolean isOne(byte[] array, int offset, int length) {
        return length > StoredRow.TIMESTAMP_BYTES && array[offset + StoredRow.TIMESTAMP_BYTES] == RowLayout.USED;
    }

    /** The row in the form of today; without a byte if it is none of the layout's rows. */
    static byte[] converted(RowLayout layout, byte[] array, int offset, int length) {
        int words = RowLayout.stateWords(RowLayout.FLAG_BITS, layout.columnCount());
        int before = RowLayout.stateWords(FLAG_BITS, layout.columnCount());
        int more = (words - before) * Long.BYTES;
        if (length + more < StoredRow.fixedBytes(layout)) {
            return NONE;
        }
        byte[] row = new byte[length + more];
        int state = StoredRow.TIMESTAMP_BYTES;
        System.arraycopy(array, offset, row, 0, state);
        long carried = 0;
        for (int word = 0; word < words; word++) {
            long bits = word < before ? LittleEndian.getLong(array, offset + state + word * Long.BYTES) : 0;
            int shift = RowLayout.FLAG_BITS - FLAG_BITS;
            LittleEndian.putLong(row, state + word * Long.BYTES, (bits << shift) | carried);
            carried = bits >>> (Long.SIZE - shift);
        }
        LittleEndian.putShort(row, state, StoredRow.FORM_2);
        int rest = state + before * Long.BYTES;
        System.arraycopy(array, offset + rest, row, rest + more, length - rest);
        return row;
    }
}
