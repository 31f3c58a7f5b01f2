package dev.fulmar.wire.postgres.codec;

import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.wire.postgres.message.FrontendMessage;
import dev.fulmar.wire.postgres.message.FrontendMessage.CancelRequest;
import dev.fulmar.wire.postgres.message.FrontendMessage.GssEncryptionRequest;
import dev.fulmar.wire.postgres.message.FrontendMessage.SslRequest;
import dev.fulmar.wire.postgres.message.FrontendMessage.StartupMessage;
import dev.fulmar.wire.postgres.message.FrontendMessage.Unreadable;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import org.jspecify.annotations.Nullable;

/**
 * Decoder of the bytes of one client. It begins with messages that have no type, and expects types after the
 * {@link StartupMessage}. One decoder per connection, used by one thread at a time.
 */
public final class FrontendDecoder implements AutoCloseable {
    /** Longest message that is accepted from a client before it has logged in. */
    public static final int UNAUTHENTICATED_MESSAGE_BYTES = 10 << 10;

    private final Messages messages = new Messages();
    private final MessageBody body = new MessageBody();
    private final MessageCutter cutter;
    private int messageLimitBytes = UNAUTHENTICATED_MESSAGE_BYTES;
    private @Nullable FrontendHandler handler;
    private boolean dropsRest;
    private boolean isEnded;

    public FrontendDecoder(ByteBufAllocator allocator) {
        cutter = new MessageCutter(allocator, false, messages);
    }

    /** Sets the limit for messages that have not begun to arrive: bytes without type and length field. */
    public void messageLimitBytes(int limit) {
        messageLimitBytes = limit;
    }

    /** Bytes held of a message that has not arrived completely. */
    public int heldBytes() {
        return cutter.heldBytes();
    }

    /**
     * Delivers the messages that the bytes complete and keeps a copy of the rest; the caller keeps the buffer. Bytes
     * that came with a request for encryption are dropped: a client waits for the answer, so another wrote them.
     *
     * <p>A stream that cannot be cut into messages throws {@link FulmarException} with 08P01, and so does a malformed
     * start-up. The connection must be closed then, for nothing after it can be understood.
     *
     * @return false as soon as the handler says so, and after a {@link CancelRequest}
     */
    public boolean decode(ByteBuf bytes, FrontendHandler receiver) {
        if (isEnded) {
            bytes.skipBytes(bytes.readableBytes());
            return false;
        }
        handler = receiver;
        dropsRest = false;
        try {
            boolean goesOn = cutter.cut(bytes);
            if (dropsRest) {
                bytes.skipBytes(bytes.readableBytes());
                return messages.goesOn;
            }
            return goesOn;
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
        private boolean goesOn;

        /** The start-up has come; a type of 0 is wrong from then on. */
        private boolean areTyped;

        @Override
        public void checkHeader(byte type, long length) {
            if (areTyped) {
                FrontendReader.checkHeader(type, length, messageLimitBytes);
            } else {
                FrontendReader.checkStartUp(length, UNAUTHENTICATED_MESSAGE_BYTES);
            }
        }

        @Override
        public boolean message(byte type, ByteBuf buffer, int offset, int length) {
            FrontendHandler receiver = handler;
            if (receiver == null) {
                throw new IllegalStateException("messages are delivered while bytes are decoded");
            }
            body.wrap(buffer, offset, length);
            if (areTyped) {
                return receiver.message(typed(type));
            }
            FrontendMessage message = FrontendReader.startUp(body);
            goesOn = receiver.message(message);
            switch (message) {
                case SslRequest _, GssEncryptionRequest _ -> dropsRest = true;
                case CancelRequest _ -> {
                    goesOn = false;
                    dropsRest = true;
                    isEnded = true;
                }
                default -> {
                    areTyped = true;
                    cutter.expectTypes();
                }
            }
            return goesOn && !dropsRest;
        }

        private FrontendMessage typed(byte type) {
            try {
                return FrontendReader.read(type, body);
            } catch (FulmarException e) {
                return new Unreadable((char) type, String.valueOf(e.getMessage()));
            }
        }
    }
}
