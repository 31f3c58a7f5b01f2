package dev.fulmar.foundation.data;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PartitioningHashTest {
    /** Values that files and clients rely on. If this test fails the hash has changed, which must not happen. */
    @Test
    void theseValuesNeverChange() {
        assertThat(PartitioningHash.ofLong(0)).isEqualTo(0xe220a8397b1dcdafL);
        assertThat(PartitioningHash.ofLong(1)).isEqualTo(0x910a2dec89025cc1L);
        assertThat(PartitioningHash.ofLong(-1)).isEqualTo(0xe4d971771b652c20L);
        assertThat(PartitioningHash.ofDouble(1.5)).isEqualTo(0xd6dab18e1392608aL);
        assertThat(PartitioningHash.ofWide(1, 2)).isEqualTo(0x77fc54f7f704cabfL);
        assertThat(of("")).isEqualTo(0xa706dd2f4d197e6fL);
        assertThat(of("a")).isEqualTo(0x5e025f9ade9eaf3eL);
        assertThat(of("fulmarus glacialis")).isEqualTo(0xd6ca61d94e2eff39L);
        assertThat(of("12345678")).isEqualTo(0xe112e46927993d58L);
    }

    private static long of(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return PartitioningHash.ofBytes(bytes, 0, bytes.length);
    }

    @Test
    void nativeMemoryHashesLikeAnArray() {
        Random random = new Random(3);
        try (Arena arena = Arena.ofConfined()) {
            for (int length = 0; length < 100; length++) {
                byte[] bytes = new byte[length + 10];
                random.nextBytes(bytes);
                MemorySegment copy = arena.allocate(bytes.length + 8);
                MemorySegment.copy(MemorySegment.ofArray(bytes), 0, copy, 0, bytes.length);
                assertThat(PartitioningHash.ofNative(copy.address() + 5, length))
                        .isEqualTo(PartitioningHash.ofBytes(bytes, 5, length));
            }
        }
    }

    @Test
    void zerosAreOneKeyAndTrailingZeroBytesAreNot() {
        assertThat(PartitioningHash.ofDouble(-0.0)).isEqualTo(PartitioningHash.ofDouble(0.0));
        assertThat(PartitioningHash.ofBytes(new byte[3], 0, 3))
                .isNotEqualTo(PartitioningHash.ofBytes(new byte[4], 0, 4));
        assertThat(PartitioningHash.ofBytes(new byte[8], 0, 8))
                .isNotEqualTo(PartitioningHash.ofBytes(new byte[16], 0, 16));
    }

    @Test
    void everyInputBitFlipsHalfOfTheOutputBits() {
        Random random = new Random(5);
        for (int bit = 0; bit < 24 * 8; bit++) {
            long flipped = 0;
            int rounds = 400;
            for (int round = 0; round < rounds; round++) {
                byte[] bytes = new byte[24];
                random.nextBytes(bytes);
                long before = PartitioningHash.ofBytes(bytes, 0, bytes.length);
                bytes[bit >> 3] ^= (byte) (1 << (bit & 7));
                flipped += Long.bitCount(before ^ PartitioningHash.ofBytes(bytes, 0, bytes.length));
            }
            assertThat((double) flipped / rounds).as("bit %s", bit).isBetween(30.5, 33.5);
        }
    }

    @Test
    void smallConsecutiveKeysFillAllRangesEvenly() {
        int[] counts = new int[64];
        for (long key = 0; key < 64_000; key++) {
            counts[(int) (PartitioningHash.ofLong(key) >>> 58)]++;
        }
        assertThat(Arrays.stream(counts)).allMatch(count -> count > 850 && count < 1150);
    }
}
