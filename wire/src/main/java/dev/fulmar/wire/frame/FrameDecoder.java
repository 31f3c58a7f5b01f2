package dev.fulmar.wire.frame;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import org.jspecify.annotations.Nullable;

/**
 * Cuts a byte stream into frames. Whole frames are delivered from the buffer that they arrived in; only a frame that is
 * split between reads is copied together. One decoder per connection, used by one thread at a time.
 */
public final class FrameDecoder implements AutoCloseable {
    private final ByteBufAllocator allocator;
    private int frameLimitBytes;

    /** The beginning of a frame whose rest has not arrived; null most of the time. */
    private @Nullable ByteBuf partial;

    /** @param frameLimitBytes greatest length of a frame without its length field */
    public FrameDecoder(ByteBufAllocator allocator, int frameLimitBytes) {
        this.allocator = allocator;
        this.frameLimitBytes = frameLimitBytes;
    }

    /** Changes the limit for frames that have not begun to arrive. */
    public void frameLimitBytes(int limit) {
        frameLimitBytes = limit;
    }

    /** Bytes held of a frame that has not arrived completely. */
    public int heldBytes() {
        ByteBuf held = partial;
        return held == null ? 0 : held.readableBytes();
    }

    /**
     * Length of the frame whose beginning has arrived, with its length field; 0 if none has, or not even that field.
     */
    public int awaitedBytes() {
        ByteBuf held = partial;
        return held == null || held.readableBytes() < FrameFormat.LENGTH_BYTES
                ? 0
                : FrameFormat.LENGTH_BYTES + checkedLength(held, 0);
    }

    /** Takes memory for the whole frame that is awaited, so that it need not be copied while it grows. */
    public void expectWhole() {
        ByteBuf held = partial;
        int missing = awaitedBytes() - heldBytes();
        if (held != null && missing > 0) {
            held.ensureWritable(missing);
        }
    }

    /**
     * Delivers the frames that the bytes complete and keeps a copy of the rest; the caller keeps the buffer. A
     * malformed stream throws {@link FulmarException}, and the connection must be closed, for nothing after it can be
     * understood.
     *
     * @return false as soon as the handler says so
     */
    public boolean decode(ByteBuf bytes, FrameHandler handler) {
        if (partial != null && !completePartial(partial, bytes, handler)) {
            return false;
        }
        while (bytes.readableBytes() >= FrameFormat.LENGTH_BYTES) {
            int start = bytes.readerIndex();
            int length = checkedLength(bytes, start);
            if (bytes.readableBytes() - FrameFormat.LENGTH_BYTES < length) {
                break;
            }
            bytes.skipBytes(FrameFormat.LENGTH_BYTES + length);
            if (!deliver(bytes, start, length, handler)) {
                return false;
            }
        }
        if (bytes.isReadable()) {
            keep(bytes);
        }
        return true;
    }

    @Override
    public void close() {
        if (partial != null) {
            partial.release();
            partial = null;
        }
    }

    /**
     * Moves bytes to the partial frame until it is complete; true if no partial frame is in the way any more or bytes
     * ran out.
     */
    private boolean completePartial(ByteBuf held, ByteBuf bytes, FrameHandler handler) {
        if (!fill(held, bytes, FrameFormat.LENGTH_BYTES)) {
            return true;
        }
        int length = checkedLength(held, 0);
        if (!fill(held, bytes, FrameFormat.LENGTH_BYTES + length)) {
            return true;
        }
        partial = null;
        try {
            return deliver(held, 0, length, handler);
        } finally {
            held.release();
        }
    }

    /**
     * Copies bytes until the held buffer has as many as wanted. It grows with what has arrived, not with what was
     * promised.
     */
    private static boolean fill(ByteBuf held, ByteBuf bytes, int wanted) {
        int missing = wanted - held.readableBytes();
        if (missing > 0) {
            held.writeBytes(bytes, Math.min(missing, bytes.readableBytes()));
        }
        return held.readableBytes() >= wanted;
    }

    private void keep(ByteBuf bytes) {
        ByteBuf held = partial;
        if (held == null) {
            held = allocator.directBuffer(bytes.readableBytes());
            partial = held;
            held.writeBytes(bytes);
        }
    }

    private int checkedLength(ByteBuf buffer, int start) {
        int length = buffer.getIntLE(start);
        if (length < FrameFormat.HEADER_BYTES - FrameFormat.LENGTH_BYTES) {
            throw new FulmarException(
                    ErrorCode.MALFORMED_REQUEST,
                    "a frame says that it has " + length
                            + " bytes, which no frame has; connect with a client of Fulmar, and see docs/PROTOCOL.md to write one");
        }
        if (length > frameLimitBytes) {
            throw new FulmarException(
                    ErrorCode.FRAME_TOO_LARGE,
                    "a frame of " + length + " bytes exceeds the limit of " + frameLimitBytes
                            + "; send less in one request, or raise the server's limit for frames");
        }
        return length;
    }

    private static boolean deliver(ByteBuf buffer, int start, int length, FrameHandler handler) {
        int head = buffer.getUnsignedShortLE(start + FrameFormat.LENGTH_BYTES);
        if ((head & 0xFF) != FrameFormat.FRAMING) {
            throw new FulmarException(
                    ErrorCode.VERSION_MISMATCH,
                    "a frame has layout " + (head & 0xFF) + ", this side knows layout " + FrameFormat.FRAMING
                            + "; use client and server of matching versions");
        }
        FrameKind kind = FrameKind.ofNumber(head >>> 8);
        if (kind == null) {
            throw new FulmarException(
                    ErrorCode.MALFORMED_REQUEST,
                    "a frame is of kind " + (head >>> 8)
                            + ", which this version does not know; use client and server of matching versions");
        }
        return handler.frame(
                kind,
                buffer,
                start + FrameFormat.HEADER_BYTES,
                length - (FrameFormat.HEADER_BYTES - FrameFormat.LENGTH_BYTES));
    }
}
