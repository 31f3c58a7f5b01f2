package dev.fulmar.wire.frame;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Parser;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.wire.call.CallReader;
import dev.fulmar.wire.call.ReplyReader;
import dev.fulmar.wire.proto.ProcedureCall;
import dev.fulmar.wire.proto.ProcedureReply;
import dev.fulmar.wire.proto.StatementCall;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import org.jspecify.annotations.Nullable;

/**
 * Feeds any bytes to the decoder and the readers: only typed errors come out, and what is accepted agrees with the
 * generated classes.
 */
final class FrameStreamCheck {
    private static final int LIMIT = 1 << 20;

    private FrameStreamCheck() {}

    static void check(byte[] bytes, int readBytes, UnpooledByteBufAllocator allocator) {
        long before = allocator.metric().usedDirectMemory();
        try (FrameDecoder decoder = new FrameDecoder(allocator, LIMIT)) {
            ByteBuf rest = Unpooled.wrappedBuffer(bytes);
            while (rest.isReadable()) {
                decoder.decode(rest.readSlice(Math.min(readBytes, rest.readableBytes())), FrameStreamCheck::read);
            }
        } catch (FulmarException expected) {
            assertThat(expected).hasMessageMatching("(?s).*(connect with|send less|use client).*");
        }
        assertThat(allocator.metric().usedDirectMemory()).isEqualTo(before);
    }

    private static boolean read(FrameKind kind, ByteBuf buffer, int offset, int length) {
        switch (kind) {
            case PROCEDURE_CALL -> {
                CallReader read = new CallReader().wrap(buffer, offset, length);
                ProcedureCall generated = parse(ProcedureCall.parser(), buffer, offset, length);
                if (generated != null) {
                    assertThat(read.requestId()).isEqualTo(generated.getRequestId());
                    assertThat(read.procedureNumber()).isEqualTo(generated.getProcedureNumber());
                    assertThat(read.text()).isEqualTo(generated.getProcedure());
                    assertThat(read.parameters())
                            .isEqualTo(generated.getParameters().toByteArray());
                }
            }
            case STATEMENT_CALL -> {
                CallReader read = new CallReader().wrap(buffer, offset, length);
                StatementCall generated = parse(StatementCall.parser(), buffer, offset, length);
                if (generated != null) {
                    assertThat(read.text()).isEqualTo(generated.getSql());
                    assertThat(read.parameters())
                            .isEqualTo(generated.getParameters().toByteArray());
                }
            }
            case PROCEDURE_REPLY -> {
                ReplyReader read = new ReplyReader().wrap(buffer, offset, length);
                ProcedureReply generated = parse(ProcedureReply.parser(), buffer, offset, length);
                if (generated != null) {
                    assertThat(read.requestId()).isEqualTo(generated.getRequestId());
                    assertThat(read.status()).isEqualTo(generated.getStatus());
                    assertThat(read.value()).isEqualTo(generated.getValue());
                    assertThat(read.results()).isEqualTo(generated.getResults().toByteArray());
                }
            }
            case HELLO, WELCOME, BIND, CONNECTION_ERROR, GOODBYE -> {
                // Read by generated classes.
            }
        }
        return true;
    }

    /** Null where the generated class is stricter: it refuses texts that are not UTF-8 and knows groups. */
    private static <T> @Nullable T parse(Parser<T> parser, ByteBuf buffer, int offset, int length) {
        try {
            return parser.parseFrom(ByteBufUtil.getBytes(buffer, offset, length));
        } catch (InvalidProtocolBufferException e) {
            return null;
        }
    }
}
