package dev.fulmar.node.server;

import com.google.protobuf.MessageLite;
import dev.fulmar.foundation.data.ParameterWriter;
import dev.fulmar.wire.address.HostAddress;
import dev.fulmar.wire.call.CallWriter;
import dev.fulmar.wire.call.ReadConsistency;
import dev.fulmar.wire.frame.FrameFormat;
import dev.fulmar.wire.frame.FrameKind;
import dev.fulmar.wire.proto.Bind;
import dev.fulmar.wire.proto.ConnectionError;
import dev.fulmar.wire.proto.Hello;
import dev.fulmar.wire.proto.ProcedureReply;
import dev.fulmar.wire.proto.Welcome;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;

/** A client that says exactly what a test wants, over a plain socket. Reads wait for 10 s at most. */
final class WireClient implements AutoCloseable {
    private static final int READ_TIMEOUT_MILLIS = 10_000;

    private final Socket socket;
    private final DataInputStream in;

    /** A frame as it came. */
    record Frame(FrameKind kind, byte[] message) {}

    WireClient(HostAddress address) throws IOException {
        socket = new Socket(address.host(), address.port());
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(READ_TIMEOUT_MILLIS);
        in = new DataInputStream(socket.getInputStream());
    }

    /** A client that has introduced itself. */
    static WireClient opened(HostAddress address, long clientId) throws IOException {
        WireClient client = new WireClient(address);
        client.send(FrameKind.HELLO, hello(clientId));
        Welcome.parseFrom(client.read(FrameKind.WELCOME));
        return client;
    }

    static Hello hello(long clientId) {
        return Hello.newBuilder()
                .setOldestVersion(1)
                .setNewestVersion(1)
                .setClientId(clientId)
                .setClientName("test")
                .build();
    }

    void send(FrameKind kind, MessageLite message) throws IOException {
        ByteBuf out = Unpooled.buffer();
        FrameFormat.write(out, kind, message);
        send(ByteBufUtil.getBytes(out));
    }

    void send(FrameKind kind, String text) throws IOException {
        ByteBuf out = Unpooled.buffer();
        FrameFormat.write(out, kind, text);
        send(ByteBufUtil.getBytes(out));
    }

    /** The text of the authentication frame that comes next. */
    String authentication() throws IOException {
        return new String(read(FrameKind.AUTHENTICATION), StandardCharsets.UTF_8);
    }

    void send(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
    }

    void bind(int number, String procedure) throws IOException {
        send(
                FrameKind.BIND,
                Bind.newBuilder().setNumber(number).setProcedure(procedure).build());
    }

    void call(long requestId, int number, String procedure, byte[] parameters) throws IOException {
        ByteBuf out = Unpooled.buffer();
        CallWriter.writeProcedureCall(
                out, requestId, number, procedure, parameters, parameters.length, 0, ReadConsistency.DECLARED, 0);
        send(ByteBufUtil.getBytes(out));
    }

    void call(long requestId, String procedure) throws IOException {
        call(requestId, 0, procedure, noParameters());
    }

    void statement(long requestId, String sql) throws IOException {
        ByteBuf out = Unpooled.buffer();
        CallWriter.writeStatementCall(out, requestId, sql, noParameters(), 2, 0, ReadConsistency.DECLARED, 0);
        send(ByteBufUtil.getBytes(out));
    }

    static byte[] noParameters() {
        return new ParameterWriter(2, 2).toByteArray();
    }

    /** The next reply. A node that stops may say so before it has answered everything. */
    ProcedureReply reply() throws IOException {
        Frame frame = read();
        while (frame.kind() == FrameKind.GOODBYE) {
            frame = read();
        }
        if (frame.kind() != FrameKind.PROCEDURE_REPLY) {
            throw new AssertionError("expected a reply, got " + frame.kind());
        }
        return ProcedureReply.parseFrom(frame.message());
    }

    ConnectionError error() throws IOException {
        return ConnectionError.parseFrom(read(FrameKind.CONNECTION_ERROR));
    }

    byte[] read(FrameKind expected) throws IOException {
        Frame frame = read();
        if (frame.kind() != expected) {
            throw new AssertionError("expected " + expected + ", got " + frame.kind());
        }
        return frame.message();
    }

    Frame read() throws IOException {
        int length = Integer.reverseBytes(in.readInt());
        in.readByte();
        FrameKind kind = FrameKind.ofNumber(in.readByte());
        if (kind == null) {
            throw new AssertionError("a frame of an unknown kind");
        }
        return new Frame(kind, in.readNBytes(length - 2));
    }

    /** Whether the server closes the connection, perhaps after further frames. */
    boolean closedByServer() throws IOException {
        try {
            while (true) {
                read();
            }
        } catch (EOFException | SocketException e) {
            return true;
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
