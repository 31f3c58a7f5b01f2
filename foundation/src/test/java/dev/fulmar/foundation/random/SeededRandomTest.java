package dev.fulmar.foundation.random;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class SeededRandomTest {
    /** The first outputs for seed 0 of xoshiro256++ with a SplitMix64 seeding, as other implementations print them. */
    @Test
    void theAlgorithmIsXoshiro256PlusPlus() {
        SeededRandom random = new SeededRandom(0);
        assertThat(random.nextLong()).isEqualTo(0x53175d61490b23dfL);
        assertThat(random.nextLong()).isEqualTo(0x61da6f3dc380d507L);
        assertThat(random.nextLong()).isEqualTo(0x5c0fdf91ec9a7bfcL);
    }

    @Test
    void theSameSeedRepeats() {
        SeededRandom one = new SeededRandom(42);
        SeededRandom other = new SeededRandom(1);
        other.nextGaussian();
        other.reseed(42);
        for (int i = 0; i < 100; i++) {
            assertThat(one.nextInt(1 + i)).isEqualTo(other.nextInt(1 + i));
            assertThat(one.nextDouble()).isEqualTo(other.nextDouble());
            assertThat(one.nextGaussian()).isEqualTo(other.nextGaussian());
        }
    }

    @Test
    void aSplitDependsOnSeedAndNameOnly() {
        SeededRandom one = new SeededRandom(42);
        SeededRandom other = new SeededRandom(42);
        other.nextLong();
        assertThat(one.split("a").nextLong()).isEqualTo(other.split("a").nextLong());
        assertThat(one.split("a").nextLong()).isNotEqualTo(one.split("b").nextLong());
        assertThat(one.split("a").nextLong())
                .isNotEqualTo(new SeededRandom(43).split("a").nextLong());
        assertThat(one.split("a").split("b").nextLong())
                .isNotEqualTo(one.split("b").split("a").nextLong());
    }

    @Test
    void boundsAreKeptAndFilledEvenly() {
        SeededRandom random = new SeededRandom(7);
        int[] counts = new int[10];
        for (int i = 0; i < 100_000; i++) {
            counts[random.nextInt(10)]++;
            assertThat(random.nextInt(-3, 4)).isBetween(-3, 3);
            assertThat(random.nextLong(Long.MIN_VALUE, Long.MAX_VALUE)).isLessThan(Long.MAX_VALUE);
            assertThat(random.nextDouble()).isBetween(0.0, Math.nextDown(1.0));
        }
        for (int count : counts) {
            assertThat(count).isBetween(9_500, 10_500);
        }
        assertThatThrownBy(() -> random.nextInt(0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> random.nextInt(4, 4)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> random.nextDouble(1, 1)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void gaussiansHaveMeanZeroAndDeviationOne() {
        SeededRandom random = new SeededRandom(9);
        double sum = 0;
        double squares = 0;
        for (int i = 0; i < 100_000; i++) {
            double value = random.nextGaussian();
            sum += value;
            squares += value * value;
        }
        assertThat(sum / 100_000).isBetween(-0.02, 0.02);
        assertThat(squares / 100_000).isBetween(0.97, 1.03);
    }

    @Test
    void allBytesAreFilled() {
        byte[] bytes = new byte[21];
        new SeededRandom(3).nextBytes(bytes);
        byte[] again = new byte[21];
        new SeededRandom(3).nextBytes(again);
        assertThat(again).isEqualTo(bytes);
        assertThat(bytes[20]).isNotZero();
    }
}
