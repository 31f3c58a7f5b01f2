package dev.fulmar.wire.postgres.codec;

import dev.fulmar.wire.postgres.message.BackendMessage;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import org.jspecify.annotations.Nullable;

/**
 * Decoder of the bytes of one server, but for the answer to a request for encryption, which is no message. One decoder
 * per connection, used by one thread at a time.
 */
public final class BackendDecoder implements AutoCloseable {
    private final MessageBody body = new MessageBody();
    private final MessageCutter cutter;
    private final int messageLimitBytes;
    private @Nullable BackendHandler handler;

    /** @param messageLimitBytes most bytes of a message without type and length field */
    public BackendDecoder(ByteBufAllocator allocator, int messageLimitBytes) {
        this.messageLimitBytes = messageLimitBytes;
        cutter = new MessageCutter(allocator, true, new Messages());
    }

    /**
     * Delivers the messages that the bytes complete and keeps a copy of the rest; the caller keeps the buffer. Anything
     * that is no message fails with 08P01, and the connection must be closed.
     *
     * @return false as soon as the handler says so
     */
    public boolean decode(ByteBuf bytes, BackendHandler receiver) {
        handler = receiver;
        try {
            return cutter.cut(bytes);
        } finally {
            handler = null;
        }
    }

    @Override
    public void close() {
        cutter.close();
    }

    /** The cutter's view of the decoder. */
    private final class Messages implements MessageCutter.Receiver {
        @Override
        public void checkHeader(byte type, long length) {
            if (length < 0 || length > messageLimitBytes) {
                throw ProtocolViolation.of("a message " + (char) type + " says that it has " + length
                        + " bytes; it may have 0 to " + messageLimitBytes);
            }
        }

        @Override
        public boolean message(byte type, ByteBuf buffer, int offset, int length) {
            BackendHandler receiver = handler;
            if (receiver == null) {
                throw new IllegalStateException("messages are delivered while bytes are decoded");
            }
            body.wrap(buffer, offset, length);
            BackendMessage message = BackendReader.read(type, body);
            body.end();
            return receiver.message(message);
        }
    }
}
