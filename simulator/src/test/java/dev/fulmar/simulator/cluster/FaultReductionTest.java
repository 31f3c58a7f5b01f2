package dev.fulmar.simulator.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class FaultReductionTest {
    private static Set<Integer> numbers(int count) {
        return new TreeSet<>(IntStream.range(0, count).boxed().toList());
    }

    @Test
    void whatIsNotNeededIsLeftOut() {
        AtomicInteger runs = new AtomicInteger();
        Set<Integer> left = FaultReduction.reduce(numbers(40), 200, faults -> {
            runs.incrementAndGet();
            return faults.contains(7) && faults.contains(31);
        });
        assertThat(left).containsExactly(7, 31);
        assertThat(runs.get()).isLessThan(80);
    }

    @Test
    void aFailureWithoutFaultsNeedsNone() {
        assertThat(FaultReduction.reduce(numbers(12), 100, faults -> true)).isEmpty();
    }

    @Test
    void itEndsAfterSoManyRuns() {
        AtomicInteger runs = new AtomicInteger();
        Set<Integer> left = FaultReduction.reduce(numbers(50), 10, faults -> {
            runs.incrementAndGet();
            return faults.size() == 50;
        });
        assertThat(left).hasSize(50);
        assertThat(runs.get()).isEqualTo(10);
    }
}
