package dev.fulmar.pmemlog.checkpoint;

import dev.fulmar.foundation.data.LittleEndian;
import dev.fulmar.pmemlog.checkpoint.LoggedRow.Kind;
import org.jspecify.annotations.Nullable;

/**
 * Bytes of a slot of the master heap. A free slot begins with zeros. Those of old extents and those of rows larger than
 * an extent are {@link WideSlot}s.
 */
final class MasterSlot {
    /** Zeros with which a free slot begins. */
    static final int FREE_BYTES = 16;

    private static final int VERSION_PLACE = 4;
    private static final int NUMBERS = 5;
    private static final int VERSION = 2;
    private static final int PACKED_VERSION = 3;

    private MasterSlot() {}

    /** Bytes that the row takes in a slot. */
    static int bytes(int partition, long checkpoint, LoggedRow row) {
        return NUMBERS
                + Numbers.bytes(row.storedBytes())
                + Numbers.bytes(row.imageBytes())
                + Numbers.signedBytes(partition)
                + Numbers.signedBytes(row.table())
                + Numbers.signedBytes(row.bucket())
                + Numbers.bytes(row.row())
                + Numbers.bytes(checkpoint)
                + row.storedBytes();
    }

    /** The slot of the row. */
    static byte[] of(int partition, long checkpoint, LoggedRow row) {
        byte[] slot = new byte[bytes(partition, checkpoint, row)];
        slot[VERSION_PLACE] = (byte) (row.isPacked() ? PACKED_VERSION : VERSION);
        int at = Numbers.put(slot, NUMBERS, row.storedBytes());
        at = Numbers.put(slot, at, row.imageBytes());
        at = Numbers.putSigned(slot, at, partition);
        at = Numbers.putSigned(slot, at, row.table());
        at = Numbers.putSigned(slot, at, row.bucket());
        at = Numbers.put(slot, at, row.row());
        at = Numbers.put(slot, at, checkpoint);
        System.arraycopy(row.image(), row.imageOffset(), slot, at, row.storedBytes());
        LittleEndian.putInt(slot, 0, Checksum.of(slot, VERSION_PLACE, slot.length - VERSION_PLACE));
        return slot;
    }

    static boolean isFree(byte[] array, int at) {
        return LittleEndian.getLong(array, at) == 0 && LittleEndian.getLong(array, at + Long.BYTES) == 0;
    }

    /**
     * Reads the slot of so many bytes, a partition's slot of at most the checkpoint; returns what is wrong with it,
     * null if nothing.
     */
    static @Nullable String read(LoggedRow row, byte[] array, int at, int slotBytes, int partition, long newest) {
        Numbers in = new Numbers(array, at + NUMBERS, at + slotBytes);
        int storedBytes = in.nextInt();
        int imageBytes = in.nextInt();
        int found = in.nextSignedInt();
        int table = in.nextSignedInt();
        int bucket = in.nextSignedInt();
        long number = in.next();
        long checkpoint = in.next();
        if (in.isBad() || storedBytes > at + slotBytes - in.at()) {
            return "a row that does not fit there";
        }
        int checked = in.at() + storedBytes - at - VERSION_PLACE;
        if (LittleEndian.getInt(array, at) != Checksum.of(array, at + VERSION_PLACE, checked)) {
            return "a row with a wrong checksum";
        }
        int version = array[at + VERSION_PLACE];
        if (version != (storedBytes < imageBytes ? PACKED_VERSION : VERSION) || storedBytes > imageBytes) {
            return "a row of another version";
        }
        row.name(Kind.ROW, table, bucket, number);
        row.stored(array, in.at(), storedBytes, imageBytes);
        return defect(found, partition, checkpoint, newest);
    }

    /** The defect of a row that names such a partition and such a checkpoint; null if there is none. */
    static @Nullable String defect(int found, int partition, long checkpoint, long newest) {
        if (found != partition) {
            return "a row of partition " + found;
        }
        return checkpoint > newest
                ? "a row of checkpoint " + checkpoint + ", but the superblock knows none after " + newest
                : null;
    }
}
