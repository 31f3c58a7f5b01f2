package dev.fulmar.wire.postgres.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
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
import dev.fulmar.wire.postgres.message.Severity;
import dev.fulmar.wire.postgres.message.TransactionStatus;
import dev.fulmar.wire.postgres.message.ValueFormat;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class BackendEncoderTest {
    private final UnpooledByteBufAllocator allocator = new UnpooledByteBufAllocator(true);

    private static final Diagnostic DUPLICATE = Diagnostic.of(Severity.ERROR, "23505", "duplicate key")
            .withDetail("Key (id)=(1) already exists.")
            .withHint("choose another key")
            .at(12)
            .withWhere("COPY t, line 3")
            .about("public", "t", "id", "t_pkey");

    private static List<BackendMessage> everyKind() {
        return List.of(
                new AuthenticationOk(),
                new AuthenticationSasl(List.of("SCRAM-SHA-256-PLUS", "SCRAM-SHA-256")),
                new AuthenticationSaslContinue(new byte[] {1}),
                new AuthenticationSaslFinal(new byte[] {2, 3}),
                new ParameterStatus("server_version", "15.4"),
                new BackendKeyData(4711, -2),
                new NegotiateProtocolVersion(0, List.of("_pq_.x")),
                new ReadyForQuery(TransactionStatus.IDLE),
                new ReadyForQuery(TransactionStatus.IN_TRANSACTION),
                new ReadyForQuery(TransactionStatus.FAILED),
                new RowDescription(List.of(
                        new FieldDescription("a\u00e4", 16_384, 2, 23, 4, -1, ValueFormat.TEXT),
                        new FieldDescription("", 0, 0, 25, -1, 20, ValueFormat.BINARY))),
                new RowDescription(List.of()),
                new DataRow(new byte[] @Nullable [] {null, {}, {1, 2}}),
                new CommandComplete("INSERT 0 1"),
                new EmptyQueryResponse(),
                new ErrorResponse(DUPLICATE),
                new NoticeResponse(Diagnostic.of(Severity.NOTICE, "00000", "so")),
                new ParseComplete(),
                new BindComplete(),
                new CloseComplete(),
                new NoData(),
                new PortalSuspended(),
                new ParameterDescription(List.of(23, 25)),
                new CopyInResponse(ValueFormat.TEXT, 3),
                new CopyOutResponse(ValueFormat.BINARY, 2),
                new CopyData(new byte[] {5}),
                new CopyDone());
    }

    private List<BackendMessage> decode(byte[] bytes) {
        List<BackendMessage> found = new ArrayList<>();
        try (BackendDecoder decoder = new BackendDecoder(allocator, 1 << 20)) {
            decoder.decode(Unpooled.wrappedBuffer(bytes), found::add);
        }
        return found;
    }

    private static byte[] encoded(BackendMessage... messages) {
        ByteBuf out = Unpooled.buffer();
        for (BackendMessage message : messages) {
            BackendEncoder.write(out, message);
        }
        return ByteBufUtil.getBytes(out);
    }

    @Test
    void everyMessageIsReadAsItWasWritten() {
        List<BackendMessage> found = decode(encoded(everyKind().toArray(BackendMessage[]::new)));
        assertThat(found).usingRecursiveComparison().isEqualTo(everyKind());
    }

    @Test
    void anAnswerAboutEncryptionIsOneByte() {
        assertThat(encoded(new EncryptionAnswer(true))).containsExactly('S');
        assertThat(encoded(new EncryptionAnswer(false))).containsExactly('N');
    }

    @Test
    void fieldsOfADiagnosticHaveTheirLetters() {
        assertThat(new String(encoded(new ErrorResponse(DUPLICATE)), StandardCharsets.US_ASCII)
                        .substring(5)
                        .split("\0"))
                .containsExactly(
                        "SERROR",
                        "VERROR",
                        "C23505",
                        "Mduplicate key",
                        "DKey (id)=(1) already exists.",
                        "Hchoose another key",
                        "P12",
                        "WCOPY t, line 3",
                        "spublic",
                        "tt",
                        "cid",
                        "nt_pkey");
        assertThat(DUPLICATE.as(Severity.FATAL).severity()).isEqualTo(Severity.FATAL);
        assertThatThrownBy(() -> Diagnostic.of(Severity.ERROR, "1", "")).isInstanceOf(IllegalArgumentException.class);
    }

    /** A zero would end the text, and what follows would be read as fields or as other messages. */
    @Test
    void aZeroInATextEndsNothing() {
        byte[] bytes = encoded(
                new CommandComplete("a\0b"),
                new ErrorResponse(Diagnostic.of(Severity.ERROR, "42601", "near \"\0C00000\"")));
        assertThat(decode(bytes))
                .containsExactly(
                        new CommandComplete("a b"),
                        new ErrorResponse(Diagnostic.of(Severity.ERROR, "42601", "near \" C00000\"")));
    }

    @Test
    void rowsAreWrittenInPlace() {
        ByteBuf out = Unpooled.buffer();
        RowWriter rows = new RowWriter();
        rows.begin(out, 3);
        rows.addNull();
        rows.beginValue();
        rows.endValue();
        rows.beginValue().writeBytes(new byte[] {1, 2});
        rows.endValue();
        rows.end();
        assertThat(ByteBufUtil.getBytes(out)).isEqualTo(encoded(new DataRow(new byte[] @Nullable [] {null, {}, {1, 2}
        })));
    }

    @Test
    void aRowThatWasGivenUpLeavesNothing() {
        ByteBuf out = Unpooled.buffer();
        BackendEncoder.write(out, new NoData());
        RowWriter rows = new RowWriter();
        rows.begin(out, 2);
        rows.beginValue().writeInt(7);
        rows.discard();
        rows.begin(out, 0);
        rows.end();
        assertThat(ByteBufUtil.getBytes(out)).isEqualTo(encoded(new NoData(), new DataRow(new byte[0][])));
    }

    @Test
    void aRowHasAllItsColumns() {
        RowWriter rows = new RowWriter();
        rows.begin(Unpooled.buffer(), 1);
        assertThatThrownBy(rows::end).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(rows::endValue).isInstanceOf(IllegalStateException.class);
        rows.beginValue();
        assertThatThrownBy(rows::addNull).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(rows::end).isInstanceOf(IllegalStateException.class);
        rows.endValue();
        assertThatThrownBy(rows::beginValue).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> rows.begin(Unpooled.buffer(), 65_536)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void dataOfACopyIsWrittenInPlace() {
        ByteBuf out = Unpooled.buffer();
        int start = BackendEncoder.beginCopyData(out);
        out.writeByte(5);
        BackendEncoder.endCopyData(out, start);
        assertThat(ByteBufUtil.getBytes(out)).isEqualTo(encoded(new CopyData(new byte[] {5})));
    }

    @Test
    void anyBytesGiveMessagesOrAViolation() {
        Random random = new Random(13);
        byte[] valid = encoded(everyKind().toArray(BackendMessage[]::new));
        for (int round = 0; round < 20_000; round++) {
            byte[] bytes = valid.clone();
            for (int i = 1 + random.nextInt(8); i > 0; i--) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(1 << random.nextInt(9));
            }
            try {
                decode(bytes);
            } catch (FulmarException e) {
                assertThat(e.code()).isEqualTo(ErrorCode.MALFORMED_REQUEST);
            }
            assertThat(allocator.metric().usedDirectMemory()).isZero();
        }
    }
}
