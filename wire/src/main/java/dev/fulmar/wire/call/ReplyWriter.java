package dev.fulmar.wire.call;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.wire.frame.FrameFormat;
import dev.fulmar.wire.frame.FrameKind;
import io.netty.buffer.ByteBuf;

/** Writes replies as whole frames. */
public final class ReplyWriter {
    static final int REQUEST_ID = (1 << 3) | ProtobufBytes.FIXED64;
    static final int STATUS = (2 << 3) | ProtobufBytes.VARINT;
    static final int MESSAGE = (3 << 3) | ProtobufBytes.BYTES;
    static final int KIND = (4 << 3) | ProtobufBytes.VARINT;
    static final int VALUE = (5 << 3) | ProtobufBytes.VARINT;
    static final int RESULTS = (6 << 3) | ProtobufBytes.BYTES;
    static final int SERVER_MICROS = (7 << 3) | ProtobufBytes.VARINT;
    static final int SNAPSHOT = (8 << 3) | ProtobufBytes.FIXED64;
    static final int LOST_NODE = (9 << 3) | ProtobufBytes.VARINT;

    /** No node was lost with the call, or none is known. */
    public static final int NO_NODE = -1;

    private ReplyWriter() {}

    /**
     * Writes the reply to a call that committed.
     *
     * @param snapshot timestamp of the snapshot that the call read, or 0
     */
    public static void writeCommitted(
            ByteBuf out, long requestId, ReplyKind kind, long value, byte[] results, int serverMicros, long snapshot) {
        int start = FrameFormat.begin(out, FrameKind.PROCEDURE_REPLY);
        writeRequestId(out, requestId);
        if (kind != ReplyKind.NOTHING) {
            out.writeByte(KIND);
            out.writeByte(kind.number());
        }
        if (value != 0) {
            out.writeByte(VALUE);
            ProtobufBytes.writeVarint(out, ProtobufBytes.zigZag(value));
        }
        ProtobufBytes.writeBytes(out, RESULTS, results, 0, results.length);
        writeServerMicros(out, serverMicros);
        if (snapshot != 0) {
            out.writeByte(SNAPSHOT);
            out.writeLongLE(snapshot);
        }
        FrameFormat.end(out, start);
    }

    /** Writes the reply to a call that failed. */
    public static void writeFailed(ByteBuf out, long requestId, ErrorCode code, String message, int serverMicros) {
        writeFailed(out, requestId, code, message, serverMicros, NO_NODE);
    }

    /**
     * Writes the reply to a call that failed.
     *
     * @param lostNode number of the node that was lost with the call, or {@link #NO_NODE}
     */
    public static void writeFailed(
            ByteBuf out, long requestId, ErrorCode code, String message, int serverMicros, int lostNode) {
        int start = FrameFormat.begin(out, FrameKind.PROCEDURE_REPLY);
        writeRequestId(out, requestId);
        out.writeByte(STATUS);
        ProtobufBytes.writeVarint(out, code.number());
        ProtobufBytes.writeText(out, MESSAGE, message);
        writeServerMicros(out, serverMicros);
        if (lostNode != NO_NODE) {
            out.writeByte(LOST_NODE);
            ProtobufBytes.writeVarint(out, lostNode);
        }
        FrameFormat.end(out, start);
    }

    private static void writeRequestId(ByteBuf out, long requestId) {
        if (requestId != 0) {
            out.writeByte(REQUEST_ID);
            out.writeLongLE(requestId);
        }
    }

    private static void writeServerMicros(ByteBuf out, int serverMicros) {
        if (serverMicros != 0) {
            out.writeByte(SERVER_MICROS);
            ProtobufBytes.writeVarint(out, serverMicros);
        }
    }
}
