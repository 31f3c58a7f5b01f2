package dev.fulmar.pmemlog.checkpoint;

import dev.fulmar.foundation.data.LittleEndian;
import dev.fulmar.pmemlog.checkpoint.LoggedRow.Kind;
import org.jspecify.annotations.Nullable;

/**
 * Bytes of a slot of version 1: numbers of fixed width, and the image as it is. New ones are made for rows larger than
 * an extent only.
 */
final class WideSlot {
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

    private WideSlot() {}

    /** The slot of the row, whose image is not packed. */
    static byte[] of(int partition, long checkpoint, LoggedRow row) {
        int length = row.imageBytes();
        byte[] slot = new byte[HEADER_BYTES + length];
        LittleEndian.putInt(slot, LENGTH, length);
        LittleEndian.putInt(slot, TABLE, row.table());
        LittleEndian.putInt(slot, BUCKET, row.bucket());
        LittleEndian.putLong(slot, ROW, row.row());
        LittleEndian.putLong(slot, CHECKPOINT, checkpoint);
        LittleEndian.putInt(slot, VERSION_PLACE, VERSION);
        LittleEndian.putInt(slot, PARTITION, partition);
        System.arraycopy(row.image(), row.imageOffset(), slot, HEADER_BYTES, length);
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

    /** As {@link MasterSlot#read}. */
    static @Nullable String read(LoggedRow row, byte[] array, int at, int slotBytes, int partition, long newest) {
        int length = LittleEndian.getInt(array, at + LENGTH);
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
        row.name(
                Kind.ROW,
                LittleEndian.getInt(array, at + TABLE),
                LittleEndian.getInt(array, at + BUCKET),
                LittleEndian.getLong(array, at + ROW));
        row.stored(array, at + HEADER_BYTES, length, length);
        return MasterSlot.defect(
                LittleEndian.getInt(array, at + PARTITION),
                partition,
                LittleEndian.getLong(array, at + CHECKPOINT),
                newest);
    }
}
