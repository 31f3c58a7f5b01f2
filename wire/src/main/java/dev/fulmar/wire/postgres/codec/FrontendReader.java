package dev.fulmar.wire.postgres.codec;

import dev.fulmar.wire.postgres.message.FrontendMessage;
import dev.fulmar.wire.postgres.message.FrontendMessage.AuthenticationResponse;
import dev.fulmar.wire.postgres.message.FrontendMessage.Bind;
import dev.fulmar.wire.postgres.message.FrontendMessage.CancelRequest;
import dev.fulmar.wire.postgres.message.FrontendMessage.Close;
import dev.fulmar.wire.postgres.message.FrontendMessage.CopyData;
import dev.fulmar.wire.postgres.message.FrontendMessage.CopyDone;
import dev.fulmar.wire.postgres.message.FrontendMessage.CopyFail;
import dev.fulmar.wire.postgres.message.FrontendMessage.Describe;
import dev.fulmar.wire.postgres.message.FrontendMessage.Execute;
import dev.fulmar.wire.postgres.message.FrontendMessage.Flush;
import dev.fulmar.wire.postgres.message.FrontendMessage.FunctionCall;
import dev.fulmar.wire.postgres.message.FrontendMessage.GssEncryptionRequest;
import dev.fulmar.wire.postgres.message.FrontendMessage.Parse;
import dev.fulmar.wire.postgres.message.FrontendMessage.Query;
import dev.fulmar.wire.postgres.message.FrontendMessage.SslRequest;
import dev.fulmar.wire.postgres.message.FrontendMessage.StartupMessage;
import dev.fulmar.wire.postgres.message.FrontendMessage.Sync;
import dev.fulmar.wire.postgres.message.FrontendMessage.Terminate;
import dev.fulmar.wire.postgres.message.Target;
import dev.fulmar.wire.postgres.message.ValueFormat;
import dev.fulmar.wire.postgres.message.ValueFormats;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;

/** Reads the messages of clients. */
final class FrontendReader {
    /** Stand in the place of a version, 1234 as the major one. */
    static final int CANCEL_CODE = 1234 << 16 | 5678;

    static final int SSL_CODE = 1234 << 16 | 5679;
    static final int GSS_CODE = 1234 << 16 | 5680;

    /** Longest message of a type that needs no more. */
    private static final int SMALL_MESSAGE_BYTES = 10_000;

    private static final String LARGE = "QPBFdp";
    private static final String SMALL = "DECcfHSX";

    private FrontendReader() {}

    static void checkStartUp(long length, int limitBytes) {
        if (length < Integer.BYTES || length > limitBytes) {
            throw ProtocolViolation.of("a client begins with a message of " + length + " bytes, which has "
                    + Integer.BYTES + " to " + limitBytes);
        }
    }

    static void checkHeader(byte type, long length, int limitBytes) {
        boolean isSmall = SMALL.indexOf(type) >= 0;
        if (!isSmall && LARGE.indexOf(type) < 0) {
            throw ProtocolViolation.of("no message has the type " + type);
        }
        long most = isSmall ? Math.min(SMALL_MESSAGE_BYTES, limitBytes) : limitBytes;
        if (length < 0) {
            throw ProtocolViolation.of("a message " + (char) type + " says that it has " + (length + Integer.BYTES)
                    + " bytes, which no message has");
        }
        if (length > most) {
            throw ProtocolViolation.of("a message " + (char) type + " of " + length + " bytes exceeds the limit of "
                    + most + " bytes; send less at once, or raise the server's limit for messages");
        }
    }

    /** The message without type that begins a connection, or a part of it. */
    static FrontendMessage startUp(MessageBody body) {
        int version = body.int32();
        FrontendMessage message = switch (version) {
            case SSL_CODE -> new SslRequest();
            case GSS_CODE -> new GssEncryptionRequest();
            case CANCEL_CODE -> new CancelRequest(body.int32(), body.int32());
            default -> new StartupMessage(version, parameters(version, body));
        };
        body.end();
        return message;
    }

    private static SequencedMap<String, String> parameters(int version, MessageBody body) {
        SequencedMap<String, String> parameters = new LinkedHashMap<>();
        if (version >>> 16 != StartupMessage.VERSION_3_0 >>> 16) {
            body.skipRest(); // of a version that is refused, so their form is unknown
            return parameters;
        }
        for (String name = body.text(); !name.isEmpty(); name = body.text()) {
            parameters.put(name, body.text());
        }
        return parameters;
    }

    static FrontendMessage read(byte type, MessageBody body) {
        FrontendMessage message = switch (type) {
            case 'Q' -> new Query(body.text());
            case 'P' -> parse(body);
            case 'B' -> bind(body);
            case 'D' -> new Describe(target(body), body.text());
            case 'E' -> new Execute(body.text(), Math.max(0, body.int32()));
            case 'C' -> new Close(target(body), body.text());
            case 'S' -> new Sync();
            case 'H' -> new Flush();
            case 'X' -> new Terminate();
            case 'd' -> new CopyData(body.rest());
            case 'c' -> new CopyDone();
            case 'f' -> new CopyFail(body.text());
            case 'p' -> new AuthenticationResponse(body.rest());
            case 'F' -> functionCall(body);
            default -> throw ProtocolViolation.of("no message has the type " + type);
        };
        body.end();
        return message;
    }

    private static FrontendMessage functionCall(MessageBody body) {
        int oid = body.int32();
        body.skipRest();
        return new FunctionCall(oid);
    }

    private static Target target(MessageBody body) {
        byte code = body.int8();
        return switch (code) {
            case 'S' -> Target.STATEMENT;
            case 'P' -> Target.PORTAL;
            default ->
                throw ProtocolViolation.of("a message is about an object of the kind " + code
                        + " instead of S for a statement or P for a portal");
        };
    }

    private static Parse parse(MessageBody body) {
        String name = body.text();
        String sql = body.text();
        int count = body.count(Integer.BYTES);
        List<Integer> types = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            types.add(body.int32());
        }
        return new Parse(name, sql, types);
    }

    private static Bind bind(MessageBody body) {
        String portal = body.text();
        String statement = body.text();
        ValueFormats parameterFormats = formats(body);
        byte[] @Nullable [] values = new byte[body.count(Integer.BYTES)] @Nullable [];
        for (int i = 0; i < values.length; i++) {
            int length = body.int32();
            values[i] = length == -1 ? null : body.bytes(length);
        }
        return new Bind(
                portal, statement, parameterFormats.checkedFor(values.length, "parameters"), values, formats(body));
    }

    private static ValueFormats formats(MessageBody body) {
        int count = body.count(Short.BYTES);
        if (count == 0) {
            return ValueFormats.TEXT;
        }
        List<ValueFormat> formats = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            formats.add(format(body.unsignedInt16()));
        }
        return new ValueFormats(formats);
    }

    private static ValueFormat format(int code) {
        return switch (code) {
            case 0 -> ValueFormat.TEXT;
            case 1 -> ValueFormat.BINARY;
            default -> throw ProtocolViolation.of("no value has the format " + code);
        };
    }
}
