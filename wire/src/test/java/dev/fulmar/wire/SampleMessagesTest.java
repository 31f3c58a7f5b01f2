package dev.fulmar.wire;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.MessageLite;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.wire.call.CallReader;
import dev.fulmar.wire.call.CallWriter;
import dev.fulmar.wire.call.ReadConsistency;
import dev.fulmar.wire.call.ReplyKind;
import dev.fulmar.wire.call.ReplyReader;
import dev.fulmar.wire.call.ReplyWriter;
import dev.fulmar.wire.frame.FrameFormat;
import dev.fulmar.wire.frame.FrameKind;
import dev.fulmar.wire.limit.WireLimits;
import dev.fulmar.wire.proto.Bind;
import dev.fulmar.wire.proto.Bound;
import dev.fulmar.wire.proto.CatalogVersion;
import dev.fulmar.wire.proto.ConnectionError;
import dev.fulmar.wire.proto.Goodbye;
import dev.fulmar.wire.proto.Hello;
import dev.fulmar.wire.proto.Host;
import dev.fulmar.wire.proto.KeyKind;
import dev.fulmar.wire.proto.ProcedureCall;
import dev.fulmar.wire.proto.ProcedureReply;
import dev.fulmar.wire.proto.ResultKind;
import dev.fulmar.wire.proto.StatementCall;
import dev.fulmar.wire.proto.Topology;
import dev.fulmar.wire.proto.Welcome;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/**
 * Messages as version 1 wrote them, encoded once by the protocol compiler and stored. Whoever changes the schema must
 * still read them, and write the same until both sides have agreed on a newer version.
 */
class SampleMessagesTest {
    private static final byte[] PARAMETERS = {1, 0, 2, 42, 0, 0, 0, 0, 0, 0, 0};
    private static final byte[] NONE = {0, 0};

    @Test
    void messagesOfFewWords() throws IOException {
        assertSample(
                "hello",
                Hello.newBuilder()
                        .setOldestVersion(1)
                        .setNewestVersion(1)
                        .setClientId(0x0123_4567_89AB_CDEFL)
                        .setClientName("bank")
                        .setSoftware("fulmar-java")
                        .build());
        assertSample(
                "welcome",
                Welcome.newBuilder()
                        .setVersion(1)
                        .setNode(3)
                        .setIncarnation(77)
                        .setLimits(WireLimits.DEFAULT.toMessage())
                        .addHosts(Host.newBuilder()
                                .setNode(3)
                                .setAddress("127.0.0.1")
                                .setPort(7420))
                        .setSoftware("fulmar")
                        .build());
        assertSample(
                "bind", Bind.newBuilder().setNumber(7).setProcedure("Transfer").build());
        assertSample(
                "connection-error",
                ConnectionError.newBuilder()
                        .setCode(ErrorCode.FRAME_TOO_LARGE.number())
                        .setMessage("a frame is too large; send less")
                        .build());
        assertSample(
                "goodbye",
                Goodbye.newBuilder().setReason("the node is stopping").build());
    }

    @Test
    void hintsOfVersion3() throws IOException {
        assertSample(
                "topology-v3",
                Topology.newBuilder()
                        .addHosts(Host.newBuilder().setNode(3).setAddress("db3").setPort(7420))
                        .addNodes(3)
                        .addNodes(-1)
                        .addEpochs(5)
                        .addEpochs(0)
                        .addHashStarts(Long.MIN_VALUE)
                        .addHashStarts(0)
                        .addHashPartitions(0)
                        .addHashPartitions(1)
                        .addIntegerStarts(Long.MIN_VALUE)
                        .addIntegerStarts(100)
                        .addIntegerPartitions(1)
                        .addIntegerPartitions(0)
                        .build());
        assertSample(
                "bound-v3",
                Bound.newBuilder()
                        .setNumber(7)
                        .setParameter(2)
                        .setKey(KeyKind.TEXT_KEY)
                        .build());
    }

    @Test
    void whatIsKnownOfTheCatalogInVersion5() throws IOException {
        assertSample(
                "welcome-v5",
                Welcome.newBuilder()
                        .setVersion(5)
                        .setNode(3)
                        .setIncarnation(77)
                        .setCatalogVersion(300)
                        .build());
        assertSample("catalog-v5", CatalogVersion.newBuilder().setVersion(300).build());
        assertWritten(
                "procedure-call-v5",
                FrameKind.PROCEDURE_CALL,
                out -> CallWriter.writeProcedureCall(
                        out, 5, 7, "", PARAMETERS, PARAMETERS.length, 30_000, ReadConsistency.DECLARED, 300));
        assertThat(call("procedure-call-v5").catalogVersion()).isEqualTo(300);
        assertThat(call("procedure-call").catalogVersion()).isZero();
        assertWritten(
                "statement-call-v5",
                FrameKind.STATEMENT_CALL,
                out -> CallWriter.writeStatementCall(
                        out, 8, "SELECT 1", NONE, NONE.length, 1_000, ReadConsistency.SNAPSHOT, 300));
        assertThat(call("statement-call-v5").catalogVersion()).isEqualTo(300);
    }

    @Test
    void endsOfNodesInVersion7() throws IOException {
        assertSample(
                "connection-error-v7",
                ConnectionError.newBuilder()
                        .setCode(ErrorCode.NODE_BROKEN.number())
                        .setMessage("node 3 broke and ends itself")
                        .build());
        assertWritten(
                "reply-failed-v7",
                FrameKind.PROCEDURE_REPLY,
                out -> ReplyWriter.writeFailed(out, 8, ErrorCode.NODE_LOST, "N3 was lost", 9));
        assertThat(reply("reply-failed-v7").status()).isEqualTo(ErrorCode.NODE_LOST.number());
        assertThat(reply("reply-failed-v7").lostNode()).isEqualTo(ReplyWriter.NO_NODE);
        assertWritten(
                "reply-node-lost",
                FrameKind.PROCEDURE_REPLY,
                out -> ReplyWriter.writeFailed(out, 8, ErrorCode.NODE_LOST, "N3 was lost", 9, 3));
        assertThat(reply("reply-node-lost").lostNode()).isEqualTo(3);
    }

    @Test
    void calls() throws IOException {
        assertSample(
                "procedure-call",
                ProcedureCall.newBuilder()
                        .setRequestId(5)
                        .setProcedureNumber(7)
                        .setParameters(ByteString.copyFrom(PARAMETERS))
                        .setTimeoutMillis(30_000)
                        .build());
        assertWritten(
                "procedure-call",
                FrameKind.PROCEDURE_CALL,
                out -> CallWriter.writeProcedureCall(
                        out, 5, 7, "", PARAMETERS, PARAMETERS.length, 30_000, ReadConsistency.DECLARED, 0));
        CallReader numbered = call("procedure-call");
        assertThat(numbered.requestId()).isEqualTo(5);
        assertThat(numbered.procedureNumber()).isEqualTo(7);
        assertThat(numbered.parameters()).isEqualTo(PARAMETERS);
        assertThat(numbered.timeoutMillis()).isEqualTo(30_000);

        assertWritten(
                "procedure-call-by-name",
                FrameKind.PROCEDURE_CALL,
                out -> CallWriter.writeProcedureCall(
                        out, 6, 0, "Überweisung", NONE, NONE.length, 0, ReadConsistency.DECLARED, 0));
        assertThat(call("procedure-call-by-name").text()).isEqualTo("Überweisung");

        assertSample(
                "statement-call",
                StatementCall.newBuilder()
                        .setRequestId(8)
                        .setSql("SELECT 1")
                        .setParameters(ByteString.copyFrom(NONE))
                        .setTimeoutMillis(1_000)
                        .build());
        assertWritten(
                "statement-call",
                FrameKind.STATEMENT_CALL,
                out -> CallWriter.writeStatementCall(
                        out, 8, "SELECT 1", NONE, NONE.length, 1_000, ReadConsistency.DECLARED, 0));
        assertThat(call("statement-call").text()).isEqualTo("SELECT 1");
    }

    @Test
    void cancels() throws IOException {
        assertWritten("cancel", FrameKind.CANCEL, out -> CallWriter.writeCancel(out, 5));
        assertThat(call("cancel").requestId()).isEqualTo(5);
    }

    @Test
    void replies() throws IOException {
        assertSample(
                "reply-value",
                ProcedureReply.newBuilder()
                        .setRequestId(5)
                        .setKind(ResultKind.VALUE)
                        .setValue(-12)
                        .setServerMicros(40)
                        .build());
        assertWritten(
                "reply-value",
                FrameKind.PROCEDURE_REPLY,
                out -> ReplyWriter.writeCommitted(out, 5, ReplyKind.VALUE, -12, new byte[0], 40, 0));
        assertThat(reply("reply-value").value()).isEqualTo(-12);

        assertWritten(
                "reply-tables",
                FrameKind.PROCEDURE_REPLY,
                out -> ReplyWriter.writeCommitted(out, 6, ReplyKind.TABLES, 0, new byte[] {1, 2, 3}, 300, 0));
        assertThat(reply("reply-tables").kind()).isEqualTo(ReplyKind.TABLES);
        assertThat(reply("reply-tables").results()).containsExactly(1, 2, 3);

        assertWritten(
                "reply-failed",
                FrameKind.PROCEDURE_REPLY,
                out -> ReplyWriter.writeFailed(out, 8, ErrorCode.UNIQUE_VIOLATION, "the row is there; drop it", 9));
        assertThat(reply("reply-failed").status()).isEqualTo(ErrorCode.UNIQUE_VIOLATION.number());
        assertThat(reply("reply-failed").message()).isEqualTo("the row is there; drop it");
    }

    private static void assertSample(String name, MessageLite message) throws IOException {
        byte[] stored = stored(name);
        assertThat(message.toByteArray()).as(name).isEqualTo(stored);
        assertThat(message.getParserForType().parseFrom(stored)).as(name).isEqualTo(message);
    }

    private static void assertWritten(String name, FrameKind kind, Consumer<ByteBuf> writing) throws IOException {
        ByteBuf out = Unpooled.buffer();
        writing.accept(out);
        assertThat(out.getByte(FrameFormat.HEADER_BYTES - 1)).isEqualTo(kind.number());
        assertThat(ByteBufUtil.getBytes(out, FrameFormat.HEADER_BYTES, out.readableBytes() - FrameFormat.HEADER_BYTES))
                .as(name)
                .isEqualTo(stored(name));
    }

    private static CallReader call(String name) throws IOException {
        byte[] stored = stored(name);
        return new CallReader().wrap(Unpooled.wrappedBuffer(stored), 0, stored.length);
    }

    private static ReplyReader reply(String name) throws IOException {
        byte[] stored = stored(name);
        return new ReplyReader().wrap(Unpooled.wrappedBuffer(stored), 0, stored.length);
    }

    private static byte[] stored(String name) throws IOException {
        try (InputStream in = SampleMessagesTest.class.getResourceAsStream("samples/" + name + ".hex")) {
            if (in == null) {
                throw new AssertionError("sample " + name + " is missing");
            }
            return HexFormat.of().parseHex(new String(in.readAllBytes(), StandardCharsets.US_ASCII).trim());
        }
    }
}
