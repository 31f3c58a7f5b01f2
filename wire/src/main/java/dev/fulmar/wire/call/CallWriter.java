package dev.fulmar.wire.call;

import dev.fulmar.wire.frame.FrameFormat;
import dev.fulmar.wire.frame.FrameKind;
import io.netty.buffer.ByteBuf;

/** Writes calls as whole frames. */
public final class CallWriter {
    /** Tags: field number shifted by three, with the wire type. */
    static final int REQUEST_ID = (1 << 3) | ProtobufBytes.FIXED64;

    static final int PROCEDURE_NUMBER = (2 << 3) | ProtobufBytes.VARINT;
    static final int TEXT = (3 << 3) | ProtobufBytes.BYTES;
    static final int PARAMETERS = (4 << 3) | ProtobufBytes.BYTES;
    static final int TIMEOUT_MILLIS = (5 << 3) | ProtobufBytes.VARINT;
    static final int CONSISTENCY = (6 << 3) | ProtobufBytes.VARINT;
    static final int CATALOG_VERSION = (7 << 3) | ProtobufBytes.VARINT;

    /** Most bytes of a call frame beside the text and the parameters. */
    private static final int MAX_FIXED_BYTES = 64;

    private CallWriter() {}

    /** Bytes that a frame with such a text and parameters takes at most. */
    public static long maxFrameBytes(CharSequence text, int parametersLength) {
        return MAX_FIXED_BYTES + 3L * text.length() + parametersLength;
    }

    /** As {@link #maxFrameBytes}, but looks at every character of the text; still a few dozen bytes too many. */
    public static long frameBytes(CharSequence text, int parametersLength) {
        return MAX_FIXED_BYTES + (long) ProtobufBytes.textBytes(text) + parametersLength;
    }

    /**
     * Writes a call of a procedure.
     *
     * @param procedureNumber a number bound on this connection, or 0 to say the name
     * @param procedure the name; empty if the number says it
     * @param catalogVersion that the client knew when it gave the call its id; 0 for none
     */
    public static void writeProcedureCall(
            ByteBuf out,
            long requestId,
            int procedureNumber,
            CharSequence procedure,
            byte[] parameters,
            int parametersLength,
            int timeoutMillis,
            ReadConsistency consistency,
            long catalogVersion) {
        int start = FrameFormat.begin(out, FrameKind.PROCEDURE_CALL);
        writeRequestId(out, requestId);
        if (procedureNumber != 0) {
            out.writeByte(PROCEDURE_NUMBER);
            ProtobufBytes.writeVarint(out, procedureNumber);
        }
        writeRest(out, procedure, parameters, parametersLength, timeoutMillis, consistency, catalogVersion);
        FrameFormat.end(out, start);
    }

    /** Writes one SQL statement to be executed. */
    public static void writeStatementCall(
            ByteBuf out,
            long requestId,
            CharSequence sql,
            byte[] parameters,
            int parametersLength,
            int timeoutMillis,
            ReadConsistency consistency,
            long catalogVersion) {
        int start = FrameFormat.begin(out, FrameKind.STATEMENT_CALL);
        writeRequestId(out, requestId);
        writeRest(out, sql, parameters, parametersLength, timeoutMillis, consistency, catalogVersion);
        FrameFormat.end(out, start);
    }

    /** Asks for the call to be ended that has the id, in connections under the same client id. */
    public static void writeCancel(ByteBuf out, long requestId) {
        int start = FrameFormat.begin(out, FrameKind.CANCEL);
        writeRequestId(out, requestId);
        FrameFormat.end(out, start);
    }

    private static void writeRequestId(ByteBuf out, long requestId) {
        if (requestId != 0) {
            out.writeByte(REQUEST_ID);
            out.writeLongLE(requestId);
        }
    }

    private static void writeRest(
            ByteBuf out,
            CharSequence text,
            byte[] parameters,
            int parametersLength,
            int timeoutMillis,
            ReadConsistency consistency,
            long catalogVersion) {
        ProtobufBytes.writeText(out, TEXT, text);
        ProtobufBytes.writeBytes(out, PARAMETERS, parameters, 0, parametersLength);
        if (timeoutMillis != 0) {
            out.writeByte(TIMEOUT_MILLIS);
            ProtobufBytes.writeVarint(out, timeoutMillis);
        }
        if (consistency != ReadConsistency.DECLARED) {
            out.writeByte(CONSISTENCY);
            out.writeByte(consistency.number());
        }
        if (catalogVersion != 0) {
            out.writeByte(CATALOG_VERSION);
            ProtobufBytes.writeVarint(out, catalogVersion);
        }
    }
}
