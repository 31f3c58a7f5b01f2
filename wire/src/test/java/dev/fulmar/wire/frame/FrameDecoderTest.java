package dev.fulmar.wire.frame;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.wire.proto.Bind;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class FrameDecoderTest {
    private static final int LIMIT = 1 << 20;

    private final UnpooledByteBufAllocator allocator = new UnpooledByteBufAllocator(true);
    private final List<String> frames = new ArrayList<>();
    private final FrameHandler collect = (kind, buffer, offset, length) -> {
        frames.add(kind + ":" + ByteBufUtil.hexDump(buffer, offset, length));
        return true;
    };
    private final FrameDecoder decoder = new FrameDecoder(allocator, LIMIT);

    @AfterEach
    void nothingIsLeaked() {
        decoder.close();
        assertThat(allocator.metric().usedDirectMemory()).isZero();
    }

    @Test
    void framesArriveWhateverTheCutsBetweenReads() {
        Random random = new Random(3);
        ByteBuf stream = Unpooled.buffer();
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            byte[] body = new byte[random.nextInt(10) == 0 ? random.nextInt(5000) : random.nextInt(40)];
            random.nextBytes(body);
            FrameKind kind = FrameKind.values()[random.nextInt(FrameKind.values().length)];
            int start = FrameFormat.begin(stream, kind);
            stream.writeBytes(body);
            FrameFormat.end(stream, start);
            expected.add(kind + ":" + ByteBufUtil.hexDump(body));
        }
        for (int round = 0; round < 20; round++) {
            frames.clear();
            ByteBuf rest = stream.duplicate();
            while (rest.isReadable()) {
                int count = Math.min(rest.readableBytes(), 1 + random.nextInt(1 << random.nextInt(13)));
                assertThat(decoder.decode(rest.readSlice(count), collect)).isTrue();
            }
            assertThat(frames).isEqualTo(expected);
            assertThat(decoder.heldBytes()).isZero();
        }
    }

    @Test
    void aMessageOfAGeneratedClassIsFramed() {
        ByteBuf stream = Unpooled.buffer(1);
        Bind message = Bind.newBuilder().setNumber(3).setProcedure("Vote").build();
        FrameFormat.write(stream, FrameKind.BIND, message);
        decoder.decode(stream, collect);
        assertThat(frames).containsExactly("BIND:" + ByteBufUtil.hexDump(message.toByteArray()));
    }

    @Test
    void aFrameOverTheLimitIsRefusedBeforeItArrives() {
        assertThatThrownBy(() -> decoder.decode(Unpooled.buffer().writeIntLE(LIMIT + 1), collect))
                .isInstanceOfSatisfying(FulmarException.class, e -> {
                    assertThat(e.code()).isEqualTo(ErrorCode.FRAME_TOO_LARGE);
                    assertThat(e).hasMessageContaining("limit of " + LIMIT).hasMessageContaining("raise");
                });
        assertThat(allocator.metric().usedDirectMemory()).isZero();
    }

    @Test
    void aFrameAtTheLimitIsTaken() {
        ByteBuf stream = Unpooled.buffer();
        int start = FrameFormat.begin(stream, FrameKind.BIND);
        stream.writeZero(LIMIT - 2);
        FrameFormat.end(stream, start);
        decoder.decode(stream, collect);
        assertThat(frames).hasSize(1);
    }

    @Test
    void memoryFollowsTheBytesThatArrivedNotThePromise() {
        ByteBuf beginning = Unpooled.buffer().writeIntLE(LIMIT).writeByte(FrameFormat.FRAMING);
        decoder.decode(beginning, collect);
        assertThat(allocator.metric().usedDirectMemory()).isLessThan(1024);
        assertThat(decoder.heldBytes()).isEqualTo(5);
    }

    @Test
    void nonsenseIsRefused() {
        assertRefused(Unpooled.buffer().writeIntLE(-1), ErrorCode.MALFORMED_REQUEST);
        assertRefused(Unpooled.buffer().writeIntLE(1), ErrorCode.MALFORMED_REQUEST);
        assertRefused(Unpooled.buffer().writeIntLE(2).writeByte(9).writeByte(1), ErrorCode.VERSION_MISMATCH);
        assertRefused(Unpooled.buffer().writeIntLE(2).writeByte(1).writeByte(0), ErrorCode.MALFORMED_REQUEST);
        assertRefused(Unpooled.buffer().writeIntLE(2).writeByte(1).writeByte(200), ErrorCode.MALFORMED_REQUEST);
        assertRefused(
                Unpooled.copiedBuffer("GET / HTTP/1.1\r\n", StandardCharsets.US_ASCII), ErrorCode.FRAME_TOO_LARGE);
    }

    @Test
    void nothingIsDeliveredAfterTheHandlerStops() {
        ByteBuf stream = Unpooled.buffer();
        for (int i = 1; i <= 3; i++) {
            FrameFormat.write(
                    stream, FrameKind.BIND, Bind.newBuilder().setNumber(i).build());
        }
        List<FrameKind> seen = new ArrayList<>();
        FrameHandler stopAtOnce = (kind, buffer, offset, length) -> {
            seen.add(kind);
            return false;
        };
        assertThat(decoder.decode(stream.duplicate(), stopAtOnce)).isFalse();
        decoder.decode(stream.duplicate().writerIndex(3), stopAtOnce);
        assertThat(decoder.decode(stream.duplicate().skipBytes(3), stopAtOnce)).isFalse();
        assertThat(seen).hasSize(2);
    }

    @Test
    void randomBytesGiveFramesOrTypedErrorsAndLeakNothing() {
        Random random = new Random(11);
        for (int round = 0; round < 20_000; round++) {
            byte[] bytes = new byte[random.nextInt(64)];
            random.nextBytes(bytes);
            if (bytes.length > 6 && random.nextBoolean()) {
                // Make the first length plausible, so that what lies behind it is reached.
                bytes[0] = (byte) random.nextInt(bytes.length);
                bytes[1] = 0;
                bytes[2] = 0;
                bytes[3] = 0;
                bytes[4] = FrameFormat.FRAMING;
            }
            FrameStreamCheck.check(bytes, 1 + random.nextInt(16), allocator);
        }
    }

    private static void assertRefused(ByteBuf bytes, ErrorCode code) {
        try (FrameDecoder fresh = new FrameDecoder(ByteBufAllocator.DEFAULT, LIMIT)) {
            assertThatThrownBy(() -> fresh.decode(bytes, (kind, buffer, offset, length) -> true))
                    .isInstanceOfSatisfying(
                            FulmarException.class, e -> assertThat(e.code()).isEqualTo(code));
        }
    }
}
