package dev.fulmar.pmemlog.record;

import dev.fulmar.foundation.data.LittleEndian;
import java.util.Arrays;
import java.util.zip.CRC32C;

/**
 * A view of memory as a record that is being written. Reused from record to record: {@link #wrap} it, set the fields,
 * put the payload at {@link #payloadOffset()}, {@link #finish}. A field that is not set is zero.
 */
public final class RecordWriter {
    private final CRC32C checksum = new CRC32C();
    private byte[] array = {};
    private int offset;
    private int capacity;

    /** Begins a record at the offset, which may take so many bytes, padding included. */
    public RecordWriter wrap(byte[] newArray, int newOffset, int capacityBytes, RecordKind kind) {
        if (capacityBytes < RecordFormat.HEADER_BYTES || newOffset < 0 || newOffset > newArray.length - capacityBytes) {
            throw new IllegalArgumentException(
                    "no room for a record: " + capacityBytes + " bytes at " + newOffset + " of " + newArray.length);
        }
        array = newArray;
        offset = newOffset;
        capacity = capacityBytes;
        Arrays.fill(array, offset, offset + RecordFormat.HEADER_BYTES, (byte) 0);
        array[offset + RecordFormat.VERSION_OFFSET] = RecordFormat.VERSION;
        array[offset + RecordFormat.KIND_OFFSET] = (byte) kind.number();
        return this;
    }

    /** The stream, the place in it, and the epoch under which the record is written. */
    public RecordWriter position(int stream, long sequence, int epoch) {
        LittleEndian.putInt(array, offset + RecordFormat.STREAM_OFFSET, stream);
        LittleEndian.putLong(array, offset + RecordFormat.SEQUENCE_OFFSET, sequence);
        LittleEndian.putInt(array, offset + RecordFormat.EPOCH_OFFSET, epoch);
        return this;
    }

    public RecordWriter catalogVersion(int version) {
        LittleEndian.putInt(array, offset + RecordFormat.CATALOG_VERSION_OFFSET, version);
        return this;
    }

    /** By which a request that is sent again is recognised. */
    public RecordWriter clientHandle(long clientId, long requestId) {
        LittleEndian.putLong(array, offset + RecordFormat.CLIENT_ID_OFFSET, clientId);
        LittleEndian.putLong(array, offset + RecordFormat.REQUEST_ID_OFFSET, requestId);
        return this;
    }

    /** The time that the procedure saw, in microseconds since 1970. */
    public RecordWriter procedureTimeMicros(long micros) {
        LittleEndian.putLong(array, offset + RecordFormat.PROCEDURE_TIME_OFFSET, micros);
        return this;
    }

    public RecordWriter commitTimestamp(long timestamp) {
        LittleEndian.putLong(array, offset + RecordFormat.COMMIT_TIMESTAMP_OFFSET, timestamp);
        return this;
    }

    /** Digest of what the transaction wrote, which a replay must reproduce. */
    public RecordWriter digest(long digest) {
        LittleEndian.putLong(array, offset + RecordFormat.DIGEST_OFFSET, digest);
        return this;
    }

    /** Memory of the record. */
    public byte[] array() {
        return array;
    }

    /** Index in {@link #array()} of the payload. */
    public int payloadOffset() {
        return offset + RecordFormat.HEADER_BYTES;
    }

    /** Bytes that the payload may have. */
    public int payloadCapacity() {
        return capacity - RecordFormat.HEADER_BYTES;
    }

    /** Copies the bytes to the begin of the payload; for those that do not write it in place. */
    public RecordWriter payload(byte[] source, int sourceOffset, int length) {
        checkPayload(length);
        System.arraycopy(source, sourceOffset, array, payloadOffset(), length);
        return this;
    }

    /** Ends the record, whose payload has so many bytes; returns the bytes that it takes, padding included. */
    public int finish(int payloadBytes) {
        checkPayload(payloadBytes);
        int length = RecordFormat.HEADER_BYTES + payloadBytes;
        int stored = RecordFormat.align(length);
        Arrays.fill(array, offset + length, offset + Math.min(stored, capacity), (byte) 0);
        LittleEndian.putInt(array, offset + RecordFormat.LENGTH_OFFSET, length);
        checksum.reset();
        checksum.update(array, offset + RecordFormat.CHECKED_OFFSET, length - RecordFormat.CHECKED_OFFSET);
        LittleEndian.putInt(array, offset + RecordFormat.CHECKSUM_OFFSET, (int) checksum.getValue());
        return stored;
    }

    private void checkPayload(int payloadBytes) {
        if (payloadBytes < 0 || payloadBytes > payloadCapacity()) {
            throw new IllegalArgumentException(
                    "a payload of " + payloadBytes + " bytes, where " + payloadCapacity() + " were claimed");
        }
    }
}
