package dev.fulmar.benchmarks.logflood;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class GarbageTest {
    private static byte[] of(Garbage kind, long seed) {
        return kind.bytes(new SplittableRandom(seed));
    }

    @ParameterizedTest
    @EnumSource
    void aSeedGivesTheSameBytes(Garbage kind) {
        assertThat(of(kind, 5)).isEqualTo(of(kind, 5));
    }

    @Test
    void kindsAreWhatTheyAreCalled() {
        for (long seed = 0; seed < 200; seed++) {
            assertThat(of(Garbage.NOTHING, seed)).isEmpty();
            assertThat(of(Garbage.RANDOM, seed)).isNotEmpty();
            assertThat(new String(of(Garbage.HTTP, seed), StandardCharsets.US_ASCII))
                    .startsWith("GET /")
                    .endsWith("\r\n\r\n");
            byte[] half = of(Garbage.HALF_FRAME, seed);
            assertThat(ByteBuffer.wrap(half).getInt())
                    .as("more is announced than comes")
                    .isGreaterThan(half.length - Integer.BYTES);
            byte[] hello = of(Garbage.TLS_HELLO, seed);
            assertThat(hello[0]).isEqualTo((byte) 0x16);
            assertThat(ByteBuffer.wrap(hello).getShort(3))
                    .as("the record's length")
                    .isEqualTo((short) (hello.length - 5));
            assertThat(ByteBuffer.wrap(hello).getInt(5) & 0xffffff)
                    .as("the handshake message's length")
                    .isEqualTo(hello.length - 9);
        }
    }
}
