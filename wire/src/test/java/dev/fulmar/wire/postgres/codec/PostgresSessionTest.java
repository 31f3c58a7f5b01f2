package dev.fulmar.wire.postgres.codec;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.wire.postgres.message.BackendMessage;
import dev.fulmar.wire.postgres.message.BackendMessage.ErrorResponse;
import dev.fulmar.wire.postgres.message.BackendMessage.NoticeResponse;
import dev.fulmar.wire.postgres.message.Diagnostic;
import dev.fulmar.wire.postgres.message.FrontendMessage;
import dev.fulmar.wire.postgres.message.FrontendMessage.FunctionCall;
import dev.fulmar.wire.postgres.message.Severity;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Both sides of a stored session with PostgreSQL 15 are read, and written byte for byte as they were. */
class PostgresSessionTest {
    /** Lines of {@code F} for the client or {@code B} for the server, and a message. */
    private static List<byte[]> messages(char side) throws IOException {
        InputStream bytes = Objects.requireNonNull(
                PostgresSessionTest.class.getResourceAsStream("/dev/fulmar/wire/postgres/samples/session.txt"));
        try (BufferedReader reader = new BufferedReader(new InputStreamReader(bytes, StandardCharsets.US_ASCII))) {
            return reader.lines()
                    .filter(line -> line.charAt(0) == side)
                    .map(line -> ByteBufUtil.decodeHexDump(line.substring(2)))
                    .toList();
        }
    }

    @Test
    void theServersSideIsReadAndWritten() throws IOException {
        List<BackendMessage> found = new ArrayList<>();
        try (BackendDecoder decoder = new BackendDecoder(UnpooledByteBufAllocator.DEFAULT, 1 << 20)) {
            for (byte[] message : messages('B')) {
                int before = found.size();
                decoder.decode(Unpooled.wrappedBuffer(message), found::add);
                assertThat(found).hasSize(before + 1);
                ByteBuf out = Unpooled.buffer();
                BackendEncoder.write(out, found.getLast());
                switch (found.getLast()) {
                    case ErrorResponse _, NoticeResponse _ ->
                        assertThat(fields(ByteBufUtil.getBytes(out))).isEqualTo(fields(message));
                    default -> assertThat(ByteBufUtil.getBytes(out)).isEqualTo(message);
                }
            }
        }
        TreeSet<String> kinds = new TreeSet<>();
        found.forEach(message -> kinds.add(message.getClass().getSimpleName()));
        assertThat(kinds)
                .contains(
                        "AuthenticationOk",
                        "BackendKeyData",
                        "BindComplete",
                        "CloseComplete",
                        "CommandComplete",
                        "CopyData",
                        "CopyDone",
                        "CopyInResponse",
                        "CopyOutResponse",
                        "DataRow",
                        "EmptyQueryResponse",
                        "ErrorResponse",
                        "NegotiateProtocolVersion",
                        "NoData",
                        "NoticeResponse",
                        "ParameterDescription",
                        "ParameterStatus",
                        "ParseComplete",
                        "PortalSuspended",
                        "ReadyForQuery",
                        "RowDescription");
        assertThat(found)
                .contains(new ErrorResponse(Diagnostic.of(
                                Severity.ERROR, "23505", "duplicate key value violates unique constraint \"t_pkey\"")
                        .withDetail("Key (id)=(1) already exists.")
                        .about(temporarySchema(found), "t", null, "t_pkey")
                        .in("_bt_check_unique")))
                .contains(new ErrorResponse(Diagnostic.of(Severity.ERROR, "42703", "column \"nothing\" does not exist")
                        .at(8)
                        .in("errorMissingColumn")));
    }

    /** The number of the schema of temporary tables changes from session to session. */
    private static String temporarySchema(List<BackendMessage> found) {
        return found.stream()
                .filter(ErrorResponse.class::isInstance)
                .map(error ->
                        String.valueOf(((ErrorResponse) error).diagnostic().schema()))
                .filter(schema -> schema.startsWith("pg_temp_"))
                .findFirst()
                .orElseThrow();
    }

    /** Fields of a diagnostic but for places in the server's source. */
    private static List<String> fields(byte[] message) {
        List<String> fields = new ArrayList<>(
                List.of(new String(message, 5, message.length - 5, StandardCharsets.UTF_8).split("\0")));
        fields.removeIf(field -> "FL".indexOf(field.charAt(0)) >= 0);
        fields.sort(null);
        return fields;
    }

    @Test
    void theClientsSideIsReadAndWritten() throws IOException {
        List<FrontendMessage> found = new ArrayList<>();
        try (FrontendDecoder decoder = new FrontendDecoder(UnpooledByteBufAllocator.DEFAULT)) {
            for (byte[] message : messages('F')) {
                int before = found.size();
                decoder.decode(Unpooled.wrappedBuffer(message), found::add);
                assertThat(found).hasSize(before + 1);
                ByteBuf out = Unpooled.buffer();
                FrontendEncoder.write(out, found.getLast());
                assertThat(ByteBufUtil.getBytes(out)).isEqualTo(message);
            }
        }
        assertThat(found).contains(new FunctionCall(1));
    }
}
