package dev.fulmar.engine.row;

import dev.fulmar.foundation.data.LittleEndian;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Bytes of a bucket's rows on their way to another partition (Squall §4.5): rows as they are, and rows that are gone.
 * Each entry is its kind (8 bits), the table (32), and the row's slot at the source or a number (64). A row follows
 * with its length (32), as {@link StoredRow} has it. Little-endian. One thread.
 */
public final class RowChunk {
    private static final byte ROW = 1;
    private static final byte GONE = 2;
    private static final byte NEXT_NUMBER = 3;
    private static final int ENTRY_BYTES = 1 + Integer.BYTES + Long.BYTES;
    private static final int FIRST_BYTES = 1 << 12;

    private final int targetBytes;
    private byte[] array = new byte[FIRST_BYTES];
    private int usedBytes;

    /** @param targetBytes size at which a chunk is full; the last row may exceed it */
    public RowChunk(int targetBytes) {
        this.targetBytes = targetBytes;
    }

    /** Takes the entries of a chunk, in their order. */
    public interface Reader {
        /** The row in the slot of the source is this one from now on. */
        void row(int table, long slot, byte[] array, int offset, int length);

        /** The row in the slot of the source is no more. */
        void gone(int table, long slot);

        /** The table's next row without a number has at least this one. */
        void nextNumber(int table, long number);
    }

    /** Whether the chunk has as much as one should have. */
    public boolean isFull() {
        return usedBytes >= targetBytes;
    }

    /** Forgets all entries. */
    public void clear() {
        usedBytes = 0;
    }

    /** The entries, for {@link #read}. */
    public byte[] toByteArray() {
        return Arrays.copyOf(array, usedBytes);
    }

    /** Adds a row of so many bytes, which the caller puts into {@link #array} at the offset returned. */
    public int row(int table, long slot, int bytes) {
        begin(ROW, table, slot, Integer.BYTES + bytes);
        LittleEndian.putInt(array, usedBytes, bytes);
        int offset = usedBytes + Integer.BYTES;
        usedBytes = offset + bytes;
        return offset;
    }

    /** Adds that the row in the slot is no more. */
    public void gone(int table, long slot) {
        begin(GONE, table, slot, 0);
    }

    /** Adds the least number that the table's next row without one has. */
    public void nextNumber(int table, long number) {
        begin(NEXT_NUMBER, table, number, 0);
    }

    /** Memory of the entries. */
    public byte[] array() {
        return array;
    }

    private void begin(byte kind, int table, long slot, int moreBytes) {
        int needed = usedBytes + ENTRY_BYTES + moreBytes;
        if (needed > array.length) {
            array = Arrays.copyOf(array, Math.max(needed, 2 * array.length));
        }
        array[usedBytes] = kind;
        LittleEndian.putInt(array, usedBytes + 1, table);
        LittleEndian.putLong(array, usedBytes + 1 + Integer.BYTES, slot);
        usedBytes += ENTRY_BYTES;
    }

    /**
     * Gives the reader all entries of a chunk.
     *
     * @throws FulmarException {@link ErrorCode#CORRUPTION} for bytes that are no chunk
     */
    public static void read(byte[] chunk, Reader reader) {
        int at = 0;
        while (at < chunk.length) {
            if (chunk.length - at < ENTRY_BYTES) {
                throw malformed(at);
            }
            byte kind = chunk[at];
            int table = LittleEndian.getInt(chunk, at + 1);
            long slot = LittleEndian.getLong(chunk, at + 1 + Integer.BYTES);
            if (slot < 0 || slot == Long.MAX_VALUE) {
                throw malformed(at);
            }
            at += ENTRY_BYTES;
            switch (kind) {
                case ROW -> {
                    int length = chunk.length - at < Integer.BYTES ? -1 : LittleEndian.getInt(chunk, at);
                    at += Integer.BYTES;
                    if (length < 0 || length > chunk.length - at) {
                        throw malformed(at);
                    }
                    reader.row(table, slot, chunk, at, length);
                    at += length;
                }
                case GONE -> reader.gone(table, slot);
                case NEXT_NUMBER -> reader.nextNumber(table, slot);
                default -> throw malformed(at - ENTRY_BYTES);
            }
        }
    }

    private static FulmarException malformed(int at) {
        return corrupt("byte " + at + " begins no entry");
    }

    /** The error for a chunk that does not fit what is there. */
    public static FulmarException corrupt(@Nullable String why) {
        return new FulmarException(
                ErrorCode.CORRUPTION,
                "a chunk of rows from another partition cannot be taken: " + why
                        + "; cancel the reconfiguration, and report this");
    }
}
