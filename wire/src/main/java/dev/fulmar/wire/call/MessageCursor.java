package dev.fulmar.wire.call;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;

/** Reads the fields of a Protobuf message in place. Every step is checked against the message's end. */
final class MessageCursor {
    private static final int MAX_VARINT_SHIFT = 63;
    private static final int TAG_TYPE_BITS = 3;

    private ByteBuf buffer = Unpooled.EMPTY_BUFFER;
    private int position;
    private int end;

    void wrap(ByteBuf message, int offset, int length) {
        buffer = message;
        position = offset;
        end = offset + length;
    }

    ByteBuf buffer() {
        return buffer;
    }

    /**
     * Copies {@code length} bytes from {@code offset} on. A direct buffer's view of its own memory serves every copy;
     * {@link ByteBuf#getBytes(int, byte[])} would make one for each.
     */
    byte[] copy(int offset, int length) {
        byte[] copy = new byte[length];
        if (length > 0) {
            if (buffer.isDirect() && buffer.nioBufferCount() == 1) {
                buffer.internalNioBuffer(offset, length).get(copy);
            } else {
                buffer.getBytes(offset, copy);
            }
        }
        return copy;
    }

    /** Position of the next value. */
    int position() {
        return position;
    }

    /** The next field's tag, or 0 at the end of the message. */
    int nextTag() {
        if (position == end) {
            return 0;
        }
        int tag = varintInt();
        if (tag >>> TAG_TYPE_BITS == 0) {
            throw ProtobufBytes.malformed("a field has the number 0");
        }
        return tag;
    }

    long fixed64() {
        need(Long.BYTES);
        long value = buffer.getLongLE(position);
        position += Long.BYTES;
        return value;
    }

    /** A varint of which only the low 32 bits count, as Protobuf reads an {@code uint32}. */
    int varintInt() {
        if (position < end) {
            byte first = buffer.getByte(position);
            if (first >= 0) {
                position++;
                return first;
            }
        }
        return (int) varint();
    }

    long varint() {
        long value = 0;
        for (int shift = 0; shift <= MAX_VARINT_SHIFT; shift += 7) {
            need(1);
            byte next = buffer.getByte(position++);
            value |= (next & 0x7FL) << shift;
            if (next >= 0) {
                return value;
            }
        }
        throw ProtobufBytes.malformed("a number has more than ten bytes");
    }

    /**
     * Reads the length of a field of bytes, checks it and steps over them; returns the length. They end at
     * {@link #position()}.
     */
    int bytes() {
        long length = varint();
        if (length < 0 || length > end - position) {
            throw ProtobufBytes.malformed("a field of " + length + " bytes in " + (end - position));
        }
        position += (int) length;
        return (int) length;
    }

    /** Steps over the value of a field that this version does not know. */
    void skip(int tag) {
        switch (tag & 7) {
            case ProtobufBytes.VARINT -> varint();
            case ProtobufBytes.FIXED64 -> {
                need(Long.BYTES);
                position += Long.BYTES;
            }
            case ProtobufBytes.BYTES -> bytes();
            case ProtobufBytes.FIXED32 -> {
                need(Integer.BYTES);
                position += Integer.BYTES;
            }
            default -> throw ProtobufBytes.malformed("a field has the wire type " + (tag & 7));
        }
    }

    private void need(int count) {
        if (end - position < count) {
            throw ProtobufBytes.malformed("it ends in the middle of a field");
        }
    }
}
