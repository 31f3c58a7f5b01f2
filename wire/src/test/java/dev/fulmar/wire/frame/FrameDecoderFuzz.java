package dev.fulmar.wire.frame;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.junit.FuzzTest;
import io.netty.buffer.UnpooledByteBufAllocator;

/** Runs its stored inputs in a build; {@code JAZZER_FUZZ=1} makes it search. */
class FrameDecoderFuzz {
    private final UnpooledByteBufAllocator allocator = new UnpooledByteBufAllocator(true);

    @FuzzTest(maxDuration = "10m")
    void anyBytes(FuzzedDataProvider data) {
        int readBytes = data.consumeInt(1, 64);
        FrameStreamCheck.check(data.consumeRemainingAsBytes(), readBytes, allocator);
    }
}
