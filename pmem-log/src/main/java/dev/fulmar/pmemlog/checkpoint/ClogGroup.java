package dev.fulmar.pmemlog.checkpoint;

import dev.fulmar.foundation.data.LittleEndian;
import org.jspecify.annotations.Nullable;

/**
 * Header of a group of entries, which is one write to the checkpoint log.
 *
 * @param databaseId identity of the database
 * @param partition the partition
 * @param segment number of the segment that the group is in
 * @param offset where in the segment the group begins
 * @param checkpoint number of the checkpoint that it belongs to
 * @param number place of the group in the partition's checkpoint log, from 1, without gaps over all segments
 * @param entryCount entries in the body
 * @param bodyBytes bytes of the entries, which follow the header
 * @param bodyChecksum CRC32C of the body
 * @param version of the format of the entries
 */
record ClogGroup(
        long databaseId,
        int partition,
        long segment,
        int offset,
        long checkpoint,
        long number,
        int entryCount,
        int bodyBytes,
        int bodyChecksum,
        int version) {
    static final int HEADER_BYTES = 64;

    private static final int MAGIC = 0x52474346; // FCGR
    static final int VERSION = 2;
    static final int FIRST_VERSION = 1;
    private static final int CHECKED = 4;

    void writeTo(byte[] array) {
        LittleEndian.putInt(array, 4, MAGIC);
        LittleEndian.putInt(array, 8, version);
        LittleEndian.putInt(array, 12, partition);
        LittleEndian.putLong(array, 16, databaseId);
        LittleEndian.putLong(array, 24, segment);
        LittleEndian.putLong(array, 32, checkpoint);
        LittleEndian.putLong(array, 40, number);
        LittleEndian.putInt(array, 48, offset);
        LittleEndian.putInt(array, 52, entryCount);
        LittleEndian.putInt(array, 56, bodyBytes);
        LittleEndian.putInt(array, 60, bodyChecksum);
        LittleEndian.putInt(array, 0, Checksum.of(array, CHECKED, HEADER_BYTES - CHECKED));
    }

    /** The header at the array's beginning; null if there is none. */
    static @Nullable ClogGroup read(byte[] array) {
        if (LittleEndian.getInt(array, 4) != MAGIC
                || LittleEndian.getInt(array, 0) != Checksum.of(array, CHECKED, HEADER_BYTES - CHECKED)
                || LittleEndian.getInt(array, 8) < FIRST_VERSION
                || LittleEndian.getInt(array, 8) > VERSION) {
            return null;
        }
        return new ClogGroup(
                LittleEndian.getLong(array, 16),
                LittleEndian.getInt(array, 12),
                LittleEndian.getLong(array, 24),
                LittleEndian.getInt(array, 48),
                LittleEndian.getLong(array, 32),
                LittleEndian.getLong(array, 40),
                LittleEndian.getInt(array, 52),
                LittleEndian.getInt(array, 56),
                LittleEndian.getInt(array, 60),
                LittleEndian.getInt(array, 8));
    }
}
