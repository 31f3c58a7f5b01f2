package dev.fulmar.pmemlog.segment;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Header of a group: one synchronous write with the records of all streams that had come until then.
 *
 * @param logId identity of the log
 * @param segment number of the segment that the group is in
 * @param offset where in the segment the group begins
 * @param life how often the log had been opened; the group's writer is that opening
 * @param number place of the group in the log, from 1, without gaps over all segments
 * @param attested number of the last group that was durable when this one was written, 0 for none
 * @param recordCount records in the body
 * @param bodyBytes bytes of the records, which follow the header
 * @param bodyChecksum CRC32C of the body
 */
public record GroupHeader(
        long logId,
        long segment,
        int offset,
        int life,
        long number,
        long attested,
        int recordCount,
        int bodyBytes,
        int bodyChecksum) {
    /** Bytes of the header. */
    public static final int BYTES = 64;

    private static final int MAGIC = 0x52474c46; // FLGR
    private static final int VERSION = 1;
    private static final int CHECKED_OFFSET = 4;

    /** Writes the header to a little-endian buffer's beginning. */
    public void writeTo(ByteBuffer buffer) {
        buffer.putInt(4, MAGIC);
        buffer.putInt(8, VERSION);
        buffer.putInt(12, life);
        buffer.putLong(16, logId);
        buffer.putLong(24, segment);
        buffer.putLong(32, number);
        buffer.putLong(40, attested);
        buffer.putInt(48, offset);
        buffer.putInt(52, recordCount);
        buffer.putInt(56, bodyBytes);
        buffer.putInt(60, bodyChecksum);
        buffer.putInt(0, Checksums.of(buffer, CHECKED_OFFSET, BYTES - CHECKED_OFFSET));
    }

    /**
     * The header at the index of a little-endian buffer; null if there is none. Nothing but the checksum is known of
     * it.
     */
    public static @Nullable GroupHeader read(ByteBuffer buffer, int index) {
        if (buffer.limit() - index < BYTES
                || buffer.getInt(index + 4) != MAGIC
                || buffer.getInt(index) != Checksums.of(buffer, index + CHECKED_OFFSET, BYTES - CHECKED_OFFSET)
                || buffer.getInt(index + 8) != VERSION) {
            return null;
        }
        return new GroupHeader(
                buffer.getLong(index + 16),
                buffer.getLong(index + 24),
                buffer.getInt(index + 48),
                buffer.getInt(index + 12),
                buffer.getLong(index + 32),
                buffer.getLong(index + 40),
                buffer.getInt(index + 52),
                buffer.getInt(index + 56),
                buffer.getInt(index + 60));
    }

    /** Whether the group was written for this place, and could be whole there. */
    public boolean belongsAt(SegmentHeader home, int place) {
        return logId == home.logId()
                && segment == home.number()
                && offset == place
                && number > 0
                && attested < number
                && recordCount >= 0
                && bodyBytes >= 0
                && bodyBytes <= home.segmentBytes() - place - BYTES;
    }

    /** Checksum of a body. */
    public static int checksumOf(ByteBuffer buffer, int offset, int length) {
        return Checksums.of(buffer, offset, length);
    }
}
