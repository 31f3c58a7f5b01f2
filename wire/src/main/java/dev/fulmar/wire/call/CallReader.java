package dev.fulmar.wire.call;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;

/**
 * Reads a {@code ProcedureCall}, a {@code StatementCall} or a {@code Cancel} in place. One reader serves many messages
 * one after another.
 */
public final class CallReader {
    private final MessageCursor cursor = new MessageCursor();

    private long requestId;
    private int procedureNumber;
    private int textOffset;
    private int textLength;
    private int parametersOffset;
    private int parametersLength;
    private int timeoutMillis;
    private ReadConsistency consistency = ReadConsistency.DECLARED;
    private long catalogVersion;

    /** Reads the message; throws for a malformed one. The getters are valid until the buffer changes. */
    public CallReader wrap(ByteBuf buffer, int offset, int length) {
        requestId = 0;
        procedureNumber = 0;
        textLength = 0;
        parametersLength = 0;
        timeoutMillis = 0;
        consistency = ReadConsistency.DECLARED;
        catalogVersion = 0;
        cursor.wrap(buffer, offset, length);
        for (int tag = cursor.nextTag(); tag != 0; tag = cursor.nextTag()) {
            switch (tag) {
                case CallWriter.REQUEST_ID -> requestId = cursor.fixed64();
                case CallWriter.PROCEDURE_NUMBER -> procedureNumber = cursor.varintInt();
                case CallWriter.TEXT -> {
                    textLength = cursor.bytes();
                    textOffset = cursor.position() - textLength;
                }
                case CallWriter.PARAMETERS -> {
                    parametersLength = cursor.bytes();
                    parametersOffset = cursor.position() - parametersLength;
                }
                case CallWriter.TIMEOUT_MILLIS -> timeoutMillis = cursor.varintInt();
                case CallWriter.CONSISTENCY -> consistency = ReadConsistency.ofNumber(cursor.varintInt());
                case CallWriter.CATALOG_VERSION -> catalogVersion = cursor.varint();
                default -> cursor.skip(tag);
            }
        }
        return this;
    }

    public long requestId() {
        return requestId;
    }

    /** Number of a bound procedure, or 0. */
    public int procedureNumber() {
        return procedureNumber;
    }

    public int textLength() {
        return textLength;
    }

    /** The procedure's name or the SQL statement; makes a string. */
    public String text() {
        return textLength == 0 ? "" : cursor.buffer().toString(textOffset, textLength, StandardCharsets.UTF_8);
    }

    public int parametersLength() {
        return parametersLength;
    }

    /** Copies the parameter list. */
    public byte[] parameters() {
        return cursor.copy(parametersOffset, parametersLength);
    }

    /** The consistency of the call if it only reads. */
    public ReadConsistency consistency() {
        return consistency;
    }

    /** The version of the catalog that the client knew when it gave the call its id, 0 if it does not say. */
    public long catalogVersion() {
        return catalogVersion;
    }

    /** The caller's time-out, 0 if it gives none; read as unsigned and capped. */
    public int timeoutMillis() {
        return timeoutMillis < 0 ? Integer.MAX_VALUE : timeoutMillis;
    }
}
