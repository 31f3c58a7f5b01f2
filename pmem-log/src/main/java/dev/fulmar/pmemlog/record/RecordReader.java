package dev.fulmar.pmemlog.record;

import dev.fulmar.foundation.data.LittleEndian;
import java.util.zip.CRC32C;

/**
 * A view of memory as a record that is being read. Reused from record to record. The fields mean something only after
 * {@link #wrap} answered {@link RecordCheck#VALID}.
 */
public final class RecordReader {
    private final CRC32C checksum = new CRC32C();
    private byte[] array = {};
    private int offset;
    private int length;
    private RecordKind kind = RecordKind.SEAL;

    /** Checks the bytes from the offset on, of which so many are there. It trusts none of them. */
    public RecordCheck wrap(byte[] newArray, int newOffset, int availableBytes) {
        return wrap(newArray, newOffset, availableBytes, true);
    }

    /** As {@link #wrap}, for bytes whose checksum was found right as a part of something larger. */
    public RecordCheck wrapChecked(byte[] newArray, int newOffset, int availableBytes) {
        return wrap(newArray, newOffset, availableBytes, false);
    }

    private RecordCheck wrap(byte[] newArray, int newOffset, int availableBytes, boolean checking) {
        if (newOffset < 0 || availableBytes > newArray.length - newOffset) {
            throw new IllegalArgumentException(
                    availableBytes + " bytes at " + newOffset + " of an array of " + newArray.length);
        }
        if (availableBytes < RecordFormat.HEADER_BYTES) {
            return RecordCheck.TOO_SHORT;
        }
        int claimed = LittleEndian.getInt(newArray, newOffset + RecordFormat.LENGTH_OFFSET);
        if (claimed < RecordFormat.HEADER_BYTES || claimed > availableBytes) {
            return RecordCheck.BAD_LENGTH;
        }
        if (checking && !isRight(newArray, newOffset, claimed)) {
            return RecordCheck.BAD_CHECKSUM;
        }
        if (newArray[newOffset + RecordFormat.VERSION_OFFSET] != RecordFormat.VERSION) {
            return RecordCheck.UNKNOWN_VERSION;
        }
        RecordKind found = RecordKind.ofNumber(newArray[newOffset + RecordFormat.KIND_OFFSET]);
        if (found == null) {
            return RecordCheck.UNKNOWN_KIND;
        }
        if (LittleEndian.getUnsignedShort(newArray, newOffset + RecordFormat.RESERVED_OFFSET) != 0) {
            return RecordCheck.BAD_RESERVED;
        }
        array = newArray;
        offset = newOffset;
        length = claimed;
        kind = found;
        return RecordCheck.VALID;
    }

    private boolean isRight(byte[] bytes, int begin, int claimed) {
        checksum.reset();
        checksum.update(bytes, begin + RecordFormat.CHECKED_OFFSET, claimed - RecordFormat.CHECKED_OFFSET);
        return LittleEndian.getInt(bytes, begin + RecordFormat.CHECKSUM_OFFSET) == (int) checksum.getValue();
    }

    public RecordKind kind() {
        return kind;
    }

    /** The partition, or a negative number. */
    public int stream() {
        return LittleEndian.getInt(array, offset + RecordFormat.STREAM_OFFSET);
    }

    /** Place in the stream. */
    public long sequence() {
        return LittleEndian.getLong(array, offset + RecordFormat.SEQUENCE_OFFSET);
    }

    public int epoch() {
        return LittleEndian.getInt(array, offset + RecordFormat.EPOCH_OFFSET);
    }

    public int catalogVersion() {
        return LittleEndian.getInt(array, offset + RecordFormat.CATALOG_VERSION_OFFSET);
    }

    public long clientId() {
        return LittleEndian.getLong(array, offset + RecordFormat.CLIENT_ID_OFFSET);
    }

    public long requestId() {
        return LittleEndian.getLong(array, offset + RecordFormat.REQUEST_ID_OFFSET);
    }

    public long procedureTimeMicros() {
        return LittleEndian.getLong(array, offset + RecordFormat.PROCEDURE_TIME_OFFSET);
    }

    public long commitTimestamp() {
        return LittleEndian.getLong(array, offset + RecordFormat.COMMIT_TIMESTAMP_OFFSET);
    }

    public long digest() {
        return LittleEndian.getLong(array, offset + RecordFormat.DIGEST_OFFSET);
    }

    /** Memory of the record, the reader's buffer: valid until the next record is read. */
    public byte[] array() {
        return array;
    }

    public int payloadOffset() {
        return offset + RecordFormat.HEADER_BYTES;
    }

    public int payloadBytes() {
        return length - RecordFormat.HEADER_BYTES;
    }

    /** Bytes of header and payload. */
    public int length() {
        return length;
    }

    /** Bytes until the next record. */
    public int storedBytes() {
        return RecordFormat.align(length);
    }

    /** A copy of the payload; for those that keep it. */
    public byte[] payload() {
        byte[] copy = new byte[payloadBytes()];
        System.arraycopy(array, payloadOffset(), copy, 0, copy.length);
        return copy;
    }
}
