package dev.fulmar.wire.call;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import java.nio.charset.StandardCharsets;

/** Protobuf's own encoding of single values, on a buffer. */
final class ProtobufBytes {
    /** Wire types: the low three bits of a tag. */
    static final int VARINT = 0;

    static final int FIXED64 = 1;
    static final int BYTES = 2;
    static final int FIXED32 = 5;

    /** Longer texts are encoded as a whole, which takes an array and less time. */
    private static final int MOST_CHARS_ONE_BY_ONE = 128;

    private ProtobufBytes() {}

    static void writeVarint(ByteBuf out, int value) {
        int rest = value;
        while ((rest & ~0x7F) != 0) {
            out.writeByte((rest & 0x7F) | 0x80);
            rest >>>= 7;
        }
        out.writeByte(rest);
    }

    static void writeVarint(ByteBuf out, long value) {
        long rest = value;
        while ((rest & ~0x7FL) != 0) {
            out.writeByte((int) (rest & 0x7F) | 0x80);
            rest >>>= 7;
        }
        out.writeByte((int) rest);
    }

    /** Writes tag, length and UTF-8 bytes; nothing for an empty text, as Protobuf does. */
    static void writeText(ByteBuf out, int tag, CharSequence text) {
        if (text.isEmpty()) {
            return;
        }
        if (text.length() > MOST_CHARS_ONE_BY_ONE) {
            byte[] bytes = encoded(text);
            writeBytes(out, tag, bytes, 0, bytes.length);
            return;
        }
        out.writeByte(tag);
        writeVarint(out, ByteBufUtil.utf8Bytes(text));
        ByteBufUtil.writeUtf8(out, text);
    }

    /** Bytes of the text as {@link #writeText} writes it, without tag and length. */
    static int textBytes(CharSequence text) {
        return text.length() > MOST_CHARS_ONE_BY_ONE ? encoded(text).length : ByteBufUtil.utf8Bytes(text);
    }

    private static byte[] encoded(CharSequence text) {
        return text.toString().getBytes(StandardCharsets.UTF_8);
    }

    /** Writes tag, length and bytes; nothing for no bytes. */
    static void writeBytes(ByteBuf out, int tag, byte[] bytes, int offset, int length) {
        if (length == 0) {
            return;
        }
        out.writeByte(tag);
        writeVarint(out, length);
        out.writeBytes(bytes, offset, length);
    }

    static long zigZag(long value) {
        return (value << 1) ^ (value >> 63);
    }

    static long unZigZag(long encoded) {
        return (encoded >>> 1) ^ -(encoded & 1);
    }

    static FulmarException malformed(String what) {
        return new FulmarException(
                ErrorCode.MALFORMED_REQUEST,
                "a message cannot be read: " + what
                        + "; connect with a client of Fulmar, and see docs/PROTOCOL.md to write one");
    }
}
