package dev.fulmar.pmemlog.segment;

import dev.fulmar.foundation.data.LittleEndian;
import dev.fulmar.pmemlog.record.RecordReader;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Payload of a SEAL record.
 *
 * @param reason why it was written
 * @param streams where every stream that the log knows stood
 */
public record Seal(SealReason reason, SortedMap<Integer, StreamEnd> streams) {
    private static final int PREFIX_BYTES = 8;
    private static final int ENTRY_BYTES = 16;

    /** Bytes of the payload for so many streams. */
    public static int payloadBytes(int streamCount) {
        return Math.addExact(PREFIX_BYTES, Math.multiplyExact(ENTRY_BYTES, streamCount));
    }

    /** Writes the payload at the offset; returns its bytes. */
    public int writeTo(byte[] array, int offset) {
        LittleEndian.putInt(array, offset, reason.number());
        LittleEndian.putInt(array, offset + 4, streams.size());
        int at = offset + PREFIX_BYTES;
        for (Map.Entry<Integer, StreamEnd> stream : streams.entrySet()) {
            LittleEndian.putInt(array, at, stream.getKey());
            LittleEndian.putInt(array, at + 4, stream.getValue().epoch());
            LittleEndian.putLong(array, at + 8, stream.getValue().sequence());
            at += ENTRY_BYTES;
        }
        return at - offset;
    }

    /** The seal in the record's payload; null if there is none. */
    public static @Nullable Seal read(RecordReader record) {
        byte[] array = record.array();
        int offset = record.payloadOffset();
        if (record.payloadBytes() < PREFIX_BYTES || (record.payloadBytes() - PREFIX_BYTES) % ENTRY_BYTES != 0) {
            return null;
        }
        int entries = (record.payloadBytes() - PREFIX_BYTES) / ENTRY_BYTES;
        SealReason reason = SealReason.ofNumber(LittleEndian.getInt(array, offset));
        if (reason == null || LittleEndian.getInt(array, offset + 4) != entries) {
            return null;
        }
        SortedMap<Integer, StreamEnd> streams = new TreeMap<>();
        for (int i = 0; i < entries; i++) {
            int at = offset + PREFIX_BYTES + i * ENTRY_BYTES;
            streams.put(
                    LittleEndian.getInt(array, at),
                    new StreamEnd(LittleEndian.getInt(array, at + 4), LittleEndian.getLong(array, at + 8)));
        }
        return streams.size() == entries ? new Seal(reason, streams) : null;
    }
}
