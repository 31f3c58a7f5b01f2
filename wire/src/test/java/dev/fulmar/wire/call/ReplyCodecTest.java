package dev.fulmar.wire.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.wire.frame.FrameFormat;
import dev.fulmar.wire.frame.FrameKind;
import dev.fulmar.wire.proto.ProcedureReply;
import dev.fulmar.wire.proto.ResultKind;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is written and read by hand is what the generated classes write and read. */
class ReplyCodecTest {
    private static final int RANDOM_MESSAGES = 2_000;

    private final Random random = new Random(7);
    private final ByteBuf out = Unpooled.buffer();

    @Test
    void committedRepliesEqualTheGeneratedMessages() {
        for (int i = 0; i < RANDOM_MESSAGES; i++) {
            byte[] results = new byte[random.nextInt(3) == 0 ? 0 : random.nextInt(2000)];
            random.nextBytes(results);
            ReplyKind kind = ReplyKind.values()[random.nextInt(ReplyKind.values().length)];
            long value = random.nextLong() >> random.nextInt(64);
            ProcedureReply expected = ProcedureReply.newBuilder()
                    .setRequestId(random.nextLong() >>> random.nextInt(64))
                    .setKind(ResultKind.forNumber(kind.number()))
                    .setValue(random.nextBoolean() ? 0 : value)
                    .setResults(ByteString.copyFrom(results))
                    .setServerMicros(random.nextInt(3) == 0 ? 0 : random.nextInt(1 << 30))
                    .build();
            out.clear();
            ReplyWriter.writeCommitted(
                    out, expected.getRequestId(), kind, expected.getValue(), results, expected.getServerMicros(), 0);

            assertThat(frameBody()).isEqualTo(expected.toByteArray());
            ReplyReader read = new ReplyReader()
                    .wrap(out, FrameFormat.HEADER_BYTES, out.readableBytes() - FrameFormat.HEADER_BYTES);
            assertThat(read.requestId()).isEqualTo(expected.getRequestId());
            assertThat(read.status()).isZero();
            assertThat(read.kind()).isEqualTo(kind);
            assertThat(read.value()).isEqualTo(expected.getValue());
            assertThat(read.results()).isEqualTo(results);
            assertThat(read.serverMicros()).isEqualTo(expected.getServerMicros());
            assertThat(read.snapshot()).isZero();
        }
    }

    @Test
    void repliesTellTheTimestampOfTheirSnapshot() {
        ReplyWriter.writeCommitted(out, 5, ReplyKind.NOTHING, 0, new byte[0], 7, Long.MAX_VALUE - 1);
        ReplyReader read =
                new ReplyReader().wrap(out, FrameFormat.HEADER_BYTES, out.readableBytes() - FrameFormat.HEADER_BYTES);
        assertThat(read.snapshot()).isEqualTo(Long.MAX_VALUE - 1);
    }

    @Test
    void failedRepliesEqualTheGeneratedMessages() {
        for (ErrorCode code : ErrorCode.values()) {
            ProcedureReply expected = ProcedureReply.newBuilder()
                    .setRequestId(5)
                    .setStatus(code.number())
                    .setMessage("Würde " + code + " heißen")
                    .setServerMicros(12)
                    .build();
            out.clear();
            ReplyWriter.writeFailed(out, 5, code, expected.getMessage(), 12);

            assertThat(frameBody()).isEqualTo(expected.toByteArray());
            ReplyReader read = new ReplyReader()
                    .wrap(out, FrameFormat.HEADER_BYTES, out.readableBytes() - FrameFormat.HEADER_BYTES);
            assertThat(ErrorCode.ofNumber(read.status())).isEqualTo(code);
            assertThat(read.message()).isEqualTo(expected.getMessage());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 3, 300})
    void theLostNodeEqualsTheGeneratedMessage(int node) {
        ProcedureReply expected = ProcedureReply.newBuilder()
                .setRequestId(5)
                .setStatus(ErrorCode.NODE_LOST.number())
                .setMessage("lost")
                .setLostNode(node)
                .build();
        ReplyWriter.writeFailed(out, 5, ErrorCode.NODE_LOST, "lost", 0, node);
        assertThat(frameBody()).isEqualTo(expected.toByteArray());
        ReplyReader read =
                new ReplyReader().wrap(out, FrameFormat.HEADER_BYTES, out.readableBytes() - FrameFormat.HEADER_BYTES);
        assertThat(read.lostNode()).isEqualTo(node);
    }

    @Test
    void aReplyOfAnUnknownKindIsRefused() {
        byte[] message = ProcedureReply.newBuilder().setKindValue(9).build().toByteArray();
        assertThatThrownBy(() -> new ReplyReader().wrap(Unpooled.wrappedBuffer(message), 0, message.length))
                .isInstanceOfSatisfying(
                        FulmarException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.MALFORMED_REQUEST));
    }

    @Test
    void kindsHaveTheNumbersOfTheSchema() {
        for (ReplyKind kind : ReplyKind.values()) {
            assertThat(ResultKind.valueOf(kind.name()).getNumber()).isEqualTo(kind.number());
        }
    }

    private byte[] frameBody() {
        assertThat(out.getIntLE(0)).isEqualTo(out.readableBytes() - FrameFormat.LENGTH_BYTES);
        assertThat(out.getByte(5)).isEqualTo(FrameKind.PROCEDURE_REPLY.number());
        return ByteBufUtil.getBytes(out, FrameFormat.HEADER_BYTES, out.readableBytes() - FrameFormat.HEADER_BYTES);
    }
}
