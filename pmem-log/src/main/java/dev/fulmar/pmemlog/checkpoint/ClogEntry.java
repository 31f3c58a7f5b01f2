package dev.fulmar.pmemlog.checkpoint;

import dev.fulmar.foundation.data.LittleEndian;
import dev.fulmar.pmemlog.checkpoint.LoggedRow.Kind;
import org.jspecify.annotations.Nullable;

/**
 * Bytes of a row in a batch: its image, or that the row is gone. In checkpoint logs of version 1 it lies the same, with
 * what it means for the master heap, and a checksum.
 */
final class ClogEntry {
    static final int HEADER_BYTES = 48;

    private static final int CHECKSUM = 0;
    private static final int LENGTH = 4;
    private static final int TABLE = 8;
    private static final int BUCKET = 12;
    private static final int ROW = 16;
    private static final int SLOT = 24;
    private static final int ERASED = 32;
    private static final int VERSION_PLACE = 40;
    private static final int KIND = 41;

    private static final int VERSION = 1;
    private static final int KIND_ROW = 1;
    private static final int KIND_ROOT = 2;
    private static final int KIND_WHOLE_TABLE = 3;
    private static final int KIND_WHOLE_BUCKET = 4;
    private static final int REMOVED = -1;
    private static final int ALIGNMENT = 8;

    private ClogEntry() {}

    /** Bytes of an entry with such an image. */
    static int storedBytes(int imageBytes) {
        return HEADER_BYTES + (Math.addExact(imageBytes, ALIGNMENT - 1) & -ALIGNMENT);
    }

    static void writeRow(byte[] array, int at, int table, int bucket, long row) {
        LittleEndian.putInt(array, at + TABLE, table);
        LittleEndian.putInt(array, at + BUCKET, bucket);
        LittleEndian.putLong(array, at + ROW, row);
        LittleEndian.putLong(array, at + SLOT, LoggedRow.NO_SLOT);
        LittleEndian.putLong(array, at + ERASED, LoggedRow.NO_SLOT);
        LittleEndian.putLong(array, at + VERSION_PLACE, 0);
        array[at + VERSION_PLACE] = VERSION;
        array[at + KIND] = KIND_ROW;
    }

    /** Sets the image's length and fills up with zeros; returns the bytes of the whole. */
    static int finishImage(byte[] array, int at, int imageBytes) {
        LittleEndian.putInt(array, at + LENGTH, imageBytes);
        int bytes = storedBytes(imageBytes);
        for (int i = at + HEADER_BYTES + imageBytes; i < at + bytes; i++) {
            array[i] = 0;
        }
        return bytes;
    }

    static void finishRemoval(byte[] array, int at) {
        LittleEndian.putInt(array, at + LENGTH, REMOVED);
    }

    private static int checksum(byte[] array, int at) {
        return Checksum.of(array, at + LENGTH, HEADER_BYTES - LENGTH + Math.max(0, imageBytes(array, at)));
    }

    /** The defect of an entry, of which so many bytes are there; null if there is none. */
    static @Nullable String defect(byte[] array, int at, int present) {
        if (present < HEADER_BYTES) {
            return "the beginning of an entry only";
        }
        int length = imageBytes(array, at);
        if (length < REMOVED || length > present - HEADER_BYTES || bytes(array, at) > present) {
            return "an entry with a length of " + length;
        }
        if (LittleEndian.getInt(array, at + CHECKSUM) != checksum(array, at)) {
            return "an entry with a wrong checksum";
        }
        if (array[at + VERSION_PLACE] != VERSION) {
            return "an entry of version " + array[at + VERSION_PLACE];
        }
        return null;
    }

    /** In a batch only: the removal is that of all rows of the table. */
    static void markWholeTable(byte[] array, int at) {
        array[at + KIND] = KIND_WHOLE_TABLE;
    }

    static boolean isWholeTable(byte[] array, int at) {
        return array[at + KIND] == KIND_WHOLE_TABLE;
    }

    /** In a batch only: the removal is that of all rows of the bucket. */
    static void markWholeBucket(byte[] array, int at) {
        array[at + KIND] = KIND_WHOLE_BUCKET;
    }

    static boolean isWholeBucket(byte[] array, int at) {
        return array[at + KIND] == KIND_WHOLE_BUCKET;
    }

    /** Bytes of the whole entry. */
    static int bytes(byte[] array, int at) {
        return storedBytes(Math.max(0, imageBytes(array, at)));
    }

    static int imageBytes(byte[] array, int at) {
        return LittleEndian.getInt(array, at + LENGTH);
    }

    static boolean isRemoval(byte[] array, int at) {
        return imageBytes(array, at) == REMOVED;
    }

    private static boolean isRoot(byte[] array, int at) {
        return array[at + KIND] == KIND_ROOT;
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

    /** Reads an entry of version 1. */
    static void read(LoggedRow entry, byte[] array, int at) {
        Kind kind = isRoot(array, at) ? Kind.ROOT : isRemoval(array, at) ? Kind.REMOVAL : Kind.ROW;
        entry.name(kind, table(array, at), bucket(array, at), row(array, at));
        entry.slots(slot(array, at + SLOT), slot(array, at + ERASED));
        int bytes = Math.max(0, imageBytes(array, at));
        entry.stored(array, at + HEADER_BYTES, bytes, bytes);
    }

    private static long slot(byte[] array, int at) {
        long slot = LittleEndian.getLong(array, at);
        return slot == LoggedRow.NO_SLOT ? slot : slot * SizeClasses.OLD_UNITS;
    }
}
