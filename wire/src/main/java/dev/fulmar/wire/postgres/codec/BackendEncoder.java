package dev.fulmar.wire.postgres.codec;

import dev.fulmar.wire.postgres.message.BackendMessage;
import dev.fulmar.wire.postgres.message.BackendMessage.AuthenticationOk;
import dev.fulmar.wire.postgres.message.BackendMessage.AuthenticationSasl;
import dev.fulmar.wire.postgres.message.BackendMessage.AuthenticationSaslContinue;
import dev.fulmar.wire.postgres.message.BackendMessage.AuthenticationSaslFinal;
import dev.fulmar.wire.postgres.message.BackendMessage.BackendKeyData;
import dev.fulmar.wire.postgres.message.BackendMessage.BindComplete;
import dev.fulmar.wire.postgres.message.BackendMessage.CloseComplete;
import dev.fulmar.wire.postgres.message.BackendMessage.CommandComplete;
import dev.fulmar.wire.postgres.message.BackendMessage.CopyData;
import dev.fulmar.wire.postgres.message.BackendMessage.CopyDone;
import dev.fulmar.wire.postgres.message.BackendMessage.CopyInResponse;
import dev.fulmar.wire.postgres.message.BackendMessage.CopyOutResponse;
import dev.fulmar.wire.postgres.message.BackendMessage.DataRow;
import dev.fulmar.wire.postgres.message.BackendMessage.EmptyQueryResponse;
import dev.fulmar.wire.postgres.message.BackendMessage.EncryptionAnswer;
import dev.fulmar.wire.postgres.message.BackendMessage.ErrorResponse;
import dev.fulmar.wire.postgres.message.BackendMessage.NegotiateProtocolVersion;
import dev.fulmar.wire.postgres.message.BackendMessage.NoData;
import dev.fulmar.wire.postgres.message.BackendMessage.NoticeResponse;
import dev.fulmar.wire.postgres.message.BackendMessage.ParameterDescription;
import dev.fulmar.wire.postgres.message.BackendMessage.ParameterStatus;
import dev.fulmar.wire.postgres.message.BackendMessage.ParseComplete;
import dev.fulmar.wire.postgres.message.BackendMessage.PortalSuspended;
import dev.fulmar.wire.postgres.message.BackendMessage.ReadyForQuery;
import dev.fulmar.wire.postgres.message.BackendMessage.RowDescription;
import dev.fulmar.wire.postgres.message.Diagnostic;
import dev.fulmar.wire.postgres.message.FieldDescription;
import dev.fulmar.wire.postgres.message.ValueFormat;
import io.netty.buffer.ByteBuf;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes the messages of a server. Rows are written by {@link RowWriter} where there are many. */
public final class BackendEncoder {
    static final int AUTHENTICATION_OK = 0;
    static final int AUTHENTICATION_SASL = 10;
    static final int AUTHENTICATION_SASL_CONTINUE = 11;
    static final int AUTHENTICATION_SASL_FINAL = 12;

    private BackendEncoder() {}

    /** Appends a message. */
    public static void write(ByteBuf out, BackendMessage message) {
        switch (message) {
            case EncryptionAnswer(boolean isAccepted) -> out.writeByte(isAccepted ? 'S' : 'N');
            case AuthenticationOk _ -> authentication(out, AUTHENTICATION_OK, new byte[0]);
            case AuthenticationSasl(List<String> mechanisms) -> mechanisms(out, mechanisms);
            case AuthenticationSaslContinue(byte[] data) -> authentication(out, AUTHENTICATION_SASL_CONTINUE, data);
            case AuthenticationSaslFinal(byte[] data) -> authentication(out, AUTHENTICATION_SASL_FINAL, data);
            case ParameterStatus(String name, String value) -> texts(out, 'S', name, value);
            case BackendKeyData(int processId, int secret) -> numbers(out, 'K', processId, secret);
            case NegotiateProtocolVersion negotiation -> negotiation(out, negotiation);
            case ReadyForQuery ready -> {
                int start = MessageWriter.begin(out, 'Z');
                out.writeByte(ready.status().code());
                MessageWriter.end(out, start);
            }
            case RowDescription(List<FieldDescription> fields) -> fields(out, fields);
            case DataRow row -> row(out, row.values());
            case CommandComplete(String tag) -> texts(out, 'C', tag);
            case EmptyQueryResponse _ -> MessageWriter.empty(out, 'I');
            case ErrorResponse(Diagnostic diagnostic) -> diagnostic(out, 'E', diagnostic);
            case NoticeResponse(Diagnostic diagnostic) -> diagnostic(out, 'N', diagnostic);
            case ParseComplete _ -> MessageWriter.empty(out, '1');
            case BindComplete _ -> MessageWriter.empty(out, '2');
            case CloseComplete _ -> MessageWriter.empty(out, '3');
            case NoData _ -> MessageWriter.empty(out, 'n');
            case PortalSuspended _ -> MessageWriter.empty(out, 's');
            case ParameterDescription(List<Integer> types) -> parameters(out, types);
            case CopyInResponse(ValueFormat format, int columns) -> copy(out, 'G', format, columns);
            case CopyOutResponse(ValueFormat format, int columns) -> copy(out, 'H', format, columns);
            case CopyData(byte[] bytes) -> {
                int start = MessageWriter.begin(out, 'd');
                out.writeBytes(bytes);
                MessageWriter.end(out, start);
            }
            case CopyDone _ -> MessageWriter.empty(out, 'c');
        }
    }

    /** Begins a CopyData whose bytes are appended next; returns its start, for {@link #endCopyData}. */
    public static int beginCopyData(ByteBuf out) {
        return MessageWriter.begin(out, 'd');
    }

    /** Ends the CopyData that begins at the start. */
    public static void endCopyData(ByteBuf out, int start) {
        MessageWriter.end(out, start);
    }

    private static void authentication(ByteBuf out, int code, byte[] data) {
        int start = MessageWriter.begin(out, 'R');
        out.writeInt(code).writeBytes(data);
        MessageWriter.end(out, start);
    }

    private static void mechanisms(ByteBuf out, List<String> mechanisms) {
        int start = MessageWriter.begin(out, 'R');
        out.writeInt(AUTHENTICATION_SASL);
        mechanisms.forEach(name -> MessageWriter.text(out, name));
        out.writeByte(0);
        MessageWriter.end(out, start);
    }

    private static void texts(ByteBuf out, char type, String... texts) {
        int start = MessageWriter.begin(out, type);
        for (String text : texts) {
            MessageWriter.text(out, text);
        }
        MessageWriter.end(out, start);
    }

    private static void numbers(ByteBuf out, char type, int first, int second) {
        int start = MessageWriter.begin(out, type);
        out.writeInt(first).writeInt(second);
        MessageWriter.end(out, start);
    }

    private static void negotiation(ByteBuf out, NegotiateProtocolVersion negotiation) {
        int start = MessageWriter.begin(out, 'v');
        out.writeInt(negotiation.newestVersion());
        out.writeInt(negotiation.unknownOptions().size());
        negotiation.unknownOptions().forEach(name -> MessageWriter.text(out, name));
        MessageWriter.end(out, start);
    }

    private static void fields(ByteBuf out, List<FieldDescription> fields) {
        int start = MessageWriter.begin(out, 'T');
        out.writeShort(fields.size());
        for (FieldDescription field : fields) {
            MessageWriter.text(out, field.name());
            out.writeInt(field.tableOid());
            out.writeShort(field.columnNumber());
            out.writeInt(field.typeOid());
            out.writeShort(field.typeSize());
            out.writeInt(field.typeModifier());
            out.writeShort(field.format().code());
        }
        MessageWriter.end(out, start);
    }

    private static void row(ByteBuf out, byte[] @Nullable [] values) {
        int start = MessageWriter.begin(out, 'D');
        out.writeShort(values.length);
        for (byte[] value : values) {
            MessageWriter.value(out, value);
        }
        MessageWriter.end(out, start);
    }

    private static void parameters(ByteBuf out, List<Integer> types) {
        int start = MessageWriter.begin(out, 't');
        out.writeShort(types.size());
        types.forEach(out::writeInt);
        MessageWriter.end(out, start);
    }

    private static void copy(ByteBuf out, char type, ValueFormat format, int columns) {
        int start = MessageWriter.begin(out, type);
        out.writeByte(format.code());
        out.writeShort(columns);
        for (int i = 0; i < columns; i++) {
            out.writeShort(format.code());
        }
        MessageWriter.end(out, start);
    }

    private static void diagnostic(ByteBuf out, char type, Diagnostic diagnostic) {
        int start = MessageWriter.begin(out, type);
        field(out, 'S', diagnostic.severity().name());
        field(out, 'V', diagnostic.severity().name());
        field(out, 'C', diagnostic.sqlState());
        field(out, 'M', diagnostic.message());
        field(out, 'D', diagnostic.detail());
        field(out, 'H', diagnostic.hint());
        field(out, 'P', diagnostic.position() == 0 ? null : Integer.toString(diagnostic.position()));
        field(out, 'W', diagnostic.where());
        field(out, 's', diagnostic.schema());
        field(out, 't', diagnostic.table());
        field(out, 'c', diagnostic.column());
        field(out, 'd', diagnostic.dataType());
        field(out, 'n', diagnostic.constraint());
        field(out, 'R', diagnostic.routine());
        out.writeByte(0);
        MessageWriter.end(out, start);
    }

    private static void field(ByteBuf out, char code, @Nullable String text) {
        if (text != null) {
            out.writeByte(code);
            MessageWriter.text(out, text);
        }
    }
}
