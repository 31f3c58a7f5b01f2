package dev.fulmar.pmemlog.checkpoint;

import dev.fulmar.foundation.data.LittleEndian;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The last entry of a checkpoint: what its reader must know before the rows.
 *
 * @param extentBytes bytes of an extent of the master heap
 * @param rowCount rows of the partition
 * @param classes class of slots of every extent
 */
record CheckpointRoot(int extentBytes, long rowCount, byte[] classes) {
    private static final int PREFIX_BYTES = 16;

    byte[] toEntry() {
        int imageBytes = PREFIX_BYTES + classes.length;
        byte[] array = new byte[ClogEntry.storedBytes(imageBytes)];
        ClogEntry.writeRoot(array, 0);
        LittleEndian.putInt(array, ClogEntry.HEADER_BYTES, extentBytes);
        LittleEndian.putInt(array, ClogEntry.HEADER_BYTES + 4, classes.length);
        LittleEndian.putLong(array, ClogEntry.HEADER_BYTES + 8, rowCount);
        System.arraycopy(classes, 0, array, ClogEntry.HEADER_BYTES + PREFIX_BYTES, classes.length);
        ClogEntry.finishImage(array, 0, imageBytes);
        ClogEntry.seal(array, 0, ClogEntry.NO_SLOT, ClogEntry.NO_SLOT);
        return array;
    }

    /** The root in the entry; null if there is none. */
    static @Nullable CheckpointRoot read(byte[] array, int at) {
        int image = at + ClogEntry.HEADER_BYTES;
        int bytes = ClogEntry.imageBytes(array, at);
        if (bytes < PREFIX_BYTES || LittleEndian.getInt(array, image + 4) != bytes - PREFIX_BYTES) {
            return null;
        }
        return new CheckpointRoot(
                LittleEndian.getInt(array, image),
                LittleEndian.getLong(array, image + 8),
                Arrays.copyOfRange(array, image + PREFIX_BYTES, image + bytes));
    }
}
