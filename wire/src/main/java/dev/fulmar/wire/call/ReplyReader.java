package dev.fulmar.wire.call;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;

/** Reads a {@code ProcedureReply} in place. One reader serves many messages one after another. */
public final class ReplyReader {
    private final MessageCursor cursor = new MessageCursor();

    private long requestId;
    private int status;
    private int messageOffset;
    private int messageLength;
    private ReplyKind kind = ReplyKind.NOTHING;
    private long value;
    private int resultsOffset;
    private int resultsLength;
    private int serverMicros;
    private long snapshot;
    private int lostNode = ReplyWriter.NO_NODE;

    /** Reads the message; throws for a malformed one. The getters are valid until the buffer changes. */
    public ReplyReader wrap(ByteBuf buffer, int offset, int length) {
        requestId = 0;
        status = 0;
        messageLength = 0;
        kind = ReplyKind.NOTHING;
        value = 0;
        resultsLength = 0;
        serverMicros = 0;
        snapshot = 0;
        lostNode = ReplyWriter.NO_NODE;
        cursor.wrap(buffer, offset, length);
        for (int tag = cursor.nextTag(); tag != 0; tag = cursor.nextTag()) {
            switch (tag) {
                case ReplyWriter.REQUEST_ID -> requestId = cursor.fixed64();
                case ReplyWriter.STATUS -> status = cursor.varintInt();
                case ReplyWriter.MESSAGE -> {
                    messageLength = cursor.bytes();
                    messageOffset = cursor.position() - messageLength;
                }
                case ReplyWriter.KIND -> kind = ReplyKind.ofNumber(cursor.varintInt());
                case ReplyWriter.VALUE -> value = ProtobufBytes.unZigZag(cursor.varint());
                case ReplyWriter.RESULTS -> {
                    resultsLength = cursor.bytes();
                    resultsOffset = cursor.position() - resultsLength;
                }
                case ReplyWriter.SERVER_MICROS -> serverMicros = cursor.varintInt();
                case ReplyWriter.SNAPSHOT -> snapshot = cursor.fixed64();
                case ReplyWriter.LOST_NODE -> lostNode = cursor.varintInt();
                default -> cursor.skip(tag);
            }
        }
        return this;
    }

    public long requestId() {
        return requestId;
    }

    /** 0 if the call committed, else the number of an error code. */
    public int status() {
        return status;
    }

    /** The error's message; makes a string. */
    public String message() {
        return messageLength == 0 ? "" : cursor.buffer().toString(messageOffset, messageLength, StandardCharsets.UTF_8);
    }

    public ReplyKind kind() {
        return kind;
    }

    public long value() {
        return value;
    }

    public int resultsLength() {
        return resultsLength;
    }

    /** Copies the result blocks. */
    public byte[] results() {
        return cursor.copy(resultsOffset, resultsLength);
    }

    /** Timestamp of the snapshot that the call read, 0 if it read none. */
    public long snapshot() {
        return snapshot;
    }

    /** Number of the node that was lost with the call, {@link ReplyWriter#NO_NODE} if the server names none. */
    public int lostNode() {
        return lostNode;
    }

    /** From the arrival of the request at the server to its answer, 0 if it does not say. */
    public int serverMicros() {
        return serverMicros;
    }
}
