package dev.fulmar.wire.postgres.codec;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import org.jspecify.annotations.Nullable;

/**
 * Cuts a byte stream into messages. Whole messages are delivered from the buffer that they arrived in; only a message
 * that is split between reads is copied together.
 */
final class MessageCutter implements AutoCloseable {
    private static final int LENGTH_BYTES = Integer.BYTES;

    private final ByteBufAllocator allocator;
    private final Receiver receiver;

    /** Whether messages begin with a letter; those before the start-up do not. */
    private boolean isTyped;

    /** The beginning of a message whose rest has not arrived; null most of the time. */
    private @Nullable ByteBuf partial;

    /** Takes messages in order. */
    interface Receiver {
        /**
         * Fails if no message of the type and length can come.
         *
         * @param type 0 for a message without type
         * @param length bytes of the message without type and length field, perhaps negative
         */
        void checkHeader(byte type, long length);

        /**
         * Takes a message. The buffer is valid during the call only, its indexes must be left alone.
         *
         * @return whether to go on
         */
        boolean message(byte type, ByteBuf buffer, int offset, int length);
    }

    MessageCutter(ByteBufAllocator allocator, boolean isTyped, Receiver receiver) {
        this.allocator = allocator;
        this.isTyped = isTyped;
        this.receiver = receiver;
    }

    /** From the next message on, each begins with its type. */
    void expectTypes() {
        isTyped = true;
    }

    /** Bytes held of a message that has not arrived completely. */
    int heldBytes() {
        ByteBuf held = partial;
        return held == null ? 0 : held.readableBytes();
    }

    /** Delivers the messages that the bytes complete and keeps a copy of the rest; false if the receiver said so. */
    boolean cut(ByteBuf bytes) {
        if (partial != null && !completePartial(partial, bytes)) {
            return false;
        }
        while (bytes.readableBytes() >= headerBytes()) {
            int start = bytes.readerIndex();
            int header = headerBytes();
            int length = checkedLength(bytes, start);
            if (bytes.readableBytes() - header < length) {
                break;
            }
            bytes.skipBytes(header + length);
            if (!receiver.message(typeAt(bytes, start), bytes, start + header, length)) {
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

    private boolean completePartial(ByteBuf held, ByteBuf bytes) {
        int header = headerBytes();
        if (!fill(held, bytes, header)) {
            return true;
        }
        int length = checkedLength(held, 0);
        if (!fill(held, bytes, (long) header + length)) {
            return true;
        }
        partial = null;
        try {
            return receiver.message(typeAt(held, 0), held, header, length);
        } finally {
            held.release();
        }
    }

    /**
     * Copies bytes until the held buffer has as many as wanted. It grows with what has arrived, not with what was
     * promised.
     */
    private static boolean fill(ByteBuf held, ByteBuf bytes, long wanted) {
        long missing = wanted - held.readableBytes();
        if (missing > 0) {
            held.writeBytes(bytes, (int) Math.min(missing, bytes.readableBytes()));
        }
        return held.readableBytes() >= wanted;
    }

    private void keep(ByteBuf bytes) {
        if (partial == null) {
            ByteBuf held = allocator.directBuffer(bytes.readableBytes());
            partial = held;
            held.writeBytes(bytes);
        }
    }

    private int headerBytes() {
        return isTyped ? 1 + LENGTH_BYTES : LENGTH_BYTES;
    }

    private byte typeAt(ByteBuf buffer, int start) {
        return isTyped ? buffer.getByte(start) : 0;
    }

    /** Bytes of the message after its header. The length field counts itself. */
    private int checkedLength(ByteBuf buffer, int start) {
        int stated = buffer.getInt(start + headerBytes() - LENGTH_BYTES);
        receiver.checkHeader(typeAt(buffer, start), (long) stated - LENGTH_BYTES);
        return stated - LENGTH_BYTES;
    }
}
