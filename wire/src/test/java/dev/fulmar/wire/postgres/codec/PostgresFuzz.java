package dev.fulmar.wire.postgres.codec;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.wire.postgres.message.FrontendMessage;
import dev.fulmar.wire.postgres.message.FrontendMessage.Unreadable;
import dev.fulmar.wire.postgres.message.ValueFormat;
import dev.fulmar.wire.postgres.type.ArrayForm;
import dev.fulmar.wire.postgres.type.PostgresType;
import dev.fulmar.wire.postgres.type.ValueForm;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;

/** Runs its stored inputs in a build; {@code JAZZER_FUZZ=1} makes it search. */
class PostgresFuzz {
    private static final ZoneId ZONE = ZoneOffset.UTC;
    private static final int LIMIT = 1 << 16;

    private final UnpooledByteBufAllocator allocator = new UnpooledByteBufAllocator(true);

    /** A message that was read can be written, and is read from that again. */
    @FuzzTest(maxDuration = "10m")
    void anyBytesOfAClient(FuzzedDataProvider data) {
        int readBytes = data.consumeInt(1, 64);
        List<FrontendMessage> found = new ArrayList<>();
        long before = allocator.metric().usedDirectMemory();
        try (FrontendDecoder decoder = new FrontendDecoder(allocator)) {
            decoder.messageLimitBytes(LIMIT);
            ByteBuf rest = Unpooled.wrappedBuffer(data.consumeRemainingAsBytes());
            while (rest.isReadable()) {
                decoder.decode(rest.readSlice(Math.min(readBytes, rest.readableBytes())), found::add);
            }
        } catch (FulmarException e) {
            assertThat(e.code()).isEqualTo(ErrorCode.MALFORMED_REQUEST);
        }
        assertThat(allocator.metric().usedDirectMemory()).isEqualTo(before);
        for (FrontendMessage message : found) {
            if (!(message instanceof Unreadable)) {
                FrontendEncoder.write(Unpooled.buffer(), message);
            }
        }
    }

    @FuzzTest(maxDuration = "10m")
    void anyBytesOfAValue(FuzzedDataProvider data) {
        PostgresType type = data.pickValue(PostgresType.values());
        ValueFormat format = data.pickValue(ValueFormat.values());
        boolean isArray = data.consumeBoolean();
        byte[] bytes = data.consumeRemainingAsBytes();
        try {
            if (!isArray) {
                ValueForm.write(Unpooled.buffer(), type, format, ValueForm.read(type, format, bytes, ZONE), ZONE);
            } else if (format == ValueFormat.TEXT) {
                ArrayForm.writeText(Unpooled.buffer(), type, ArrayForm.parse(type, bytes, 0, bytes.length, ZONE), ZONE);
            } else {
                ArrayForm.writeBinary(Unpooled.buffer(), type, ArrayForm.decode(type, bytes, ZONE), ZONE);
            }
        } catch (FulmarException e) {
            assertThat(e.code()).isNotEqualTo(ErrorCode.INTERNAL);
        }
    }
}
