package dev.fulmar.pmemlog.checkpoint;

import dev.fulmar.foundation.data.LittleEndian;
import java.util.Arrays;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Root of a checkpoint: its last entry, which a reader needs before the rows.
 *
 * @param extentBytes bytes of an extent of the master heap
 * @param rowCount rows of the partition
 * @param classes class of slots of every extent
 * @param filled of extents not all of whose slots were ever given out, how many were; those behind them are not read
 */
record CheckpointRoot(int extentBytes, long rowCount, byte[] classes, SortedMap<Integer, Integer> filled) {
    private static final int PREFIX_BYTES = 16;
    private static final int FILLED_BYTES = 8;

    CheckpointRoot {
        filled = Collections.unmodifiableSortedMap(new TreeMap<>(filled));
    }

    /** Of a partition without a checkpoint. */
    static CheckpointRoot none(int extentBytes) {
        return new CheckpointRoot(extentBytes, 0, new byte[0], new TreeMap<>());
    }

    byte[] toImage() {
        byte[] image = new byte[PREFIX_BYTES + classes.length + FILLED_BYTES * filled.size()];
        LittleEndian.putInt(image, 0, extentBytes);
        LittleEndian.putInt(image, 4, classes.length);
        LittleEndian.putLong(image, 8, rowCount);
        System.arraycopy(classes, 0, image, PREFIX_BYTES, classes.length);
        int at = PREFIX_BYTES + classes.length;
        for (Map.Entry<Integer, Integer> partly : filled.entrySet()) {
            LittleEndian.putInt(image, at, partly.getKey());
            LittleEndian.putInt(image, at + Integer.BYTES, partly.getValue());
            at += FILLED_BYTES;
        }
        return image;
    }

    /** The root in the entry; null if there is none. */
    static @Nullable CheckpointRoot read(LoggedRow entry) {
        if (!entry.unpack()) {
            return null;
        }
        byte[] array = entry.image();
        int image = entry.imageOffset();
        int bytes = entry.imageBytes();
        int extents = bytes < PREFIX_BYTES ? -1 : LittleEndian.getInt(array, image + 4);
        if (extents < 0 || extents > bytes - PREFIX_BYTES || (bytes - PREFIX_BYTES - extents) % FILLED_BYTES != 0) {
            return null;
        }
        SortedMap<Integer, Integer> filled = new TreeMap<>();
        for (int partly = image + PREFIX_BYTES + extents; partly < image + bytes; partly += FILLED_BYTES) {
            filled.put(LittleEndian.getInt(array, partly), LittleEndian.getInt(array, partly + Integer.BYTES));
        }
        return new CheckpointRoot(
                LittleEndian.getInt(array, image),
                LittleEndian.getLong(array, image + 8),
                Arrays.copyOfRange(array, image + PREFIX_BYTES, image + PREFIX_BYTES + extents),
                filled);
    }
}
