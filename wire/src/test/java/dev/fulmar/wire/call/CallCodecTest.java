package dev.fulmar.wire.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedOutputStream;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.wire.frame.FrameFormat;
import dev.fulmar.wire.frame.FrameKind;
import dev.fulmar.wire.proto.ProcedureCall;
import dev.fulmar.wire.proto.StatementCall;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.Unpooled;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What is written and read by hand is what the generated classes write and read. */
class CallCodecTest {
    private static final int RANDOM_MESSAGES = 2_000;
    private static final String[] TEXTS = {
        "",
        "NewOrder",
        "Größe",
        "名前",
        "\uD83D\uDC26 gull",
        "x".repeat(300),
        "long ".repeat(40) + "\u00e9\u20ac\uD83E\uDD9C"
    };

    private final Random random = new Random(20261121);
    private final ByteBuf out = Unpooled.buffer();

    @Test
    void procedureCallsEqualTheGeneratedMessages() throws IOException {
        for (int i = 0; i < RANDOM_MESSAGES; i++) {
            ProcedureCall expected = ProcedureCall.newBuilder()
                    .setRequestId(randomLong())
                    .setProcedureNumber(randomInt() & Integer.MAX_VALUE)
                    .setProcedure(TEXTS[random.nextInt(TEXTS.length)])
                    .setParameters(randomBytes())
                    .setTimeoutMillis(randomInt())
                    .setCatalogVersion(randomLong())
                    .build();
            out.clear();
            byte[] parameters = expected.getParameters().toByteArray();
            CallWriter.writeProcedureCall(
                    out,
                    expected.getRequestId(),
                    expected.getProcedureNumber(),
                    expected.getProcedure(),
                    parameters,
                    parameters.length,
                    expected.getTimeoutMillis(),
                    ReadConsistency.DECLARED,
                    expected.getCatalogVersion());

            assertThat(frameBody(FrameKind.PROCEDURE_CALL)).isEqualTo(expected.toByteArray());
            assertThat((long) out.readableBytes())
                    .isLessThanOrEqualTo(CallWriter.maxFrameBytes(expected.getProcedure(), parameters.length));
            CallReader read = readAfterGarbage(expected.toByteArray());
            assertThat(read.requestId()).isEqualTo(expected.getRequestId());
            assertThat(read.procedureNumber()).isEqualTo(expected.getProcedureNumber());
            assertThat(read.text()).isEqualTo(expected.getProcedure());
            assertThat(read.parameters()).isEqualTo(parameters);
            assertThat(read.catalogVersion()).isEqualTo(expected.getCatalogVersion());
            int timeout = expected.getTimeoutMillis();
            assertThat(read.timeoutMillis()).isEqualTo(timeout < 0 ? Integer.MAX_VALUE : timeout);
        }
    }

    @Test
    void statementCallsEqualTheGeneratedMessages() {
        for (int i = 0; i < RANDOM_MESSAGES; i++) {
            StatementCall expected = StatementCall.newBuilder()
                    .setRequestId(randomLong())
                    .setSql(TEXTS[random.nextInt(TEXTS.length)])
                    .setParameters(randomBytes())
                    .setTimeoutMillis(randomInt())
                    .setCatalogVersion(randomLong())
                    .build();
            out.clear();
            byte[] parameters = expected.getParameters().toByteArray();
            CallWriter.writeStatementCall(
                    out,
                    expected.getRequestId(),
                    expected.getSql(),
                    parameters,
                    parameters.length,
                    expected.getTimeoutMillis(),
                    ReadConsistency.DECLARED,
                    expected.getCatalogVersion());

            assertThat(frameBody(FrameKind.STATEMENT_CALL)).isEqualTo(expected.toByteArray());
            assertThat(readAfterGarbage(expected.toByteArray()).text()).isEqualTo(expected.getSql());
        }
    }

    /** Also of a text that is no valid Unicode, whose encoders differ in what they make of it. */
    @Test
    void aFrameIsNoLongerThanItsBound() {
        for (String sql :
                new String[] {"\uD800\u20ac".repeat(10), "\uD800\u20ac".repeat(1_000), "\u20ac".repeat(1_000)}) {
            out.clear();
            CallWriter.writeStatementCall(out, 1, sql, new byte[2], 2, 5, ReadConsistency.DECLARED, 0);
            assertThat((long) out.readableBytes()).isLessThanOrEqualTo(CallWriter.frameBytes(sql, 2));
        }
    }

    @Test
    void callsSayWhatTheyMayShow() {
        for (ReadConsistency consistency : ReadConsistency.values()) {
            out.clear();
            CallWriter.writeStatementCall(out, 1, "SELECT 1", new byte[] {0, 0}, 2, 5, consistency, 0);
            assertThat(readAfterGarbage(frameBody(FrameKind.STATEMENT_CALL)).consistency())
                    .isEqualTo(consistency);
            out.clear();
            CallWriter.writeProcedureCall(out, 1, 3, "", new byte[] {0, 0}, 2, 5, consistency, 0);
            assertThat(readAfterGarbage(frameBody(FrameKind.PROCEDURE_CALL)).consistency())
                    .isEqualTo(consistency);
        }
    }

    @Test
    void anUnknownConsistencyIsRefused() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        CodedOutputStream stream = CodedOutputStream.newInstance(bytes);
        stream.writeEnum(6, 3);
        stream.flush();
        assertThatThrownBy(() -> readAfterGarbage(bytes.toByteArray())).isInstanceOf(FulmarException.class);
    }

    @Test
    void fieldsOfALaterVersionAreSkipped() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        CodedOutputStream stream = CodedOutputStream.newInstance(bytes);
        stream.writeString(100, "new");
        stream.writeFixed64(1, 77);
        stream.writeFixed32(101, 5);
        stream.writeUInt64(102, -1);
        stream.writeFixed64(103, 5);
        stream.writeString(3, "Transfer");
        stream.flush();

        CallReader read = readAfterGarbage(bytes.toByteArray());
        assertThat(read.requestId()).isEqualTo(77);
        assertThat(read.text()).isEqualTo("Transfer");
    }

    @Test
    void readersForgetTheMessageBefore() {
        CallReader reader = new CallReader();
        byte[] full = ProcedureCall.newBuilder()
                .setRequestId(9)
                .setProcedureNumber(3)
                .setProcedure("P")
                .setParameters(ByteString.copyFromUtf8("abc"))
                .setTimeoutMillis(4)
                .build()
                .toByteArray();
        reader.wrap(Unpooled.wrappedBuffer(full), 0, full.length);
        reader.wrap(Unpooled.EMPTY_BUFFER, 0, 0);

        assertThat(reader.requestId()).isZero();
        assertThat(reader.procedureNumber()).isZero();
        assertThat(reader.text()).isEmpty();
        assertThat(reader.parameters()).isEmpty();
        assertThat(reader.timeoutMillis()).isZero();
    }

    @Test
    void everyTruncationIsAnErrorOrAShorterMessage() {
        byte[] full = ProcedureCall.newBuilder()
                .setRequestId(9)
                .setProcedureNumber(300)
                .setParameters(ByteString.copyFromUtf8("abcdef"))
                .build()
                .toByteArray();
        int refused = 0;
        for (int length = 0; length < full.length; length++) {
            try {
                // Bytes behind the message's end are there, and must not be read.
                assertThat(new CallReader()
                                .wrap(Unpooled.wrappedBuffer(full), 0, length)
                                .parametersLength())
                        .isZero();
            } catch (FulmarException e) {
                assertThat(e.code()).isEqualTo(ErrorCode.MALFORMED_REQUEST);
                refused++;
            }
        }
        assertThat(refused).isGreaterThan(full.length / 2);
    }

    @Test
    void malformedFieldsAreRefused() {
        assertRefused(0x00);
        assertRefused(0x22, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F);
        assertRefused(0x22, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01);
        assertRefused(0x10, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01);
        assertRefused(0x0B);
        assertRefused(0x0F);
        assertRefused(0xFD, 0x01, 1, 2, 3);
    }

    @Test
    void parametersAreCopiedOutOfEveryKindOfBuffer() {
        ByteString parameters = ByteString.copyFromUtf8("Wolfgang Ämilius");
        byte[] message = ProcedureCall.newBuilder()
                .setRequestId(7)
                .setParameters(parameters)
                .build()
                .toByteArray();
        ByteBuf pooled = PooledByteBufAllocator.DEFAULT.directBuffer(64).writeZero(5);
        ByteBuf slice = pooled.writeBytes(message).slice(3, message.length + 2);
        ByteBuf heap = Unpooled.buffer().writeZero(2).writeBytes(message);
        ByteBuf parts = Unpooled.wrappedBuffer(
                Unpooled.directBuffer().writeZero(2).writeBytes(message, 0, message.length - 4),
                Unpooled.wrappedBuffer(message, message.length - 4, 4));
        CallReader reader = new CallReader();

        for (ByteBuf buffer : List.of(slice, heap, parts)) {
            reader.wrap(buffer, 2, message.length);
            assertThat(reader.parameters()).isEqualTo(parameters.toByteArray());
            assertThat(reader.parameters()).as("a second copy").isEqualTo(parameters.toByteArray());
        }
        pooled.release();
    }

    private static void assertRefused(int... bytes) {
        byte[] message = new byte[bytes.length];
        for (int i = 0; i < bytes.length; i++) {
            message[i] = (byte) bytes[i];
        }
        assertThatThrownBy(() -> new CallReader().wrap(Unpooled.wrappedBuffer(message), 0, message.length))
                .isInstanceOfSatisfying(
                        FulmarException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.MALFORMED_REQUEST));
    }

    private static CallReader readAfterGarbage(byte[] message) {
        ByteBuf buffer = Unpooled.buffer();
        buffer.writeZero(7);
        buffer.writeBytes(message);
        buffer.writeByte(0xFF);
        return new CallReader().wrap(buffer, 7, message.length);
    }

    private byte[] frameBody(FrameKind kind) {
        assertThat(out.getIntLE(0)).isEqualTo(out.readableBytes() - FrameFormat.LENGTH_BYTES);
        assertThat(out.getByte(4)).isEqualTo(FrameFormat.FRAMING);
        assertThat(out.getByte(5)).isEqualTo(kind.number());
        return ByteBufUtil.getBytes(out, FrameFormat.HEADER_BYTES, out.readableBytes() - FrameFormat.HEADER_BYTES);
    }

    private long randomLong() {
        return random.nextLong() >>> random.nextInt(64);
    }

    private int randomInt() {
        return random.nextInt(3) == 0 ? 0 : random.nextInt() >>> random.nextInt(32);
    }

    private ByteString randomBytes() {
        byte[] bytes = new byte[random.nextInt(3) == 0 ? 0 : random.nextInt(400)];
        random.nextBytes(bytes);
        return ByteString.copyFrom(bytes);
    }
}
