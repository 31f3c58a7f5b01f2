package dev.fulmar.benchmarks.exhaustion;

import dev.fulmar.foundation.data.ParameterWriter;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.wire.call.CallWriter;
import dev.fulmar.wire.call.ReadConsistency;
import dev.fulmar.wire.frame.FrameFormat;
import dev.fulmar.wire.frame.FrameKind;
import dev.fulmar.wire.proto.Hello;
import dev.fulmar.wire.proto.ProcedureReply;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.Socket;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Sends call after call without waiting, and counts the answers by their error; a reader and a writer of its own. */
public final class GreedyClient implements AutoCloseable {
    private static final int KEPT_BYTES = 1 << 10;

    private final Socket socket;
    private final DataInputStream in;
    private final int calls;
    private final AtomicLong sentBytes = new AtomicLong();

    /** @param calls how many it sends */
    public GreedyClient(int port, int calls) throws IOException {
        this.calls = calls;
        socket = new Socket("127.0.0.1", port);
        in = new DataInputStream(new BufferedInputStream(socket.getInputStream(), 1 << 16));
        ByteBuf hello = Unpooled.buffer();
        FrameFormat.write(
                hello,
                FrameKind.HELLO,
                Hello.newBuilder()
                        .setOldestVersion(1)
                        .setNewestVersion(1)
                        .setClientName("greedy")
                        .build());
        socket.getOutputStream().write(ByteBufUtil.getBytes(hello));
    }

    /** A ping with so many bytes there and back. */
    public static byte[] ping(int bytes) {
        ParameterWriter parameters = new ParameterWriter(64, bytes + 64).begin();
        parameters.add(new byte[bytes]);
        byte[] encoded = parameters.toByteArray();
        ByteBuf call = Unpooled.buffer();
        CallWriter.writeProcedureCall(call, 1, 0, "@Ping", encoded, encoded.length, 0, ReadConsistency.DECLARED, 0);
        return ByteBufUtil.getBytes(call);
    }

    /** The call of a statement. */
    public static byte[] statement(String sql) {
        byte[] none = new ParameterWriter(2, 2).toByteArray();
        ByteBuf call = Unpooled.buffer();
        CallWriter.writeStatementCall(call, 1, sql, none, none.length, 0, ReadConsistency.DECLARED, 0);
        return ByteBufUtil.getBytes(call);
    }

    /** Bytes that the node has taken, or that wait for it in the connection. */
    public long sentBytes() {
        return sentBytes.get();
    }

    /** Sends the frame again and again. */
    public void send(byte[] frame) {
        try {
            for (int i = 0; i < calls; i++) {
                socket.getOutputStream().write(frame);
                sentBytes.addAndGet(frame.length);
            }
        } catch (IOException cutOff) {
            // the reader sees it too
        }
    }

    /** Reads answers until all are there or the connection ends. */
    public void read(Map<String, AtomicInteger> outcomes) {
        try {
            for (int answers = 0; answers < calls; ) {
                int length = Integer.reverseBytes(in.readInt()) - 2;
                in.readByte();
                FrameKind kind = FrameKind.ofNumber(in.readByte());
                if (kind == FrameKind.PROCEDURE_REPLY) {
                    answers++;
                    count(outcomes, length);
                } else {
                    in.skipNBytes(length);
                }
            }
        } catch (IOException cutOff) {
            count(outcomes, "connection ended");
        }
    }

    private void count(Map<String, AtomicInteger> outcomes, int length) throws IOException {
        if (length > KEPT_BYTES) {
            in.skipNBytes(length);
            count(outcomes, "done");
            return;
        }
        int status = ProcedureReply.parseFrom(in.readNBytes(length)).getStatus();
        count(outcomes, status == 0 ? "done" : String.valueOf(ErrorCode.ofNumber(status)));
    }

    private static void count(Map<String, AtomicInteger> outcomes, String outcome) {
        outcomes.computeIfAbsent(outcome, unused -> new AtomicInteger()).incrementAndGet();
    }

    /** Counts of answers. */
    public static Map<String, AtomicInteger> outcomes() {
        return new ConcurrentHashMap<>();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
