package dev.fulmar.wire.postgres.codec;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import org.jspecify.annotations.Nullable;

/** Writes the parts of messages. */
final class MessageWriter {
    private MessageWriter() {}

    /** Begins a message at the writer index; returns the place of its length, for {@link #end}. */
    static int begin(ByteBuf out, char type) {
        out.writeByte(type);
        int start = out.writerIndex();
        out.writeInt(0);
        return start;
    }

    /** Ends a message: fills in its length, which counts itself. */
    static void end(ByteBuf out, int start) {
        out.setInt(start, out.writerIndex() - start);
    }

    /** Writes a message of a type alone. */
    static void empty(ByteBuf out, char type) {
        end(out, begin(out, type));
    }

    /** Writes text and the zero that ends it. A zero inside, which would end it too, becomes a blank. */
    static void text(ByteBuf out, String text) {
        ByteBufUtil.writeUtf8(out, text.indexOf('\0') < 0 ? text : text.replace('\0', ' '));
        out.writeByte(0);
    }

    /** Writes the length of a value and its bytes, or the length -1 for a null. */
    static void value(ByteBuf out, byte @Nullable [] value) {
        if (value == null) {
            out.writeInt(-1);
        } else {
            out.writeInt(value.length).writeBytes(value);
        }
    }
}
