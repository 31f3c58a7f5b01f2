package dev.fulmar.pmemlog.checkpoint;

import dev.fulmar.foundation.data.LittleEndian;
import org.jspecify.annotations.Nullable;

/** Bytes of a slot of the master heap. A free slot begins with zeros. */
final class MasterSlot {
    static final int HEADER_BYTES = 40;

    private static final int CHECKSUM = 0;
    private static final int LENGTH = 4;
    private static final int TABLE = 8;
    private static final int BUCKET = 12;
    private static final int ROW = 16;
    private static final int CHECKPOINT = 24;
    private static final int VERSION_PLACE = 32;
    private static final int VERSION = 0x31464d46; // FMF1
    private static final int PARTITION = 36;

    private MasterSlot() {}

    /** The slot of the entry's row. */
    static byte[] of(int partition, long checkpoint, byte[] array, int entry) {
        int length = ClogEntry.imageBytes(array, entry);
        byte[] slot = new byte[HEADER_BYTES + length];
        LittleEndian.putInt(slot, LENGTH, length);
        LittleEndian.putInt(slot, TABLE, ClogEntry.table(array, entry));
        LittleEndian.putInt(slot, BUCKET, ClogEntry.bucket(array, entry));
        LittleEndian.putLong(slot, ROW, ClogEntry.row(array, entry));
        LittleEndian.putLong(slot, CHECKPOINT, checkpoint);
        LittleEndian.putInt(slot, VERSION_PLACE, VERSION);
        LittleEndian.putInt(slot, PARTITION, partition);
        System.arraycopy(array, entry + ClogEntry.HEADER_BYTES, slot, HEADER_BYTES, length);
        LittleEndian.putInt(slot, CHECKSUM, Checksum.of(slot, LENGTH, slot.length - LENGTH));
        return slot;
    }

    static boolean isFree(byte[] array, int at) {
        for (int i = 0; i < HEADER_BYTES; i++) {
            if (array[at + i] != 0) {
                return false;
            }
        }
        return true;
    }

    /** What is wrong with the slot of so many bytes, as a partition's slot of at most the checkpoint; null if nothing. */
    static @Nullable String defect(byte[] array, int at, int slotBytes, int partition, long newest) {
        int length = imageBytes(array, at);
        if (length < 0 || length > slotBytes - HEADER_BYTES) {
            return "a row with a length of " + length;
        }
        if (LittleEndian.getInt(array, at + CHECKSUM)
                != Checksum.of(array, at + LENGTH, HEADER_BYTES - LENGTH + length)) {
            return "a row with a wrong checksum";
        }
        if (LittleEndian.getInt(array, at + VERSION_PLACE) != VERSION) {
            return "a row of another version";
        }
        if (LittleEndian.getInt(array, at + PARTITION) != partition) {
            return "a row of partition " + LittleEndian.getInt(array, at + PARTITION);
        }
        long checkpoint = LittleEndian.getLong(array, at + CHECKPOINT);
        return checkpoint > newest
                ? "a row of checkpoint " + checkpoint + ", but the superblock knows none after " + newest
                : null;
    }

    static int imageBytes(byte[] array, int at) {
        return LittleEndian.getInt(array, at + LENGTH);
    }

    static int table(byte[] array, int at) {
        return LittleEndian.getInt(array, at + TABLE);
    }

    static int bucket(byte[] array, int at) {
        return LittleEndian.getInt(array, at + BUCKET);
    }

    static long row(byte[] array, int at) {
        return LittleEndian.getLong(array, at + ROW);
    }
}
