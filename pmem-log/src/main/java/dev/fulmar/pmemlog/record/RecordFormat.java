package dev.fulmar.pmemlog.record;

import dev.fulmar.foundation.data.LittleEndian;

/** Offsets of the fields of a record. */
public final class RecordFormat {
    /** The version that is written, and the only one that is read. */
    public static final int VERSION = 1;

    /** Bytes before the payload. */
    public static final int HEADER_BYTES = 72;

    /** Records begin at multiples of this. */
    public static final int ALIGNMENT_BYTES = 8;

    /** Stream of the log's own records. */
    public static final int LOG_STREAM = -1;

    static final int CHECKSUM_OFFSET = 0;
    static final int LENGTH_OFFSET = 4;
    static final int VERSION_OFFSET = 8;
    static final int KIND_OFFSET = 9;
    static final int RESERVED_OFFSET = 10;
    static final int STREAM_OFFSET = 12;
    static final int SEQUENCE_OFFSET = 16;
    static final int EPOCH_OFFSET = 24;
    static final int CATALOG_VERSION_OFFSET = 28;
    static final int CLIENT_ID_OFFSET = 32;
    static final int REQUEST_ID_OFFSET = 40;
    static final int PROCEDURE_TIME_OFFSET = 48;
    static final int COMMIT_TIMESTAMP_OFFSET = 56;
    static final int DIGEST_OFFSET = 64;

    /** The checksum does not cover itself. */
    static final int CHECKED_OFFSET = 4;

    private RecordFormat() {}

    /** Bytes that a record with such a payload takes, padding included. */
    public static int storedBytes(int payloadBytes) {
        return align(HEADER_BYTES + payloadBytes);
    }

    /** Bytes that the record at the offset takes, padding included. For memory that this program wrote itself. */
    public static int storedBytesAt(byte[] array, int offset) {
        return align(LittleEndian.getInt(array, offset + LENGTH_OFFSET));
    }

    /** Sequence of the record at the offset. For memory that this program wrote itself. */
    public static long sequenceAt(byte[] array, int offset) {
        return LittleEndian.getLong(array, offset + SEQUENCE_OFFSET);
    }

    /** Epoch of the record at the offset. For memory that this program wrote itself. */
    public static int epochAt(byte[] array, int offset) {
        return LittleEndian.getInt(array, offset + EPOCH_OFFSET);
    }

    /** The length, rounded up to where the next record begins. */
    public static int align(int length) {
        return Math.addExact(length, ALIGNMENT_BYTES - 1) & -ALIGNMENT_BYTES;
    }
}
