package dev.fulmar.pmemlog.recovery;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.storage.Storage;
import dev.fulmar.foundation.storage.Storage.StorageFile;
import dev.fulmar.pmemlog.segment.GroupHeader;
import dev.fulmar.pmemlog.segment.SegmentHeader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/** An open segment with a window of it in memory. The window never grows beyond the file. */
final class SegmentReader implements AutoCloseable {
    private static final int WINDOW_BYTES = 1 << 18;

    private final String fileName;
    private final StorageFile file;
    private final long fileBytes;
    private byte[] window;
    private ByteBuffer buffer;
    private int windowOffset;

    SegmentReader(Storage storage, String fileName) {
        this.fileName = fileName;
        try {
            this.file = storage.open(fileName);
            this.fileBytes = file.size();
        } catch (IOException e) {
            throw unreadable(0, e);
        }
        this.window = new byte[(int) Math.min(WINDOW_BYTES, fileBytes)];
        this.buffer = ByteBuffer.wrap(window).limit(0).order(ByteOrder.LITTLE_ENDIAN);
    }

    String fileName() {
        return fileName;
    }

    /** The first block; null if it is none or the file is shorter than it says. */
    @Nullable SegmentHeader header() {
        load(0, SegmentHeader.BYTES);
        SegmentHeader header = SegmentHeader.read(buffer);
        return header == null || header.segmentBytes() > fileBytes ? null : header;
    }

    /** The header of a group that was written for this place; null if there is none. */
    @Nullable GroupHeader groupAt(SegmentHeader home, int offset) {
        if (!load(offset, GroupHeader.BYTES)) {
            return null;
        }
        GroupHeader header = GroupHeader.read(buffer, offset - windowOffset);
        return header != null && header.belongsAt(home, offset) ? header : null;
    }

    /** Whether the group's body is what its header says. */
    boolean isWhole(GroupHeader header) {
        int body = header.offset() + GroupHeader.BYTES;
        return load(body, header.bodyBytes())
                && GroupHeader.checksumOf(buffer, body - windowOffset, header.bodyBytes()) == header.bodyChecksum();
    }

    /** Whether the bytes are all zero, as far as there are any. */
    boolean isZero(int offset, int bytes) {
        int present = (int) Math.min(bytes, Math.max(0, fileBytes - offset));
        load(offset, present);
        int begin = offset - windowOffset;
        for (int i = begin; i < begin + present; i++) {
            if (window[i] != 0) {
                return false;
            }
        }
        return true;
    }

    /** Makes the bytes present in {@link #memory()}; false if the file ends before. */
    boolean load(int offset, int bytes) {
        if ((long) offset + bytes > fileBytes) {
            return false;
        }
        if (offset >= windowOffset && offset + bytes <= windowOffset + buffer.limit()) {
            return true;
        }
        if (bytes > window.length) {
            window = new byte[bytes];
            buffer = ByteBuffer.wrap(window).order(ByteOrder.LITTLE_ENDIAN);
        }
        windowOffset = offset;
        buffer.clear();
        try {
            buffer.limit(file.read(offset, buffer));
        } catch (IOException e) {
            throw unreadable(offset, e);
        }
        return bytes <= buffer.limit();
    }

    byte[] memory() {
        return window;
    }

    /** Index in {@link #memory()} of an offset of the file. */
    int index(int offset) {
        return offset - windowOffset;
    }

    private FulmarException unreadable(int offset, IOException cause) {
        return new FulmarException(
                ErrorCode.STORAGE_FAILURE,
                "cannot read " + fileName + " at offset " + offset + ": " + cause.getMessage()
                        + "; check the device, then start again or restore the file from a copy",
                cause);
    }

    @Override
    public void close() {
        try {
            file.close();
        } catch (IOException e) {
            throw unreadable(0, e);
        }
    }
}
