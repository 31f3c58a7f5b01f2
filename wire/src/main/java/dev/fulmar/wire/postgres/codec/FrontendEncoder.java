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
import dev.fulmar.wire.postgres.message.FrontendMessage.Unreadable;
import dev.fulmar.wire.postgres.message.Target;
import dev.fulmar.wire.postgres.message.ValueFormat;
import dev.fulmar.wire.postgres.message.ValueFormats;
import io.netty.buffer.ByteBuf;

/** Writes the messages of a client. */
public final class FrontendEncoder {
    private FrontendEncoder() {}

    /** Appends a message. */
    public static void write(ByteBuf out, FrontendMessage message) {
        switch (message) {
            case StartupMessage startUp -> startUp(out, startUp);
            case SslRequest _ -> untyped(out, FrontendReader.SSL_CODE);
            case GssEncryptionRequest _ -> untyped(out, FrontendReader.GSS_CODE);
            case CancelRequest(int processId, int secret) ->
                untyped(out, FrontendReader.CANCEL_CODE, processId, secret);
            case AuthenticationResponse(byte[] body) -> bytes(out, 'p', body);
            case Query(String sql) -> text(out, 'Q', sql);
            case Parse parse -> parse(out, parse);
            case Bind bind -> bind(out, bind);
            case Describe(Target target, String name) -> target(out, 'D', target, name);
            case Execute(String portal, int rowLimit) -> {
                int start = MessageWriter.begin(out, 'E');
                MessageWriter.text(out, portal);
                out.writeInt(rowLimit);
                MessageWriter.end(out, start);
            }
            case Close(Target target, String name) -> target(out, 'C', target, name);
            case Sync _ -> MessageWriter.empty(out, 'S');
            case Flush _ -> MessageWriter.empty(out, 'H');
            case Terminate _ -> MessageWriter.empty(out, 'X');
            case CopyData(byte[] bytes) -> bytes(out, 'd', bytes);
            case CopyDone _ -> MessageWriter.empty(out, 'c');
            case CopyFail(String reason) -> text(out, 'f', reason);
            case FunctionCall(int oid) -> functionCall(out, oid);
            case Unreadable(char type, String _) ->
                throw new IllegalArgumentException("a message " + type + " that could not be read has no bytes");
        }
    }

    private static void startUp(ByteBuf out, StartupMessage message) {
        int start = out.writerIndex();
        out.writeInt(0).writeInt(message.protocolVersion());
        message.parameters().forEach((name, value) -> {
            MessageWriter.text(out, name);
            MessageWriter.text(out, value);
        });
        out.writeByte(0);
        MessageWriter.end(out, start);
    }

    private static void untyped(ByteBuf out, int... numbers) {
        out.writeInt((1 + numbers.length) * Integer.BYTES);
        for (int number : numbers) {
            out.writeInt(number);
        }
    }

    private static void bytes(ByteBuf out, char type, byte[] body) {
        int start = MessageWriter.begin(out, type);
        out.writeBytes(body);
        MessageWriter.end(out, start);
    }

    private static void text(ByteBuf out, char type, String text) {
        int start = MessageWriter.begin(out, type);
        MessageWriter.text(out, text);
        MessageWriter.end(out, start);
    }

    private static void target(ByteBuf out, char type, Target target, String name) {
        int start = MessageWriter.begin(out, type);
        out.writeByte(target.code());
        MessageWriter.text(out, name);
        MessageWriter.end(out, start);
    }

    private static void parse(ByteBuf out, Parse parse) {
        int start = MessageWriter.begin(out, 'P');
        MessageWriter.text(out, parse.name());
        MessageWriter.text(out, parse.sql());
        out.writeShort(parse.parameterTypes().size());
        parse.parameterTypes().forEach(out::writeInt);
        MessageWriter.end(out, start);
    }

    private static void bind(ByteBuf out, Bind bind) {
        int start = MessageWriter.begin(out, 'B');
        MessageWriter.text(out, bind.portal());
        MessageWriter.text(out, bind.statement());
        formats(out, bind.parameterFormats());
        out.writeShort(bind.values().length);
        for (byte[] value : bind.values()) {
            MessageWriter.value(out, value);
        }
        formats(out, bind.resultFormats());
        MessageWriter.end(out, start);
    }

    private static void formats(ByteBuf out, ValueFormats formats) {
        out.writeShort(formats.stated().size());
        for (ValueFormat format : formats.stated()) {
            out.writeShort(format.code());
        }
    }

    /** A call without arguments, of a function whose result is to be text. */
    private static void functionCall(ByteBuf out, int oid) {
        int start = MessageWriter.begin(out, 'F');
        out.writeInt(oid).writeShort(0).writeShort(0).writeShort(0);
        MessageWriter.end(out, start);
    }
}
