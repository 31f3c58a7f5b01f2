package dev.fulmar.wire.postgres.codec;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;

/** Reads the fields of one message in place. Every step is checked against the message's end. */
final class MessageBody {
    private static final char REPLACEMENT = '\uFFFD';

    private ByteBuf buffer = Unpooled.EMPTY_BUFFER;
    private int position;
    private int end;

    void wrap(ByteBuf message, int offset, int length) {
        buffer = message;
        position = offset;
        end = offset + length;
    }

    /** Bytes that have not been read. */
    int remaining() {
        return end - position;
    }

    byte int8() {
        need(1);
        return buffer.getByte(position++);
    }

    int unsignedInt16() {
        need(Short.BYTES);
        int value = buffer.getUnsignedShort(position);
        position += Short.BYTES;
        return value;
    }

    int int32() {
        need(Integer.BYTES);
        int value = buffer.getInt(position);
        position += Integer.BYTES;
        return value;
    }

    /** A count of items of which each has at least so many bytes. */
    int count(int leastBytesEach) {
        int count = unsignedInt16();
        if ((long) count * leastBytesEach > remaining()) {
            throw ProtocolViolation.of("a message counts " + count + " items and has " + remaining() + " bytes left");
        }
        return count;
    }

    byte[] bytes(int length) {
        if (length < 0) {
            throw ProtocolViolation.of("a message has a value of " + length + " bytes");
        }
        need(length);
        byte[] copy = new byte[length];
        buffer.getBytes(position, copy);
        position += length;
        return copy;
    }

    byte[] rest() {
        return bytes(remaining());
    }

    void skipRest() {
        position = end;
    }

    /** Text up to a zero byte, which is read too. */
    String text() {
        int zero = buffer.indexOf(position, end, (byte) 0);
        if (zero < 0) {
            throw ProtocolViolation.of("a text in a message has no end");
        }
        byte[] copy = bytes(zero - position);
        position++;
        String text = new String(copy, StandardCharsets.UTF_8);
        if (text.indexOf(REPLACEMENT) >= 0) {
            checkUtf8(copy);
        }
        return text;
    }

    /** Fails if something is left. */
    void end() {
        if (position != end) {
            throw ProtocolViolation.of("a message has " + remaining() + " bytes too many");
        }
    }

    private void need(int count) {
        if (end - position < count) {
            throw ProtocolViolation.of("a message ends in the middle of a field");
        }
    }

    private static void checkUtf8(byte[] bytes) {
        try {
            StandardCharsets.UTF_8
                    .newDecoder()
                    .onMalformedInput(CodingErrorAction.REPORT)
                    .onUnmappableCharacter(CodingErrorAction.REPORT)
                    .decode(ByteBuffer.wrap(bytes));
        } catch (CharacterCodingException e) {
            throw ProtocolViolation.of("a text in a message is not UTF-8");
        }
    }
}
