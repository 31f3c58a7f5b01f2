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
import dev.fulmar.wire.postgres.message.Severity;
import dev.fulmar.wire.postgres.message.TransactionStatus;
import dev.fulmar.wire.postgres.message.ValueFormat;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Reads the messages of servers. */
final class BackendReader {
    /** A field of which the name has a byte, and six numbers. */
    private static final int LEAST_FIELD_BYTES = 1 + 3 * Integer.BYTES + 3 * Short.BYTES;

    private static final int STATE_CHARACTERS = 5;

    private BackendReader() {}

    static BackendMessage read(byte type, MessageBody body) {
        return switch (type) {
            case 'R' -> authentication(body);
            case 'S' -> new ParameterStatus(body.text(), body.text());
            case 'K' -> new BackendKeyData(body.int32(), body.int32());
            case 'v' -> new NegotiateProtocolVersion(body.int32(), options(body));
            case 'Z' -> new ReadyForQuery(status(body.int8()));
            case 'T' -> new RowDescription(fields(body));
            case 'D' -> new DataRow(values(body));
            case 'C' -> new CommandComplete(body.text());
            case 'I' -> new EmptyQueryResponse();
            case 'E' -> new ErrorResponse(diagnostic(body));
            case 'N' -> new NoticeResponse(diagnostic(body));
            case '1' -> new ParseComplete();
            case '2' -> new BindComplete();
            case '3' -> new CloseComplete();
            case 'n' -> new NoData();
            case 's' -> new PortalSuspended();
            case 't' -> new ParameterDescription(numbers(body));
            case 'G' -> new CopyInResponse(format(body.int8()), columns(body));
            case 'H' -> new CopyOutResponse(format(body.int8()), columns(body));
            case 'd' -> new CopyData(body.rest());
            case 'c' -> new CopyDone();
            default -> throw ProtocolViolation.of("no message of a server has the type " + type);
        };
    }

    private static BackendMessage authentication(MessageBody body) {
        int code = body.int32();
        return switch (code) {
            case BackendEncoder.AUTHENTICATION_OK -> new AuthenticationOk();
            case BackendEncoder.AUTHENTICATION_SASL -> new AuthenticationSasl(textsToTheEnd(body));
            case BackendEncoder.AUTHENTICATION_SASL_CONTINUE -> new AuthenticationSaslContinue(body.rest());
            case BackendEncoder.AUTHENTICATION_SASL_FINAL -> new AuthenticationSaslFinal(body.rest());
            default -> throw ProtocolViolation.of("the server asks for an authentication of the kind " + code);
        };
    }

    private static List<String> textsToTheEnd(MessageBody body) {
        List<String> texts = new ArrayList<>();
        for (String text = body.text(); !text.isEmpty(); text = body.text()) {
            texts.add(text);
        }
        return texts;
    }

    private static List<String> options(MessageBody body) {
        int count = body.int32();
        if (count < 0 || count > body.remaining()) {
            throw ProtocolViolation.of("a message counts " + count + " options");
        }
        List<String> options = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            options.add(body.text());
        }
        return options;
    }

    private static TransactionStatus status(byte code) {
        for (TransactionStatus status : TransactionStatus.values()) {
            if (status.code() == code) {
                return status;
            }
        }
        throw ProtocolViolation.of("no transaction has the status " + code);
    }

    private static List<FieldDescription> fields(MessageBody body) {
        int count = body.count(LEAST_FIELD_BYTES);
        List<FieldDescription> fields = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            fields.add(new FieldDescription(
                    body.text(),
                    body.int32(),
                    (short) body.unsignedInt16(),
                    body.int32(),
                    (short) body.unsignedInt16(),
                    body.int32(),
                    format(body.unsignedInt16())));
        }
        return fields;
    }

    private static byte[] @Nullable [] values(MessageBody body) {
        byte[] @Nullable [] values = new byte[body.count(Integer.BYTES)] @Nullable [];
        for (int i = 0; i < values.length; i++) {
            int length = body.int32();
            values[i] = length == -1 ? null : body.bytes(length);
        }
        return values;
    }

    private static List<Integer> numbers(MessageBody body) {
        int count = body.count(Integer.BYTES);
        List<Integer> numbers = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            numbers.add(body.int32());
        }
        return numbers;
    }

    private static ValueFormat format(int code) {
        return switch (code) {
            case 0 -> ValueFormat.TEXT;
            case 1 -> ValueFormat.BINARY;
            default -> throw ProtocolViolation.of("no value has the format " + code);
        };
    }

    private static int columns(MessageBody body) {
        int count = body.count(Short.BYTES);
        for (int i = 0; i < count; i++) {
            format(body.unsignedInt16());
        }
        return count;
    }

    private static Diagnostic diagnostic(MessageBody body) {
        Map<Character, String> fields = new TreeMap<>();
        for (byte code = body.int8(); code != 0; code = body.int8()) {
            fields.put((char) code, body.text());
        }
        String state = fields.getOrDefault('C', "");
        if (state.length() != STATE_CHARACTERS) {
            throw ProtocolViolation.of("a diagnostic has the SQLSTATE '" + state + "' instead of five characters");
        }
        return new Diagnostic(
                severity(fields.getOrDefault('V', "")),
                state,
                fields.getOrDefault('M', ""),
                fields.get('D'),
                fields.get('H'),
                position(fields.get('P')),
                fields.get('W'),
                fields.get('s'),
                fields.get('t'),
                fields.get('c'),
                fields.get('d'),
                fields.get('n'),
                fields.get('R'));
    }

    private static Severity severity(String name) {
        for (Severity severity : Severity.values()) {
            if (severity.name().equals(name)) {
                return severity;
            }
        }
        throw ProtocolViolation.of("no diagnostic has the severity '" + name + "'");
    }

    private static int position(@Nullable String text) {
        if (text == null) {
            return 0;
        }
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException e) {
            throw ProtocolViolation.of("a diagnostic is about the position '" + text + "'");
        }
    }
}
