package dev.fulmar.wire.frame;

import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.MessageLite;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** Layout of a frame's first bytes. */
public final class FrameFormat {
    /** Version of the layout itself; a server of another layout cannot be talked to at all. */
    public static final byte FRAMING = 1;

    /** The oldest version of the messages that this code speaks. */
    public static final int OLDEST_VERSION = 1;

    /** The newest version of the messages that this code speaks. */
    public static final int NEWEST_VERSION = 7;

    /** The first version that knows users. */
    public static final int AUTHENTICATION_VERSION = 2;

    /** The first version in which servers tell which node serves what. */
    public static final int ROUTING_VERSION = 3;

    /** The first version in which clients can ask for a call to be ended. */
    public static final int CANCEL_VERSION = 4;

    /** The first version in which calls say which version of the catalog their client knew. */
    public static final int CATALOG_VERSION = 5;

    /** From this version on the budgets of a procedure have codes of their own. */
    public static final int BUDGET_CODES_VERSION = 6;

    /**
     * From this version on the end of the node that had a request has codes of its own, and so have dates out of range.
     */
    public static final int NODE_ENDS_VERSION = 7;

    /** Longest frame that is accepted from a client before it has authenticated. */
    public static final int UNAUTHENTICATED_FRAME_BYTES = 8 << 10;

    public static final int LENGTH_BYTES = 4;

    /** Length, framing and kind. */
    public static final int HEADER_BYTES = 6;

    private FrameFormat() {}

    /** Begins a frame at the writer index; returns its start, for {@link #end}. */
    public static int begin(ByteBuf out, FrameKind kind) {
        int start = out.writerIndex();
        out.writeIntLE(0);
        out.writeShortLE(FRAMING | (kind.number() << 8));
        return start;
    }

    /** Ends the frame that begins at the start: fills in its length. */
    public static void end(ByteBuf out, int start) {
        out.setIntLE(start, out.writerIndex() - start - LENGTH_BYTES);
    }

    /** Writes a whole frame with a message of a kind of which there are few. */
    public static void write(ByteBuf out, FrameKind kind, MessageLite message) {
        int start = begin(out, kind);
        int size = message.getSerializedSize();
        out.ensureWritable(size);
        try {
            CodedOutputStream stream = CodedOutputStream.newInstance(out.nioBuffer(out.writerIndex(), size));
            message.writeTo(stream);
            stream.flush();
        } catch (IOException e) {
            throw new FulmarException(
                    ErrorCode.INTERNAL, "a message of " + size + " bytes did not fit its own size", e);
        }
        out.writerIndex(out.writerIndex() + size);
        end(out, start);
    }

    /** Writes a whole frame with a text, as authentication has it. */
    public static void write(ByteBuf out, FrameKind kind, String text) {
        int start = begin(out, kind);
        out.writeCharSequence(text, StandardCharsets.UTF_8);
        end(out, start);
    }
}
