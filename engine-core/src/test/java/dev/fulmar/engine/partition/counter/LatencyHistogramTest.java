package dev.fulmar.engine.partition.counter;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LatencyHistogramTest {
    @Test
    void quantilesAreWithinAnEighth() {
        LatencyHistogram histogram = new LatencyHistogram();
        for (int i = 1; i <= 100_000; i++) {
            histogram.record(i * 10L);
        }
        assertThat(histogram.count()).isEqualTo(100_000);
        for (double share : new double[] {0.01, 0.5, 0.9, 0.99, 0.999, 1.0}) {
            double exact = share * 1_000_000;
            assertThat((double) histogram.quantileNanos(share)).isBetween(exact, exact * 1.126);
        }
    }

    @Test
    void extremesHaveABucket() {
        LatencyHistogram histogram = new LatencyHistogram();
        histogram.record(-1);
        histogram.record(0);
        assertThat(histogram.quantileNanos(1)).isZero();
        histogram.record(Long.MAX_VALUE);
        assertThat(histogram.quantileNanos(1)).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void anEmptyHistogramHasNoQuantile() {
        assertThat(new LatencyHistogram().quantileNanos(0.5)).isZero();
    }

    @Test
    void histogramsAddUp() {
        LatencyHistogram first = new LatencyHistogram();
        LatencyHistogram second = new LatencyHistogram();
        first.record(100);
        second.record(200);
        first.add(second);
        assertThat(first.count()).isEqualTo(2);
    }

    @Test
    void whatWasRecordedSinceACopyRemainsAfterASubtraction() {
        LatencyHistogram histogram = new LatencyHistogram();
        histogram.record(1_000_000);
        LatencyHistogram copy = new LatencyHistogram();
        copy.add(histogram);
        histogram.record(5);
        histogram.subtract(copy);
        assertThat(histogram.count()).isEqualTo(1);
        assertThat(histogram.quantileNanos(1)).isEqualTo(5);
    }
}
