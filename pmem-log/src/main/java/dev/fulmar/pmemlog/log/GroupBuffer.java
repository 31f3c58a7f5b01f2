package dev.fulmar.pmemlog.log;

import dev.fulmar.pmemlog.segment.GroupHeader;
import dev.fulmar.pmemlog.segment.SegmentHeader;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** The group that is being made. */
final class GroupBuffer {
    private static final byte[] ZEROS = new byte[4096];

    private final int usualBytes;
    private ByteBuffer buffer;
    private int end;
    private int limit;
    private int records;

    GroupBuffer(int usualBytes) {
        this.usualBytes = usualBytes;
        this.buffer = allocate(usualBytes);
    }

    private static ByteBuffer allocate(int bytes) {
        return ByteBuffer.allocateDirect(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    /** Empties the group, which may then take so many bytes. Memory beyond the usual is given back by the next call. */
    void begin(int bodyBytes) {
        int bytes = GroupHeader.BYTES + bodyBytes;
        if (bytes > buffer.capacity() || buffer.capacity() > usualBytes) {
            buffer = allocate(Math.max(bytes, usualBytes));
        }
        buffer.clear();
        limit = bytes;
        end = GroupHeader.BYTES;
        records = 0;
    }

    /** Bytes that still fit. */
    int remaining() {
        return limit - end;
    }

    /** Adds a record, which fits. */
    void append(byte[] array, int offset, int bytes) {
        buffer.put(end, array, offset, bytes);
        end += bytes;
        records++;
    }

    /** Bytes of the records. */
    int bodyBytes() {
        return end - GroupHeader.BYTES;
    }

    /** The group with its header, padded to whole blocks, ready to be written at the offset of the segment. */
    ByteBuffer finish(SegmentHeader home, int offset, int life, long number, long attested) {
        int whole = home.wholeBlocks(end);
        if (whole > buffer.capacity()) {
            buffer = allocate(whole).put(0, buffer, 0, end);
        }
        for (int zero = end; zero < whole; ) {
            int count = Math.min(ZEROS.length, whole - zero);
            buffer.put(zero, ZEROS, 0, count);
            zero += count;
        }
        int checksum = GroupHeader.checksumOf(buffer, GroupHeader.BYTES, bodyBytes());
        new GroupHeader(home.logId(), home.number(), offset, life, number, attested, records, bodyBytes(), checksum)
                .writeTo(buffer);
        return buffer.clear().limit(whole);
    }
}
